"""Before each start: a version on trial is counted, and abandoned if it doesn't become ready."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from firmware.updates.layout import CURRENT, IN_PLACE, TRIAL, Home, Trial, find_trial, note_trial
from firmware.updates.state_copies import COPY, FORM_FILE
from firmware.updates.trial import TRIES, prepare_start
from firmware.updates.update import lay_out, packed_guard

NEW = Trial("v0.2.0", IN_PLACE)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Create a home with two versions, the newer one on trial."""
    made = Home(tmp_path / "home")
    (made.versions / "v0.2.0").mkdir(parents=True)
    made.switch("v0.2.0")
    note_trial(made, NEW)
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path / "state"
    made.mkdir()
    return made


def come_up(home: Home, state: Path) -> None:
    (state / "came-up").write_text(str(home.folder(home.current()).resolve()), encoding="utf-8")


def test_version_failing_twice_is_abandoned(home: Home, state: Path) -> None:
    (state / "starts.json").write_text('{"failed":2}', encoding="utf-8")
    for _start in range(TRIES):
        assert prepare_start(home, state) == ()
        assert home.current() == "v0.2.0"
    assert prepare_start(home, state) == ("v0.2.0 didn't come up twice: the version before it runs again.",)
    assert home.current() == IN_PLACE
    # the reporting program, and the old version isn't blamed for the new one's starts
    assert (state / "went-back").read_text(encoding="utf-8") == "v0.2.0"
    assert not (state / "starts.json").exists()
    assert prepare_start(home, state) == ()
    # if the previous version is missing, the checkout runs
    home.switch("v0.2.0")
    note_trial(home, Trial("v0.2.0", "v0.1.5", TRIES))
    prepare_start(home, state)
    assert str(home.folder(CURRENT).readlink()) == IN_PLACE


def test_version_once_ready_stays(home: Home, state: Path) -> None:
    prepare_start(home, state)
    come_up(home, state)
    for _start in range(4):
        assert prepare_start(home, state) == ()
    assert home.current() == "v0.2.0"
    assert find_trial(home) is None
    assert home.before() == IN_PLACE


def test_uncountable_version_is_not_tried(home: Home, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr("firmware.updates.layout.note_trial", Mock(side_effect=full))
    [told] = prepare_start(home, state)
    assert told == "v0.2.0 can't be tried (No space left on device): the version before it runs again."
    assert home.current() == IN_PLACE


def test_unreadable_record_blocks_no_start(home: Home, state: Path) -> None:
    for said in (b"", b"{}", b"v0.2.0", b"v0.2.0 .. x", b"v0.2.0 .. 1 1", b"v0.1.0 .. 1", bytes([255])):
        (home.versions / TRIAL).write_bytes(said)
        assert find_trial(home) is None
        assert prepare_start(home, state) == ()


def test_rollback_over_format_change_restores_copy(home: Home, state: Path) -> None:
    (state / "links.json").write_text("new", encoding="utf-8")
    (state / FORM_FILE).write_text("2", encoding="utf-8")
    (state / f"{COPY}1").mkdir()
    (state / f"{COPY}1" / "links.json").write_text("old", encoding="utf-8")
    home.switch(IN_PLACE)
    [told] = prepare_start(home, state)
    assert told.startswith("This version can't read what newer ones have kept: that lies in ")
    assert (state / "links.json").read_text(encoding="utf-8") == "old"


# by its command line


def test_guard_needs_only_python(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lay_out(home)
    command = (sys.executable, "-I", "-S", str(home.versions / "guard.pyz"), "guard", str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (home.versions / "guard.pyz").read_bytes() == packed_guard()
