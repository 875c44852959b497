"""Kill updates, starts and ways back, and fill their disk: `python -m tests.trust.updates 500 --disks 60`.

Each is killed alone, with all that it has started, or a moment after it has started a program; or its disk is
full once, or from then on; before each of its deeds. Then the table has to start, as the old version or the new
one, and an update has to come to its end. With --disks, real disks are full, each with some bytes more that are
free; only root can mount those.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.storage.scratch import MEMORY
from tests.firmware.updates.faults import Fault
from tests.firmware.updates.full_disks import can_mount, fill_disks
from tests.firmware.updates.interrupted import SCENES, Interrupter, Scene, Strike, faults
from tests.firmware.updates.small_releases import Upstream, make_key

EVERY, MOST = 25, 20
"""Strikes after which a word is said about them; faults that are told at the end."""


def main() -> None:
    """Strike, print the figures, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, help="how many kills")
    parser.add_argument("--disks", type=int, default=0, help="how many real disks that are full")
    parser.add_argument("--seed", type=int, default=0, help="of the order")
    wish = parser.parse_args()
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        first = Upstream(Path(folder, "first"), make_key(Path(folder)))
        first.begin()
        struck = tuple(_strikes(Interrupter(Path(folder), first), wish.kills, Random(wish.seed)))
    disks = fill_disks(wish.disks) if wish.disks and can_mount() else ()
    sys.stdout.write("".join(f"{line}\n" for line in _figures(struck)))
    enough = sum(disk.was_enough for disk in disks)
    sys.stdout.write(f"real disks that were full: {len(disks)}, of them with room enough: {enough}\n")
    wrong = [str(each) for each in (*struck, *disks) if each.wrong]
    sys.stdout.write(f"wrong: {len(wrong)}\n" + "".join(f"  {each}\n" for each in wrong[:MOST]))
    sys.exit(bool(wrong))


def _strikes(interrupter: Interrupter, kills: int, rng: Random) -> Iterator[Strike]:
    """Strike until so many were killed."""
    killed = 0
    while killed < kills:
        for scene, fault in _shuffled(interrupter, rng):
            strike = interrupter.strike(scene, fault)
            if strike.was_struck:
                yield strike
                killed += is_kill(strike)
                if killed % EVERY == 0 and is_kill(strike):
                    sys.stderr.write(f"{killed} kills\n")
            if killed >= kills:
                return


def is_kill(strike: Strike) -> bool:
    """Tell a kill from a full disk."""
    return strike.fault.kind.startswith("kill")


def _shuffled(interrupter: Interrupter, rng: Random) -> Sequence[tuple[Scene, Fault]]:
    every = [(scene, fault) for scene in SCENES for fault in faults(interrupter.deeds(scene), rng)]
    return rng.sample(every, len(every))


def _figures(struck: Sequence[Strike]) -> Iterator[str]:
    kills = Counter(strike.scene for strike in struck if is_kill(strike))
    full = Counter(strike.scene for strike in struck if not is_kill(strike))
    ways = Counter(strike.fault.kind for strike in struck)
    places = len({(strike.scene, strike.fault.at) for strike in struck})
    yield f"kills: {_counts(kills)}"
    yield f"full disks: {_counts(full)}"
    yield f"ways: {_counts(ways)}; before {places} different deeds"


def _counts(counts: Counter[str]) -> str:
    return f"{counts.total()} ({', '.join(f'{name} {count}' for name, count in counts.most_common())})"


if __name__ == "__main__":
    main()
