"""Lead tables from their own computer without the PIN: `python -m tests.trust.local_users 3`, as root.

Each round starts six tables. Another user, and whoever comes through a forwarder, request everything that the
computer's own browser may do. It fails if one of them gets a right, or the own browser doesn't.
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tests.firmware.start.local_users import KINDS, attack
from tests.scripts import say, script, skip


@script
def main(rounds: int, scratch: Path) -> Iterator[str]:
    if os.geteuid():
        skip("only root can become another user")
    for number, kind, who in product(range(rounds), KINDS, ("nobody", "forwarder", "computer")):
        gains = attack(scratch / f"{number} {kind} {who}", kind, who)
        told = f"{who}, {kind} table: {gains}"
        say(told)
        yield from [told] if (gains.rights > 0) != (who == "computer") else []
