"""The location of the state: on its disk, or in memory if nothing can be stored there, and back."""

import errno
import os
import shutil
from pathlib import Path
from random import Random

import pytest

from firmware.language.speaking import problem_text
from firmware.state_folder import state_directory
from firmware.storage import files, memory_folders, state_place
from firmware.storage.errors import JournalError
from firmware.storage.files import journal_lock
from firmware.storage.journal import open_journal
from firmware.storage.state_place import choose_place, cures, mount_of, place_in_memory, take_back_memory
from referee.record import record_lines
from tests.firmware.board.inputs.matches import begun_at, bidden
from tests.firmware.playing import any_match, kept_lines, play_lines
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.faulty_files import FailingOperation, Files
from vision.troubles import Problem

DISK_FULL = Problem("unsaved full")


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    monkeypatch.setattr(memory_folders, "MEMORY", root)
    return root


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state"


def journal_in(state: Path) -> Path:
    return state / "journal.sqlite3"


# location


def test_writable_state_stays_on_disk_also_of_a_running_table(state: Path) -> None:
    place = choose_place(journal_in(state))
    assert (place.state, place.journal, place.unsaved) == (state, journal_in(state), None)
    assert cures(place) == ()
    assert list(state.iterdir()) == []
    with journal_lock(journal_in(state)):
        assert choose_place(journal_in(state)).unsaved is None
        assert state_place.journal_problem(JournalError("another table", path="x")) is None
    lock = files.beside(journal_in(state), ".lock")
    lock.unlink()
    os.mkfifo(lock)
    assert choose_place(journal_in(state)).unsaved is None


DISK_REASONS = {
    errno.ENOSPC: "unsaved full",
    errno.EDQUOT: "unsaved full",
    errno.EROFS: "unsaved read-only",
    errno.EACCES: "unsaved rights",
    errno.EIO: "unsaved broken",
}


@pytest.mark.parametrize("code", DISK_REASONS)
def test_reports_disks_reason(state: Path, code: int) -> None:
    state.mkdir()
    for first in range(1, 9):
        struck = FailingOperation(first, code=code)
        with Files(state, struck).watch_python():
            why = state_place.why_unsaved(journal_in(state))
        if not struck.fired:
            assert why is None
            return
        assert why is not None
        assert why.key == DISK_REASONS[code]
    raise AssertionError("it never gets to its end")


def test_reports_own_folder_closed_by_mode(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_folder: Path) -> None:
        # root may write nevertheless
        raise PermissionError(errno.EACCES, "Permission denied")

    state.mkdir()
    journal_in(state).touch(0o600)
    monkeypatch.setattr(state_place, "_try_folder", refuse)
    assert choose_place(journal_in(state)).unsaved == Problem("unsaved rights")
    for closed, mode in ((state, 0o555), (journal_in(state), 0o400)):
        before = closed.stat().st_mode
        closed.chmod(mode)
        place = choose_place(journal_in(state))
        assert place.unsaved == Problem("unsaved mode")
        assert cures(place)[0] == Problem("cure mode", {"paths": str(closed)})
        assert f"chmod u+rwX {closed}" in problem_text(cures(place)[0])
        closed.chmod(before)
    # if it doesn't exist yet, its parent folder
    monkeypatch.setenv("STATE_DIRECTORY", str(state / "deep" / "deeper"))
    state.chmod(0o500)
    assert state_place.closed_paths(state_directory(), state_directory() / "journal.sqlite3") == (state,)
    state.chmod(0o700)


# in memory


def test_readable_state_continues_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = table_in(tmp_path, "Ana", bidden(3, 5), bidden(7))
    beside = ("usb-buttons.json", "loudspeaker.json")
    for name in beside:
        (here.state / name).write_text("{}")
    place = place_in_memory(here.state, here.journal, DISK_FULL)
    assert place.state.parent == tmp_path / "memory"
    assert place.state.stat().st_mode & 0o777 == 0o700
    assert kept_lines(place.journal) == kept_lines(here.journal)
    for name in ("chosen.json", "table.json", "table.png", "links.json", "decks/Ana/deck.json", *beside):
        assert (place.state / name).read_bytes() == (here.state / name).read_bytes()
    monkeypatch.setenv("STATE_DIRECTORY", str(here.state))
    state_place.use_place(place)
    assert state_directory() == place.state


def test_ignores_other_users_memory_folder(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = memory_folders.memory_folder(state)
    folder.chmod(0o777)
    other = memory_folders.memory_folder(state)
    assert other != folder
    shutil.rmtree(other)
    monkeypatch.setattr(memory_folders, "possible_folders", lambda _state: iter([folder]))
    with pytest.raises(JournalError, match="no memory"):
        memory_folders.memory_folder(state)


# and back


def test_killed_table_continues_in_memory_and_is_saved(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana", begun_at(bidden(3, 5), "one"))
    place, rng = place_in_memory(here.state, here.journal, DISK_FULL), Random(1)
    with open_journal(place.journal) as opened:
        play_lines(opened.journal, 1, begun_at(bidden(3, 5), "one"), 5, rng)
        number = opened.journal.begin(begun_at(any_match(rng), "two"))
    (place.state / "links.json").write_text("new links")
    assert place_in_memory(here.state, here.journal, DISK_FULL) == place
    played = kept_lines(place.journal)
    assert number == 2
    notices = take_back_memory(here.state, here.journal)
    assert notices == (Problem("taken from memory", {"lines": 6, "matches": 2}),)
    assert kept_lines(here.journal) == played
    assert (here.state / "links.json").read_text() == "new links"
    assert not place.state.exists()
    assert take_back_memory(here.state, here.journal) == ()


def test_memory_is_not_saved_while_playing_or_impossible(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    place = place_in_memory(here.state, here.journal, DISK_FULL)
    with open_journal(place.journal):
        assert take_back_memory(here.state, here.journal) == ()
    (place.state / "links.json").write_text("new links")
    with Files(here.state, FailingOperation(1, times=100)).watch_python():
        assert take_back_memory(here.state, here.journal) == ()
    assert (place.state / state_place.FILLED).exists()


# imported matches


def test_imports_matches_continued_elsewhere(tmp_path: Path) -> None:
    short, long = (record_lines(begun_at(bidden(*numbers), "one")) for numbers in ((3, 5), (3, 5, 8)))
    other, apart = (
        record_lines(begun_at(bidden(*numbers), when)) for numbers, when in (((9,), "two"), ((4,), "one"))
    )
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        journal = opened.journal
        assert journal.take_in([short]).lines == len(short)
        assert journal.take_in([long, other]).lines == len(other) + 1
        assert [journal.lines(1), journal.lines(2)] == [long, other]
        assert journal.take_in([short, long, other]).lines == 0
        # same beginning, then different lines: both stay
        assert journal.take_in([apart]).matches == 1
        assert journal.lines(3) == apart
        assert journal.take_in([apart, long]).lines == 0


# remedies


def test_lists_deletable_files_by_size(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    (here.state / "before-0001-x").mkdir()
    (here.state / "before-0001-x" / "old").write_bytes(bytes(3_000_000))
    (here.state / "evidence").mkdir()
    (here.state / "evidence" / "1.000001.jpg").write_bytes(bytes(7_000_000))
    (here.state / "journal.sqlite3.damaged-0001-x").write_bytes(bytes(1_000_000))
    room, *steps, again = cures(place_in_memory(here.state, here.journal, DISK_FULL))
    assert (room.key, again.key) == ("cure room", "cure again")
    assert [(Path(str(step.values["path"])).name[:8], step.values["size"]) for step in steps] == [
        ("evidence", "7.0"),
        ("before-0", "3.0"),
        ("journal.", "1.0"),
    ]


MOUNTS = r"""
22 27 0:21 / / rw - ext4 /dev/root rw
41 22 8:1 / /mnt/MY\040DISK rw,nosuid - vfat /dev/sda1 rw
nonsense
46 22 0:30 / /run/user ro - tmpfs tmpfs ro
"""


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("/mnt/MY DISK/coyote", "sudo fsck /dev/sda1"),
        ("/run/user/coyote", "sudo mount -o remount,rw /run/user"),
    ],
    ids=["a disk", "memory"],
)
def test_read_only_disk_has_a_remedy_for_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, told: str
) -> None:
    monkeypatch.setattr(files, "MOUNTS", tmp_path / "mounts")
    assert mount_of(Path(folder)) == (Path("/"), "?")
    (tmp_path / "mounts").write_text(MOUNTS, encoding="utf-8")
    place = place_in_memory(Path(folder), Path(folder, "journal.sqlite3"), Problem("unsaved read-only"))
    steps = "\n".join(map(problem_text, cures(place)))
    assert told in steps
    assert ("fsck" in steps) == ("fsck" in told)
