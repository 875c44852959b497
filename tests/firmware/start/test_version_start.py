"""What a start does for updates: a copy before a new form, and the sign that a version came up."""

from pathlib import Path

import pytest

from firmware.start import supervisor
from firmware.start.version_start import CODE, keep_older_form, note_came_up, went_back_sentences
from firmware.storage.errors import JournalError
from firmware.updates.trial import CAME_UP, WENT_BACK


def test_an_older_form_is_copied_before_the_table_writes(tmp_path: Path) -> None:
    state = tmp_path / "state"
    keep_older_form(state, 1)
    assert list(state.iterdir()) == []
    (state / "links.json").write_text("{}", encoding="utf-8")
    keep_older_form(state, 2)
    assert (state / "form-1" / "links.json").exists()


def test_without_a_copy_the_table_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "links.json").write_text("{}", encoding="utf-8")
    # what nobody can make room for
    (tmp_path / ".draft-form-1").touch()
    (tmp_path / "form").mkdir()
    with pytest.raises(JournalError):
        keep_older_form(tmp_path, 2)


def test_a_version_that_is_ready_says_so_once(tmp_path: Path) -> None:
    note_came_up(tmp_path)
    assert (tmp_path / CAME_UP).read_text(encoding="utf-8") == str(CODE)
    was = (tmp_path / CAME_UP).stat().st_ino
    note_came_up(tmp_path)
    assert (tmp_path / CAME_UP).stat().st_ino == was


def test_people_are_told_of_a_version_that_did_not_come_up_until_the_table_is_ready(tmp_path: Path) -> None:
    (tmp_path / WENT_BACK).write_text("v0.3.0", encoding="utf-8")
    told = ("The update to v0.3.0 didn't come up twice: the version before it plays on.",)
    assert went_back_sentences(tmp_path) == told
    note_came_up(tmp_path)
    assert went_back_sentences(tmp_path) == ()


def test_a_note_that_names_no_version_says_nothing(tmp_path: Path) -> None:
    (tmp_path / WENT_BACK).write_text("<script>", encoding="utf-8")
    assert went_back_sentences(tmp_path) == ()


def test_a_version_on_trial_has_one_life_until_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    started = supervisor.Supervisor([])
    assert started._may_help(supervisor.TRY_AGAIN, 1)
    monkeypatch.setenv(supervisor.TRIAL, "1")
    assert not started._may_help(supervisor.TRY_AGAIN, 1)
    started._was_ready = True
    assert started._may_help(supervisor.TRY_AGAIN, 9)
