"""The first update is made by version 0.1.0, in place, with its own scripts; the next ones lie side by side."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.updates.small_releases import ROOT, Checkout, Upstream, git

SCRIPTS = ROOT / "tests" / "fixtures" / "v0.1.0" / "scripts"
STAMP = """\
root=$1 made=$(python3 --version; cat "$1/requirements.lock" "$1/pyproject.toml" | cksum)
printf '%s' "$made" >"$1/.venv/.made-of-requirements.lock"
"""
"""What version 0.1.0 knows its environment by."""


@pytest.fixture
def upstream(place: Path, first_release: Upstream) -> Upstream:
    """Make version 0.1.0 with the scripts that it had, and the next one with ours."""
    made = first_release.copied(place / "upstream")
    git(made.folder, "tag", "--delete", "v0.1.0")
    ours = {name: (made.folder / name).read_text(encoding="utf-8") for name in ("run", ".ci/environment")}
    shutil.copytree(SCRIPTS, made.folder, dirs_exist_ok=True)
    for name in ("requirements.lock", "pyproject.toml"):
        made.write(name, "")
    made.release("v0.1.0")
    for name, text in ours.items():
        made.write(name, text)
    (made.folder / ".ci" / "updating").unlink()
    return made


@pytest.fixture
def checkout(place: Path, upstream: Upstream, first_release: Upstream) -> Checkout:
    """Check version 0.1.0 out, with an environment."""
    ready = Checkout(place, first_release.folder)
    git(ready.root, "remote", "set-url", "origin", str(upstream.folder))
    git(ready.root, "fetch", "--quiet", "--tags", "--force")
    git(ready.root, "checkout", "--quiet", "--force", "v0.1.0")
    subprocess.run(["/bin/sh", "-c", STAMP, "sh", str(ready.root)], check=True)
    ready.environ["COYOTE_MODEL"] = "/nowhere"
    assert ready.version() == "v0.1.0"
    return ready


def in_place(checkout: Checkout) -> str:
    """Tell what a service starts that was installed by version 0.1.0."""
    command = (str(checkout.root / ".venv" / "bin" / "coyote"), "--version")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_version_0_1_0_updates_in_place_and_the_next_one_side_by_side(
    upstream: Upstream, checkout: Checkout
) -> None:
    upstream.release("v0.2.0")
    done = checkout.run("update")
    assert done.returncode == 0, done.stderr
    assert (checkout.version(), in_place(checkout)) == ("v0.2.0", "v0.2.0")
    assert not (checkout.root / ".versions").exists()
    upstream.release("v0.3.0")
    done = checkout.run("update")
    assert done.returncode == 0, done.stderr
    assert (checkout.version(), checkout.service_version()) == ("v0.3.0", "v0.3.0")
    # where the service was installed by version 0.1.0, too
    assert in_place(checkout) == "v0.3.0"
    assert (checkout.root / "version").read_text(encoding="utf-8") == "v0.2.0\n"
    # two versions are enough
    checkout.come_up()
    assert checkout.run("update").stderr == "This is the newest version.\n"
    assert not (checkout.root / ".venv-before").exists()


def test_the_way_back_to_version_0_1_0_needs_no_network(upstream: Upstream, checkout: Checkout) -> None:
    upstream.release("v0.2.0")
    assert checkout.run("update").returncode == 0
    shutil.move(upstream.folder, upstream.folder.with_name("gone"))
    done = checkout.run("update", "back")
    assert (done.returncode, done.stderr) == (0, "Back at v0.1.0. It starts with the next ./run.\n")
    assert (checkout.version(), checkout.service_version(), in_place(checkout)) == ("v0.1.0",) * 3
    assert "no version before" in checkout.run("update", "back").stderr


def test_an_update_by_version_0_1_0_that_was_killed_is_ended_by_run(
    upstream: Upstream, checkout: Checkout
) -> None:
    upstream.release("v0.2.0")
    # as it is left between the checkout and the new environment
    (checkout.root / ".venv").rename(checkout.root / ".venv-before")
    git(checkout.root, "fetch", "--quiet", "--tags")
    git(checkout.root, "checkout", "--quiet", "v0.2.0")
    assert checkout.run("update").stderr.endswith("This is the newest version.\n")
    assert in_place(checkout) == "v0.2.0"
