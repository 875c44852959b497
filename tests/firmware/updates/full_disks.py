"""Updates on a real, nearly full disk: a memory file system in a private mount namespace."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from firmware.updates import update as steps
from firmware.updates.layout import Home
from firmware.updates.tools import UpdateError
from firmware.updates.update import update
from tests.firmware.updates.faults import Fault, run_with_fault
from tests.firmware.updates.small_releases import Checkout, Upstream, clone, git, make_key

ALONE = ("unshare", "--mount", "--propagation", "private")
SIZE, PAGE = 64_000_000, 4096
MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"'


class FullDisk(Struct, frozen=True):
    """Free bytes, whether the update completed, and the faults afterwards."""

    free: int
    was_enough: bool
    wrong: str = ""


def can_mount() -> bool:
    return (
        os.geteuid() == 0 and subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0
    )


def fill_disks(times: int) -> tuple[FullDisk, ...]:
    with TemporaryDirectory() as folder, TemporaryDirectory() as place:
        mount = (*ALONE, "sh", "-c", MOUNT, "sh", str(SIZE), place)
        command = (*mount, sys.executable, "-m", __name__, place, folder, str(times))
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=tuple[FullDisk, ...])


def _update_on_full_disks(place: Path, folder: Path, times: int) -> Iterator[FullDisk]:
    first = Upstream(folder / "first", make_key(folder))
    first.begin()
    first.copied(folder / "next").release("v0.2.0")
    measured = _checkout(place / "measured", folder, first)
    before = _free(place)
    _update(measured)
    needed = int(1.2 * (before - _free(place)))
    for time in range(times):
        free = needed * time // max(1, times - 1) // PAGE * PAGE
        yield _updated_with(place / f"{time}", folder, first, free)


def _checkout(place: Path, folder: Path, first: Upstream) -> Checkout:
    """Check out the first version, with the state on another disk."""
    place.mkdir()
    checkout = clone(place, first)
    checkout.move_state(folder / f"state-{place.name}")
    git(checkout.root, "remote", "set-url", "origin", str(folder / "next"))
    return checkout


def _free(place: Path) -> int:
    said = os.statvfs(place)
    return said.f_bavail * said.f_frsize


def _update(checkout: Checkout) -> None:
    """Begin even though the disk is known to be too full."""

    def update_anyway() -> None:
        steps.MIN_FREE_BYTES = -SIZE  # type: ignore[misc]
        os.sync = lambda: None
        with suppress(UpdateError, OSError):
            update(Home(checkout.root), None)

    run_with_fault(update_anyway, Fault("kill", 0), checkout.environ)


def _updated_with(place: Path, folder: Path, first: Upstream, free: int) -> FullDisk:
    checkout = _checkout(place, folder, first)
    filler = place.parent / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, _free(place) - free))
    _update(checkout)
    told, version = checkout.run("run"), (checkout.started() or [""])[-1]
    wrong = (
        "" if told.returncode == 0 and version in {"v0.1.0", "v0.2.0"} else f"starts “{version}”: {told.stderr}"
    )
    filler.unlink()
    _update(checkout)
    if checkout.version() != "v0.2.0":
        wrong += " another update fails"
    shutil.rmtree(place)
    return FullDisk(free, version == "v0.2.0", wrong)


if __name__ == "__main__":
    results = tuple(_update_on_full_disks(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
    sys.stdout.buffer.write(msgspec.json.encode(results))
