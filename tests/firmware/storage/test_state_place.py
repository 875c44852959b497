"""Where the state lives: on its disk, or in memory if nothing can be kept there; and back again."""

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.state_folder import state_directory
from firmware.storage import memory_state, state_place
from firmware.storage.cures import cures
from firmware.storage.errors import JournalError
from firmware.storage.files import journal_lock
from firmware.storage.journal import open_journal
from firmware.storage.memory_state import FILLED, memory_folder, take_back_memory
from firmware.storage.state_place import choose_place, journal_problem, place_in_memory, use_place, why_unsaved
from referee.contract import Answer
from referee.match import Match, hear
from referee.record import record_lines, with_names
from tests.firmware.board.senses.matches import bidden
from tests.firmware.playing import any_match, kept_lines, play_lines
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.faulty_files import Files, Struck
from vision.troubles import Problem

FULL = Problem("unsaved full")


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    monkeypatch.setattr(memory_state, "MEMORY", root)
    return root


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def journal_in(state: Path) -> Path:
    return state / "journal.sqlite3"


def environ_of(state: Path) -> dict[str, str]:
    return {"STATE_DIRECTORY": str(state)}


def begun(match: Match, when: str) -> Match:
    """Begin a match at a time, as every real one was."""
    return replace(match, setup=replace(match.setup, begun=when))


# where


def test_where_things_can_be_kept_the_state_is_at_home_and_nothing_is_left_behind(state: Path) -> None:
    place = choose_place(environ_of(state), journal_in(state))
    assert (place.state, place.journal, place.unsaved) == (state, journal_in(state), None)
    assert list(state.iterdir()) == []
    assert not place.is_lost()
    assert cures(place) == ()


@pytest.mark.parametrize(
    ("code", "key"),
    [
        (errno.ENOSPC, "unsaved full"),
        (errno.EDQUOT, "unsaved full"),
        (errno.EROFS, "unsaved read-only"),
        (errno.EACCES, "unsaved rights"),
        (errno.EIO, "unsaved broken"),
    ],
)
def test_why_nothing_can_be_kept_is_told_by_what_the_disk_says(state: Path, code: int, key: str) -> None:
    state.mkdir()
    for first in range(1, 9):
        struck = Struck(first, code=code)
        with Files(state, struck).watch_python():
            why = why_unsaved(environ_of(state), journal_in(state))
        if not struck.fired:
            assert why is None
            return
        assert why is not None
        assert why.key == key
    raise AssertionError("it never gets to its end")


def test_a_file_in_the_folders_place_is_told(state: Path) -> None:
    state.write_bytes(b"a file")
    place = choose_place(environ_of(state), journal_in(state))
    assert place.unsaved == Problem("unsaved folder")
    assert [step.key for step in cures(place)] == ["cure folder", "cure again"]


def test_a_user_without_a_home_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc/nowhere")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert why_unsaved({}, journal_in(state_directory({}))) == Problem("unsaved home")


def test_another_table_is_no_reason_to_play_in_memory(state: Path) -> None:
    state.mkdir()
    with journal_lock(journal_in(state)):
        assert choose_place(environ_of(state), journal_in(state)).unsaved is None
        assert journal_problem(JournalError("another table", path="x")) is None


def test_a_journal_that_cannot_be_used_is_a_reason() -> None:
    assert journal_problem(JournalError("journal disk full", path="x")) == FULL
    assert journal_problem(JournalError("newer journal", path="x")) == Problem("unsaved newer")
    assert journal_problem(JournalError("no log here", path="x")) == Problem(
        "unsaved broken", {"why": "no log here"}
    )


def test_a_pipe_in_the_journals_place_holds_no_start_up(state: Path) -> None:
    state.mkdir()
    os.mkfifo(journal_in(state))
    os.mkfifo(state / "journal.sqlite3.lock")
    assert choose_place(environ_of(state), journal_in(state)).unsaved is None


BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
LOOK = "import sys; from firmware.start.program import main; sys.argv = ['coyote', 'matches']; main()"


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root, and setpriv")
def test_a_folder_of_another_user_is_told_in_a_line(state: Path) -> None:
    table_in(state.parent / "other", "Ana")
    (state.parent / "other" / "state").rename(state)
    for path in (state, *state.rglob("*")):
        os.chown(path, 65534, 65534)
    state.chmod(0o700)
    bound = (
        "setpriv",
        "--bounding-set=-dac_override,-dac_read_search,-fowner",
        sys.executable,
        "-P",
        "-c",
        LOOK,
    )
    told = {**os.environ, **environ_of(state), "NOTIFY_SOCKET": "/nowhere"}
    said = subprocess.run(bound, env=told, capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert said.stderr.count("\n") == 1
    assert "can't be written; check whose they are" in said.stderr


# in memory


def test_what_can_be_read_goes_on_in_memory(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana", bidden(3, 5), bidden(7))
    place = place_in_memory(here.state, here.journal, FULL)
    assert place.state.parent == tmp_path / "memory"
    assert place.state.stat().st_mode & 0o777 == 0o700
    assert kept_lines(place.journal) == kept_lines(here.journal)
    for name in ("chosen.json", "table.json", "table.png", "links.json", "decks/Ana/deck.json"):
        assert (place.state / name).read_bytes() == (here.state / name).read_bytes()
    environ = environ_of(here.state)
    use_place(place, environ)
    assert state_directory(environ) == place.state


def test_of_a_journal_that_can_be_read_in_part_that_part_goes_on(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana", bidden(3, 5))
    here.journal.write_bytes(b"\0" * 100 + here.journal.read_bytes()[100:])
    place = place_in_memory(here.state, here.journal, FULL)
    with open_journal(place.journal) as opened:
        assert opened.journal.lines(1) == record_lines(bidden(3, 5))


def test_a_journal_of_a_newer_version_stays_where_it_is(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    assert not place_in_memory(here.state, here.journal, Problem("unsaved newer")).journal.exists()


def test_a_journal_that_is_too_large_for_memory_stays_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_state, "LARGEST", 100)
    here = table_in(tmp_path, "Ana")
    assert not place_in_memory(here.state, here.journal, FULL).journal.exists()


def test_another_user_can_lay_no_folder_there(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = memory_folder(state)
    folder.chmod(0o777)
    other = memory_folder(state)
    assert other != folder
    shutil.rmtree(other)
    monkeypatch.setattr(memory_state, "possible_folders", lambda _state: iter([folder]))
    with pytest.raises(JournalError, match="no memory"):
        memory_folder(state)


# and back


def test_a_table_that_is_killed_in_memory_goes_on_there_and_is_saved_once_that_can_be(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana", begun(bidden(3, 5), "one"))
    place, rng = place_in_memory(here.state, here.journal, FULL), Random(1)
    with open_journal(place.journal) as opened:
        match = hear(begun(bidden(3, 5), "one"), Answer(3, "announce", 8, 2))
        assert isinstance(match, Match)
        play_lines(opened.journal, 1, begun(bidden(3, 5), "one"), 5, rng)
        number = opened.journal.begin(begun(any_match(rng), "two"))
    (place.state / "links.json").write_text("new links")
    assert place_in_memory(here.state, here.journal, FULL) == place
    played = kept_lines(place.journal)
    assert number == 2
    told = take_back_memory(here.state, here.journal)
    assert told == (Problem("taken from memory", {"lines": 6, "matches": 2}),)
    assert kept_lines(here.journal) == played
    assert (here.state / "links.json").read_text() == "new links"
    assert not place.state.exists()
    assert take_back_memory(here.state, here.journal) == ()


def test_nothing_is_taken_back_while_a_table_plays_in_memory(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    place = place_in_memory(here.state, here.journal, FULL)
    with open_journal(place.journal):
        assert take_back_memory(here.state, here.journal) == ()
    assert (place.state / FILLED).exists()


def test_what_cannot_be_taken_back_stays_in_memory(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    place = place_in_memory(here.state, here.journal, FULL)
    (place.state / "links.json").write_text("new links")
    with Files(here.state, Struck(1, times=100)).watch_python():
        assert take_back_memory(here.state, here.journal) == ()
    assert (place.state / FILLED).exists()


def test_a_lock_that_is_held_is_seen(state: Path) -> None:
    state.mkdir()
    with journal_lock(journal_in(state)), (state / "journal.sqlite3.lock").open("rb") as file:
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        assert state_place._is_in_use(journal_in(state))


# what is taken in


def test_a_match_that_went_on_elsewhere_goes_on_and_others_are_added(tmp_path: Path) -> None:
    short, long = (record_lines(begun(bidden(*numbers), "one")) for numbers in ((3, 5), (3, 5, 8)))
    other, apart = (
        record_lines(begun(bidden(*numbers), when)) for numbers, when in (((9,), "two"), ((4,), "one"))
    )
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        journal = opened.journal
        assert journal.take_in([short]).lines == len(short)
        assert journal.take_in([long, other]).lines == len(other) + 1
        assert [journal.lines(1), journal.lines(2)] == [long, other]
        assert journal.take_in([short, long, other]).lines == 0
        # the same beginning, and then something else: both stay
        assert journal.take_in([apart]).matches == 1
        assert journal.lines(3) == apart
        assert journal.take_in([apart, long]).lines == 0


def test_names_that_were_forgotten_elsewhere_are_forgotten(tmp_path: Path) -> None:
    head, *rest = record_lines(begun(bidden(3, 5), "one"))
    renamed = with_names(head, ("Player 1", "Bo", "Chloé", "Dan"))
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.take_in([[head, *rest]])
        assert opened.journal.take_in([[renamed, *rest]]).lines == 0
        assert opened.journal.names() == ["Bo", "Chloé", "Dan", "Player 1"]


# what helps


def test_what_can_be_deleted_is_named_the_largest_first(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    (here.state / "before-0001-x").mkdir()
    (here.state / "before-0001-x" / "old").write_bytes(bytes(3_000_000))
    (here.state / "evidence").mkdir()
    (here.state / "evidence" / "1.000001.jpg").write_bytes(bytes(7_000_000))
    (here.state / "journal.sqlite3.damaged-0001-x").write_bytes(bytes(1_000_000))
    room, *steps, again = cures(place_in_memory(here.state, here.journal, FULL))
    assert (room.key, again.key) == ("cure room", "cure again")
    assert [(Path(str(step.values["path"])).name[:8], step.values["size"]) for step in steps] == [
        ("evidence", "7.0"),
        ("before-0", "3.0"),
        ("journal.", "1.0"),
    ]


@pytest.mark.parametrize("key", ["read-only", "broken", "rights", "home", "newer"])
def test_there_is_a_cure_for_everything(state: Path, key: str) -> None:
    place = place_in_memory(state, journal_in(state), Problem(f"unsaved {key}", {"why": "x"}))
    first, last = cures(place)
    is_card = key in {"read-only", "broken"}
    assert (first.key, last.key) == (("cure along", "cure card") if is_card else (f"cure {key}", "cure again"))
    assert "?" not in str(last.values.get("device", ""))
