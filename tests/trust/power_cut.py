"""Cut the power so many times for everything that is kept: `python -m tests.trust.power_cut 1000`.

What wasn't synced is dropped in any order, sectors are torn, names are lost. It fails if an acknowledged answer
is lost, or if anything is left that is neither as it was nor as it should be.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.firmware.storage.kept_files import KEPT, cut, perform_steps
from tests.firmware.storage.power_cuts import cut_power

WAYS = tuple((killed, syncs_fail) for killed in (0.0, 0.7) for syncs_fail in (False, True))


def main() -> None:
    """Cut, print the figures, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cuts", type=int, help="how many for each thing that is kept")
    parser.add_argument("--seed", type=int, default=0, help="of the moments and of what is left")
    wish = parser.parse_args()
    faults = 0
    for name in KEPT:
        faults += _cut_files(name, wish.cuts, wish.seed)
    faults += _cut_journal(wish.cuts, wish.seed)
    sys.exit(faults > 0)


def _cut_files(name: str, cuts: int, seed: int) -> int:
    with TemporaryDirectory() as folder:
        done = perform_steps(KEPT[name], Path(folder, "done"))
        wrong = list(cut(KEPT[name], done, cuts, Random(f"{seed} {name}"), Path(folder)))
    sys.stdout.write(
        f"{name}: {cuts} cuts, {len(wrong)} wrong\n" + "".join(f"  {each}\n" for each in wrong[:5])
    )
    sys.stdout.flush()
    return len(wrong)


def _cut_journal(cuts: int, seed: int) -> int:
    """Cut the journal's power: it raises what is wrong."""
    for number, (killed, syncs_fail) in enumerate(WAYS):
        with TemporaryDirectory() as folder:
            rng = Random(f"{seed} {number}")
            cut_power(Path(folder), cuts // len(WAYS), rng, killed=killed, syncs_fail=syncs_fail)
    sys.stdout.write(f"the journal: {cuts // len(WAYS) * len(WAYS)} cuts, 0 wrong\n")
    return 0


if __name__ == "__main__":
    main()
