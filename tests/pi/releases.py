"""Two versions of the program by a key of the box's own: what the card brings, and what it is updated to."""

import os
import subprocess
import sys
from pathlib import Path

from firmware.start.supervisor import PROGRAM
from tests.firmware.updates.small_releases import Upstream, allowed, git, make_key
from tests.pi.wifi import HOME, PASSWORD

ROOT = Path(__file__).resolve().parents[2]
NEXT = "v900.0.0"


def program(work: Path) -> Upstream:
    """Copy this checkout with a key that may sign releases of it."""
    folder = work / "program"
    subprocess.run(("git", "clone", "--quiet", str(ROOT), str(folder)), check=True)
    git(folder, "checkout", "--quiet", "-B", "main")
    copy = Upstream(folder, make_key(work))
    copy.write(".ci/release-keys", allowed(copy.key))
    copy.commit("the card's")
    return copy


def write_card(copy: Upstream, card: Path, wheels: Path) -> None:
    """Write the card as its owner does, who may log in by the key that signs releases, too."""
    network = ("--wifi", HOME, "--country", "US", "--ssh-key", f"{copy.key}.pub")
    subprocess.run(
        (sys.executable, "-P", "-c", PROGRAM, "table", "image", str(card), *network, "--wheels", str(wheels)),
        env={**os.environ, "PYTHONPATH": str(copy.folder)},
        input=f"{PASSWORD}\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def bundle(copy: Upstream, file: Path) -> None:
    """Release the next version, and bundle it as docs/updates.md says."""
    copy.release(NEXT)
    git(copy.folder, "bundle", "create", "--quiet", str(file), "main", "--tags")
