"""Fill or break the disk at the k-th operation: `python -m tests.trust.full_disk 200`, k = 1 to 200.

A whole companion plays while the journal's writes and syncs fail, with and without the fallback to memory. Then
all other stored files are tested. It fails if an unsaved answer counts, if lamp, voice or page don't report the
failure, or if an answer is refused that memory can hold.
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal

from tests.firmware.storage.faulty_disk import Fault
from tests.firmware.storage.kept_files import REPORTED, STORED, strike
from tests.firmware.table.unkept import FaultCounts, play_on_in_memory, play_past_fault
from tests.scripts import say, script

KINDS: tuple[Literal["write", "sync"], ...] = ("write", "sync")


@script
def main(last: int, scratch: Path) -> Iterator[object]:
    yield (figures := FaultCounts())
    os.environ["STATE_DIRECTORY"] = str(scratch)
    for play in (play_past_fault, play_on_in_memory):
        for first, kind, full in product(range(1, last + 1), KINDS, (True, False)):
            fault = Fault(first, 1 + first % 3, kind=kind, full=full)
            play(scratch / f"{play.__name__} {first} {kind} {full}", fault, figures)
    for name in REPORTED:
        (scratch / name).mkdir()
        strikes = list(strike(STORED[name], scratch / name, range(1, last + 1)))
        found = [f"{name}: {each}" for each in strikes if each.faults]
        say(f"{name}: {len(strikes)} failures, {len(found)} wrong")
        yield from found
