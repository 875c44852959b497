"""Lead tables from their own computer without the PIN: `python -m tests.trust.local_users 3`, as root.

Each round starts six tables. Another user, and whoever comes through a forwarder, request everything that the
computer's own browser may do. It fails if one of them gets a right, or the own browser doesn't.
"""

import os
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.local_users import KINDS, attack
from tests.trust.telling import SKIPPED, finish, say, wishes


def main() -> None:
    wish, wrong = wishes(__doc__, "rounds"), list[str]()
    if os.geteuid():
        say("only root can become another user")
        sys.exit(SKIPPED)
    for _round, kind, who in product(range(wish.rounds), KINDS, ("nobody", "forwarder", "computer")):
        with TemporaryDirectory() as folder:
            gains = attack(Path(folder), kind, who)
        told = f"{who}, {kind} table: {gains}"
        say(told)
        wrong += [told] if (gains.rights > 0) != (who == "computer") else []
    finish(wrong=wrong)


if __name__ == "__main__":
    main()
