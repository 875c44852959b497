"""Kill updates, starts and rollbacks, and fill their disk: `python -m tests.trust.updates 500 --disks 60`.

Each is killed before each operation: alone, with its child processes, or just after it has started a program;
or its disk is full once, or from then on. Then the table must start, as the old or the new version, and another
update must succeed. `--disks` fills real disks, with increasing free space; only root can mount them.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.storage.files import MEMORY
from tests.firmware.updates.full_disks import can_mount, fill_disks
from tests.firmware.updates.interrupted import SCENES, Interrupter, Interruption, faults
from tests.firmware.updates.small_releases import Upstream, make_key
from tests.trust.telling import finish, say, wishes

EVERY = 25  # kills between progress lines


def main() -> None:
    wish = wishes(__doc__, "kills", disks=0, seed=0)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        first = Upstream(Path(folder, "first"), make_key(Path(folder)))
        first.begin()
        struck = tuple(_strikes(Interrupter(Path(folder), first), wish.kills, Random(wish.seed)))
    disks = fill_disks(wish.disks) if wish.disks and can_mount() else ()
    for name, kills in (("kills", True), ("full disks", False)):
        say(f"{name}: {dict(Counter(strike.scene for strike in struck if is_kill(strike) == kills))}")
    places = len({(strike.scene, strike.fault.at) for strike in struck})
    say(f"ways: {dict(Counter(strike.fault.kind for strike in struck))}; before {places} different deeds")
    enough = sum(disk.was_enough for disk in disks)
    say(f"real disks that were full: {len(disks)}, of them with room enough: {enough}")
    finish(wrong=[each for each in (*struck, *disks) if each.wrong])


def _strikes(interrupter: Interrupter, kills: int, rng: Random) -> Iterator[Interruption]:
    killed = 0
    while killed < kills:
        every = [(scene, fault) for scene in SCENES for fault in faults(interrupter.deeds(scene), rng)]
        for scene, fault in rng.sample(every, len(every)):
            strike = interrupter.strike(scene, fault)
            if strike.was_struck:
                yield strike
                killed += is_kill(strike)
                if killed % EVERY == 0 and is_kill(strike):
                    say(f"{killed} kills")
            if killed >= kills:
                return


def is_kill(strike: Interruption) -> bool:
    return strike.fault.kind.startswith("kill")


if __name__ == "__main__":
    main()
