"""Simulate power cuts for every stored file: `python -m tests.trust.power_cut 1000`.

Unsynced writes are dropped in any order, sectors are torn, and file names are lost. It fails if an acknowledged
answer is lost, or if a file is in neither its old nor its new state.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from tests.firmware.storage.kept_files import STORED, cut_power_often, perform_steps
from tests.firmware.storage.power_cuts import cut_power
from tests.scripts import say, script

WAYS = tuple(product((0.0, 0.7), (False, True)))
"""The share of restarts by a kill, and whether syncs fail."""


@script
def main(cuts: int, scratch: Path, seed: int = 0) -> Iterator[str]:
    for name, kept in STORED.items():
        (folder := scratch / name).mkdir()
        done = perform_steps(kept, folder / "done")
        found = list(cut_power_often(kept, done, cuts, Random(f"{seed} {name}"), folder))
        say(f"{name}: {cuts} cuts, {len(found)} wrong")
        yield from (f"{name}: {each}" for each in found)
    for number, (killed, syncs_fail) in enumerate(WAYS):
        (folder := scratch / str(number)).mkdir()
        # raises an error on a fault
        cut_power(folder, cuts // len(WAYS), Random(f"{seed} {number}"), killed=killed, syncs_fail=syncs_fail)
    say(f"the journal: {cuts // len(WAYS) * len(WAYS)} cuts, 0 wrong")
