"""`./run update` and back: beside what runs, then one switch; what fails or is killed changes nothing."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.updates import update as steps
from tests.firmware.updates.conftest import Updater
from tests.firmware.updates.faults import Fault, Kind
from tests.firmware.updates.interrupted import Interrupter, Scene
from tests.firmware.updates.small_releases import ROOT, Checkout, Upstream, git
from tests.tiers import slow, tiered


def test_an_update_builds_beside_what_runs_and_switches_last(upstream: Upstream, checkout: Checkout) -> None:
    upstream.release("v0.2.0")
    done = checkout.run("update")
    assert done.returncode == 0, done.stderr
    told = "v0.2.0 is next. It starts with the next ./run. Back again: ./run update back"
    assert done.stderr.splitlines()[-1] == told
    assert (checkout.version(), checkout.service_version()) == ("v0.2.0", "v0.2.0")
    # the checkout is left as it was
    assert (checkout.root / "version").read_text(encoding="utf-8") == "v0.1.0\n"
    assert git(checkout.root, "status", "--porcelain") == ""
    assert checkout.run("run").returncode == 0
    assert checkout.started() == ["v0.2.0"]
    assert checkout.run("update").stderr == "There is no newer version to take.\n"
    assert checkout.run("update", "back").returncode == 0
    assert (checkout.version(), checkout.service_version()) == ("v0.1.0", "v0.1.0")
    assert "no version before" in checkout.run("update", "back").stderr


def test_without_a_key_a_checkout_is_left_as_it_is(
    checkout: Checkout, updater: Updater, upstream: Upstream
) -> None:
    upstream.release("v0.2.0")
    (checkout.root / ".ci" / "release-keys").write_text("# none yet\n", encoding="utf-8")
    done = updater()
    assert (done.code, len(done.lines)) == (1, 1)
    assert done.lines[0].startswith("No update is taken: ")
    assert not checkout.versions.exists()


def test_only_the_versions_that_run_or_are_gone_back_to_stay(
    upstream: Upstream, checkout: Checkout, updater: Updater, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.release("v0.2.0")
    assert updater().code == 0
    upstream.release("v0.3.0")
    # it is built upon once it has come up only
    assert updater().lines == ("v0.2.0 hasn't come up yet: start the table, or ./run update back.",)
    checkout.come_up()
    with monkeypatch.context() as served:
        served.setattr(steps, "end_table", lambda _home: True)
        served.setattr(steps, "START_TIMEOUT", 0.0)
        served.setattr(steps, "sleep", lambda _seconds: pytest.fail("it waits longer than it may"))
        assert updater().lines[-1] == "v0.3.0 isn't up yet: journalctl -u coyote tells more."
    checkout.come_up()
    upstream.release("v0.4.0")
    assert updater().code == 0
    # the newest one is on trial: if it fails, there is still a way back from the one before
    assert {path.name for path in checkout.versions.glob("v*")} == {"v0.2.0", "v0.3.0", "v0.4.0"}
    assert [(updater("back").code, checkout.service_version()) for _time in range(2)] == [
        (0, "v0.3.0"),
        (0, "v0.2.0"),
    ]
    assert updater("back").lines == ("There is no version before this one.",)
    assert updater().code == 0
    checkout.come_up()
    assert updater().lines == ("There is no newer version to take.",)
    assert {path.name for path in checkout.versions.glob("v*")} == {"v0.2.0", "v0.4.0"}


def test_an_older_version_than_any_that_ran_is_reached_by_the_way_back_alone(
    upstream: Upstream, checkout: Checkout, updater: Updater, place: Path
) -> None:
    upstream.release("v0.2.0")
    older = upstream.copied(place / "older")
    upstream.release("v0.3.0")
    assert updater().code == 0
    checkout.come_up()
    assert updater("back").code == 0
    assert checkout.service_version() == "v0.1.0"
    passed = "v0.2.0 is older than v0.3.0, which ran here: it is passed over."
    assert updater("--from", str(older.folder)).lines == (passed, "There is no newer version to take.")
    # the one that ran may run again, though that it came up once proves nothing
    assert updater().code == 0
    assert checkout.service_version() == "v0.3.0"
    assert "hasn't come up yet" in updater().lines[0]


@pytest.mark.parametrize(
    ("flaw", "told"),
    [
        ("cannot_be_set_up", "v0.2.0 could not be set up (see above): nothing was changed."),
        ("is_not_well", "v0.2.0 isn't well, nothing was changed: it reads no card"),
    ],
)
def test_a_version_that_is_not_well_is_never_switched_to(
    upstream: Upstream, checkout: Checkout, updater: Updater, flaw: str, told: str
) -> None:
    upstream.release("v0.2.0", **{flaw: "x"})
    done = updater()
    assert (done.code, done.lines[-1]) == (1, told)
    assert checkout.service_version() == "v0.1.0"
    # all of it goes: the table needs the room
    left = {path.name for path in checkout.versions.iterdir()}
    assert left.isdisjoint({"v0.2.0", "built", "trial", ".draft-checked"})


def test_two_updates_at_once_are_one_and_another_users_is_none(checkout: Checkout, updater: Updater) -> None:
    checkout.versions.mkdir()
    with (checkout.versions / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert updater().lines == ("Another update is on its way: wait until it is done.",)
    assert updater().lines == ("There is no newer version to take.",)
    if os.geteuid() == 0:
        os.chown(checkout.root, 65534, 65534)
        told = f"{checkout.root} belongs to another user: update as that one, without sudo."
        assert updater().lines == (told,)


def test_what_was_built_before_a_kill_is_not_built_again_unless_it_was_started(
    upstream: Upstream, checkout: Checkout, updater: Updater, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.release("v0.2.0")
    with monkeypatch.context() as killed:
        killed.setattr(steps, "_check", lambda *_words: sys.exit(9))
        assert updater().code == 9
    assert checkout.service_version() == "v0.1.0"
    made = checkout.versions / "v0.2.0" / ".venv" / "done"
    before = made.stat().st_mtime_ns
    assert updater().code == 0
    assert (checkout.service_version(), made.stat().st_mtime_ns) == ("v0.2.0", before)
    assert (updater("back").code, updater().code) == (0, 0)
    assert made.stat().st_mtime_ns != before


# where releases come from


def test_where_releases_cannot_come_from_is_told_in_a_line(
    upstream: Upstream, checkout: Checkout, updater: Updater, place: Path
) -> None:
    upstream.release("v0.2.0")
    for folder, kind in ((place / "short" / "coyote.git", "--bare"), (place / "checkout", "--no-tags")):
        git(place, "clone", "--quiet", kind, "--depth=1", upstream.folder.as_uri(), str(folder))
    for name in ("none", "several"):
        (place / name).mkdir()
    for name in ("0.bundle", "1.bundle"):
        (place / "several" / name).touch()
    needed, lacks = "one repository (*.git) or bundle (*.bundle) is needed", "lacks its history: make it anew"
    # an option is no source
    told = {
        "none": needed,
        "several": needed,
        "short": lacks,
        "checkout": lacks,
        "--upload-pack=touch x": "fetched",
    }
    for source, why in told.items():
        [line] = updater(f"--from={source if source.startswith('-') else place / source}").lines
        assert why in line
    shutil.move(upstream.folder, place / "gone")
    [line] = updater().lines
    assert "can't be fetched: is the network, or the stick, there? (fatal: " in line
    git(checkout.root, "remote", "remove", "origin")
    assert updater().lines == ("This checkout has no origin: ./run update --from SOURCE",)
    assert checkout.service_version() == "v0.1.0"


def test_a_mirror_or_a_stick_will_do_that_may_belong_to_another_user(
    upstream: Upstream, checkout: Checkout, updater: Updater, place: Path
) -> None:
    upstream.release("v0.2.0")
    git(upstream.folder, "bundle", "create", "--quiet", str(place / "coyote.bundle"), "main", "--tags")
    told = updater("--from", str(place / "coyote.bundle"))
    assert (told.code, checkout.service_version()) == (0, "v0.2.0"), told.lines
    checkout.come_up()
    upstream.release("v0.3.0", needs_wheels="x")
    stick = place / "stick"
    git(upstream.folder, "clone", "--quiet", "--bare", ".", str(stick / "coyote.git"))
    if os.geteuid() == 0:
        for path in (stick, *stick.rglob("*")):
            os.chown(path, 65534, 65534)
    # with the packages beside it, no network is needed
    assert updater("--from", str(stick)).code == 1
    (stick / "wheels").mkdir()
    assert updater("--from", str(stick)).code == 0
    noted = checkout.versions / "v0.3.0" / ".venv" / "wheels"
    assert noted.read_text(encoding="utf-8").strip() == str(stick / "wheels")


@slow("releases, a checkout and updates that are killed, with the real scripts")
def test_an_update_that_is_broken_off_leaves_the_old_version_or_the_new_one(
    place: Path, first_release: Upstream
) -> None:
    interrupter = Interrupter(place, first_release)
    few: tuple[tuple[Scene, Kind, float], ...] = (
        ("first update", "kill", 0.6),
        ("update", "full", 0.5),
        ("last start", "kill all", 0.5),
    )
    for scene, kind, where in few[tiered(1, 0) :]:
        at = max(1, round(len(interrupter.deeds(scene)) * where))
        struck = interrupter.strike(scene, Fault(kind, at))
        assert struck.wrong == "", struck


SCRIPTS = ROOT / "tests" / "fixtures" / "v0.1.0" / "scripts"
STAMP = """\
root=$1 made=$(python3 --version; cat "$1/requirements.lock" "$1/pyproject.toml" | cksum)
printf '%s' "$made" >"$1/.venv/.made-of-requirements.lock"
"""
"""What version 0.1.0 knows its environment by."""


def old_checkout(place: Path, first_release: Upstream) -> tuple[Upstream, Checkout]:
    """Make version 0.1.0 with the scripts that it had, the next one with ours, and a checkout of the first."""
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
    ready = Checkout(place, first_release.folder)
    git(ready.root, "remote", "set-url", "origin", str(made.folder))
    git(ready.root, "fetch", "--quiet", "--tags", "--force")
    git(ready.root, "checkout", "--quiet", "--force", "v0.1.0")
    subprocess.run(["/bin/sh", "-c", STAMP, "sh", str(ready.root)], check=True)
    ready.environ["COYOTE_MODEL"] = "/nowhere"
    assert ready.version() == "v0.1.0"
    return made, ready


@slow("what people have installed is updated by the real scripts")
def test_version_0_1_0_updates_in_place_and_back_and_the_next_one_side_by_side(
    place: Path, first_release: Upstream
) -> None:
    upstream, checkout = old_checkout(place, first_release)
    # what a service starts that was installed by version 0.1.0
    service = [str(checkout.root / ".venv" / "bin" / "coyote"), "--version"]
    upstream.release("v0.2.0")
    assert checkout.run("update").returncode == 0
    # and back, without a network
    away = shutil.move(upstream.folder, place / "away")
    assert checkout.run("update", "back").stderr == "Back at v0.1.0. It starts with the next ./run.\n"
    shutil.move(away, upstream.folder)
    assert checkout.version() == subprocess.check_output(service, text=True).strip() == "v0.1.0"
    for version in ("v0.2.0", "v0.3.0"):
        if version == "v0.3.0":
            upstream.release(version)
        done = checkout.run("update")
        assert done.returncode == 0, done.stderr
        assert checkout.version() == subprocess.check_output(service, text=True).strip() == version
    assert checkout.service_version() == "v0.3.0"
    assert (checkout.root / "version").read_text(encoding="utf-8") == "v0.2.0\n"
    # two versions are enough
    checkout.come_up()
    assert checkout.run("update").stderr == "There is no newer version to take.\n"
    assert not (checkout.root / ".venv-before").exists()
