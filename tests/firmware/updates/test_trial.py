"""Before each start: a version on trial is counted, and left again if it doesn't come up."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.updates import trial
from firmware.updates.launcher import packed_guard, place_guard
from firmware.updates.layout import IN_PLACE, TRIES, Home, Update, read_record, write_record
from firmware.updates.state_copies import COPY, FORM_FILE
from firmware.updates.trial import prepare_start

NEW = Update("v0.2.0", "abc", IN_PLACE, "trial")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Make a home with two versions, the newer one on trial."""
    made = Home(tmp_path / "home")
    (made.versions / "v0.2.0").mkdir(parents=True)
    made.switch("v0.2.0")
    write_record(made, NEW)
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path / "state"
    made.mkdir()
    return made


def come_up(home: Home, state: Path) -> None:
    (state / "came-up").write_text(str(home.folder(home.current()).resolve()), encoding="utf-8")


def test_a_version_that_does_not_come_up_twice_is_left(home: Home, state: Path) -> None:
    (state / "starts.json").write_text('{"failed":2}', encoding="utf-8")
    # a sign from an earlier time proves nothing
    come_up(home, state)
    for _start in range(TRIES):
        assert prepare_start(home, state) == ()
        assert home.current() == "v0.2.0"
    assert prepare_start(home, state) == ("v0.2.0 didn't come up twice: the version before it runs again.",)
    assert home.current() == IN_PLACE
    # the program that tells people, and the old version isn't to blame for the new one's starts
    assert (state / "went-back").read_text(encoding="utf-8") == "v0.2.0"
    assert not (state / "starts.json").exists()
    assert prepare_start(home, state) == ()
    # where the version before is gone, the checkout runs
    write_record(home, Update("v0.2.0", "abc", "v0.1.5", "trial", TRIES))
    prepare_start(home, state)
    assert str(home.link.readlink()) == IN_PLACE


def test_a_version_that_comes_up_stays_whatever_happens_later(home: Home, state: Path) -> None:
    prepare_start(home, state)
    come_up(home, state)
    for _start in range(4):
        assert prepare_start(home, state) == ()
    assert home.current() == "v0.2.0"
    update = read_record(home)
    assert update is not None
    assert update.reached == "proven"


def test_a_version_that_cannot_be_counted_is_not_tried(
    home: Home, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_words: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(trial, "write_record", full)
    [told] = prepare_start(home, state)
    assert told == "v0.2.0 can't be tried (No space left on device): the version before it runs again."
    assert home.current() == IN_PLACE


def test_a_record_that_cannot_be_read_stops_no_start(home: Home, state: Path) -> None:
    for said in ("", "{", "[]", '{"version":1}', '{"version":"a","commit":"b","before":"c","tries":"x"}'):
        (home.versions / "update.json").write_text(said, encoding="utf-8")
        assert read_record(home) is None
        assert prepare_start(home, state) == ()


def test_going_back_over_a_change_of_form_takes_the_copy(home: Home, state: Path) -> None:
    (state / "links.json").write_text("new", encoding="utf-8")
    (state / FORM_FILE).write_text("2", encoding="utf-8")
    (state / f"{COPY}1").mkdir()
    (state / f"{COPY}1" / "links.json").write_text("old", encoding="utf-8")
    home.switch(IN_PLACE)
    [told] = prepare_start(home, state)
    assert told.startswith("This version can't read what newer ones have kept: that lies in ")
    assert (state / "links.json").read_text(encoding="utf-8") == "old"


# as it is called


def test_the_guard_needs_nothing_but_python(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.versions.mkdir()
    place_guard(home)
    command = (sys.executable, "-I", "-S", str(home.versions / "guard.pyz"), "guard", str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (home.versions / "guard.pyz").read_bytes() == packed_guard()
