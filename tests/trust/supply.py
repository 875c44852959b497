"""Check dependencies, the unit's exposure, and play without a network: `python -m tests.trust.supply`.

It prints the number of pinned and hashed packages, the unit's rating by `systemd-analyze security`, and the
network traffic of a table that plays by itself. It fails if a package isn't hashed, or if traffic leaves this
machine.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.firmware.cli.unit_exposure import measure_exposures
from tests.firmware.start.offline import play_offline
from tests.lock_files import LOCKS, pinned_packages, unhashed_packages
from tests.scripts import say, script

MOST, SECONDS = 10_000, 900.0


@script
def main(scratch: Path) -> Iterator[str]:
    for lock in LOCKS:
        say(f"{lock}: {len(pinned_packages(lock))} packages, pinned and hashed")
        yield from (f"{lock}: {name}" for name in unhashed_packages(lock))
    (scratch / "units").mkdir()
    (scratch / "table").mkdir()
    say(f"exposure of the units by systemd-analyze security: {measure_exposures(scratch / 'units')}")
    played = play_offline(scratch / "table", MOST, SECONDS)
    alone = "without another machine in the network" if played.is_alone else "with the usual network"
    say(f"a match of {played.answers} answers {alone}; said to other machines: {len(played.far)}")
    for line in played.heard:
        say(f"  {line}")
    yield from [*played.far, *([] if played.is_over else ["the match isn't over"])]
