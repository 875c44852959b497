"""`./run update` and rollback: build aside, then switch once; failures and kills change nothing."""

import fcntl
import os
import shutil
import sys
from pathlib import Path

import pytest

from firmware.updates import update as steps
from tests.firmware.updates.conftest import Updater
from tests.firmware.updates.faults import Fault, Kind
from tests.firmware.updates.interrupted import Interrupter, Scene
from tests.firmware.updates.small_releases import Checkout, Upstream, git
from tests.tiers import slow, tiered


def test_update_builds_aside_and_switches_last(upstream: Upstream, checkout: Checkout) -> None:
    upstream.release("v0.2.0")
    done = checkout.run("update")
    assert done.returncode == 0, done.stderr
    told = "v0.2.0 is next. It starts with the next ./run. Back again: ./run update back"
    assert done.stderr.splitlines()[-1] == told
    assert (checkout.version(), checkout.service_version()) == ("v0.2.0", "v0.2.0")
    # the checkout is unchanged
    assert (checkout.root / "version").read_text(encoding="utf-8") == "v0.1.0\n"
    assert git(checkout.root, "status", "--porcelain") == ""
    assert checkout.run("run").returncode == 0
    assert checkout.started() == ["v0.2.0"]
    assert checkout.run("update").stderr == "There is no newer version to take.\n"
    assert checkout.run("update", "back").returncode == 0
    assert (checkout.version(), checkout.service_version()) == ("v0.1.0", "v0.1.0")
    assert "no version before" in checkout.run("update", "back").stderr


def test_checkout_without_key_is_unchanged(checkout: Checkout, updater: Updater, upstream: Upstream) -> None:
    upstream.release("v0.2.0")
    (checkout.root / ".ci" / "release-keys").write_text("# none yet\n", encoding="utf-8")
    done = updater()
    assert (done.code, len(done.lines)) == (1, 1)
    assert done.lines[0].startswith("No update is taken: ")
    assert not checkout.versions.exists()


def test_only_running_and_rollback_versions_stay(
    upstream: Upstream, checkout: Checkout, updater: Updater, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.release("v0.2.0")
    assert updater().code == 0
    upstream.release("v0.3.0")
    # later versions build on it only once it was ready
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
    # the newest one is on trial: if it fails, the previous one is still available
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


def test_older_version_is_reached_only_by_rollback(
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
    # a version that ran may run again, though its earlier success proves nothing
    assert updater().code == 0
    assert checkout.service_version() == "v0.3.0"
    assert "hasn't come up yet" in updater().lines[0]


@pytest.mark.parametrize(
    ("flaw", "expected"),
    [
        ("cannot_be_set_up", "v0.2.0 could not be set up (see above): nothing was changed."),
        ("is_not_well", "v0.2.0 isn't well, nothing was changed: it reads no card"),
    ],
)
def test_failing_version_is_never_switched_to(
    upstream: Upstream, checkout: Checkout, updater: Updater, flaw: str, expected: str
) -> None:
    upstream.release("v0.2.0", **{flaw: "x"})
    done = updater()
    assert (done.code, done.lines[-1]) == (1, expected)
    assert checkout.service_version() == "v0.1.0"
    # all of it is removed: the table needs the space
    left = {path.name for path in checkout.versions.iterdir()}
    assert left.isdisjoint({"v0.2.0", "built", "trial", ".draft-checked"})


def test_concurrent_update_is_merged_and_other_users_is_rejected(checkout: Checkout, updater: Updater) -> None:
    checkout.versions.mkdir()
    with (checkout.versions / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert updater().lines == ("Another update is on its way: wait until it is done.",)
    assert updater().lines == ("There is no newer version to take.",)
    if os.geteuid() == 0:
        os.chown(checkout.root, 65534, 65534)
        told = f"{checkout.root} belongs to another user: update as that one, without sudo."
        assert updater().lines == (told,)


def test_build_before_kill_is_reused_unless_it_was_started(
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


# sources of releases


def test_impossible_source_is_rejected_in_one_line(
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


def test_mirror_or_usb_stick_of_another_user_is_accepted(
    upstream: Upstream, checkout: Checkout, updater: Updater, place: Path
) -> None:
    upstream.release("v0.2.0")
    git(upstream.folder, "bundle", "create", "--quiet", str(place / "coyote.bundle"), "main", "--tags")
    result = updater("--from", str(place / "coyote.bundle"))
    assert (result.code, checkout.service_version()) == (0, "v0.2.0"), result.lines
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
def test_interrupted_update_leaves_old_or_new_version(place: Path, first_release: Upstream) -> None:
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
