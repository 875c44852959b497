"""What the table stands on: `python -m tests.trust.supply`; locks, the unit's exposure, play without a network.

It prints how many packages are pinned and hashed, what `systemd-analyze security` says of the unit, and what a
table that plays by itself said to the network. It fails if a package isn't hashed, or if a word goes farther
than this machine.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.cli.test_install_service import exposures
from tests.firmware.start.offline import played_offline
from tests.test_supply import LOCKS, pinned, unhashed

MOST, SECONDS = 10_000, 900.0


def main() -> None:
    """Look, print the figures, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    loose = [f"{lock}: {name}" for lock in LOCKS for name in unhashed(lock)]
    for lock in LOCKS:
        sys.stdout.write(f"{lock}: {len(pinned(lock))} packages, pinned and hashed\n")
    with TemporaryDirectory() as folder:
        sys.stdout.write(f"exposure of the units by systemd-analyze security: {exposures(Path(folder))}\n")
    with TemporaryDirectory() as folder:
        played = played_offline(Path(folder), MOST, SECONDS)
    alone = "with nobody else in the network" if played.is_alone else "with the usual network"
    sys.stdout.write(
        f"a match of {played.answers} answers {alone}; said to other machines: {len(played.far)}\n"
    )
    sys.stdout.write("".join(f"  {line}\n" for line in (*loose, *played.heard)))
    sys.exit(bool(loose or played.far) or not played.is_over)


if __name__ == "__main__":
    main()
