"""Fill or break the disk at the k-th operation: `python -m tests.trust.full_disk 200`, k = 1 to 200.

A whole companion plays while the journal's writes and syncs fail, with and without the fallback to memory. Then
all other stored files are tested. It fails if an unsaved answer counts, if lamp, voice or page don't report the
failure, or if an answer is refused that memory can hold.
"""

import os
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from tests.firmware.storage.faulty_disk import Fault
from tests.firmware.storage.kept_files import REPORTED, STORED, strike
from tests.firmware.table.unkept import FaultCounts, play_on_in_memory, play_past_fault
from tests.trust.telling import finish, say, wishes

KINDS: tuple[Literal["write", "sync"], ...] = ("write", "sync")


def main() -> None:
    wish, figures, wrong = wishes(__doc__, "last"), FaultCounts(), list[str]()
    with TemporaryDirectory() as folder:
        for first, kind, full in product(range(1, wish.last + 1), KINDS, (True, False)):
            fault = Fault(first, 1 + first % 3, kind=kind, full=full)
            play_past_fault(Path(folder, f"{first} {kind} {full}"), fault, figures)
    with TemporaryDirectory() as folder:
        os.environ["STATE_DIRECTORY"] = folder
        for first, kind, full in product(range(1, wish.last + 1), KINDS, (True, False)):
            fault = Fault(first, 1 + first % 3, kind=kind, full=full)
            play_on_in_memory(Path(folder, f"{first} {kind} {full}"), fault, figures)
    for name in REPORTED:
        with TemporaryDirectory() as folder:
            strikes = list(strike(STORED[name], Path(folder), range(1, wish.last + 1)))
        found = [f"{name}: {each}" for each in strikes if each.wrong]
        say(f"{name}: {len(strikes)} failures, {len(found)} wrong")
        wrong += found
    finish(figures, wrong)


if __name__ == "__main__":
    main()
