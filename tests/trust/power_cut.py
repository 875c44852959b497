"""Simulate power cuts for every stored file: `python -m tests.trust.power_cut 1000`.

Unsynced writes are dropped in any order, sectors are torn, and file names are lost. It fails if an acknowledged
answer is lost, or if a file is in neither its old nor its new state.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.firmware.storage.kept_files import STORED, cut_power_often, perform_steps
from tests.firmware.storage.power_cuts import cut_power
from tests.trust.telling import finish, say, wishes

WAYS = tuple((killed, syncs_fail) for killed in (0.0, 0.7) for syncs_fail in (False, True))


def main() -> None:
    wish, wrong = wishes(__doc__, "cuts", seed=0), list[str]()
    for name, kept in STORED.items():
        with TemporaryDirectory() as folder:
            done = perform_steps(kept, Path(folder, "done"))
            found = list(cut_power_often(kept, done, wish.cuts, Random(f"{wish.seed} {name}"), Path(folder)))
        say(f"{name}: {wish.cuts} cuts, {len(found)} wrong")
        wrong += [f"{name}: {each}" for each in found]
    for number, (killed, syncs_fail) in enumerate(WAYS):
        with TemporaryDirectory() as folder:
            rng = Random(f"{wish.seed} {number}")
            # raises an error on a fault
            cut_power(Path(folder), wish.cuts // len(WAYS), rng, killed=killed, syncs_fail=syncs_fail)
    say(f"the journal: {wish.cuts // len(WAYS) * len(WAYS)} cuts, 0 wrong")
    finish(wrong=wrong)


if __name__ == "__main__":
    main()
