"""Let the disk be full or broken at the k-th operation: `python -m tests.trust.full_disk 200`, k = 1 to 200.

Once for a whole companion that plays on while writes and syncs of the journal fail; and once for everything
else that is kept. It fails if something counts that isn't kept, or if lamp, voice or page don't say so.
"""

import argparse
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import msgspec

from tests.firmware.core.unkept import Unkept, play_past_fault
from tests.firmware.storage.faulty_disk import Fault
from tests.firmware.storage.kept_files import KEPT, TOLD, strike

KINDS: tuple[Literal["write", "sync"], ...] = ("write", "sync")


def main() -> None:
    """Fail, print the figures, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("last", type=int, help="up to which operation")
    wish = parser.parse_args()
    figures = Unkept()
    with TemporaryDirectory() as folder:
        for first, kind, full in product(range(1, wish.last + 1), KINDS, (True, False)):
            play_past_fault(
                Path(folder, f"{first} {kind} {full}"), Fault(kind, first, 1 + first % 3, full), figures
            )
    sys.stdout.write(f"a companion: {msgspec.json.encode(figures).decode()}\n")
    wrong = sum(_strike_each(name, wish.last) for name in TOLD)
    sys.exit(bool(figures.wrong) or wrong > 0)


def _strike_each(name: str, last: int) -> int:
    """Fail at each operation of what is kept, as far as there are so many; give how many were wrong."""
    with TemporaryDirectory() as folder:
        strikes = list(strike(KEPT[name], Path(folder), range(1, last + 1)))
    wrong = [each for each in strikes if each.wrong]
    sys.stdout.write(f"{name}: {len(strikes)} failures, {len(wrong)} wrong\n")
    sys.stdout.write("".join(f"  {each}\n" for each in wrong[:5]))
    sys.stdout.flush()
    return len(wrong)


if __name__ == "__main__":
    main()
