"""A name that is forgotten is nowhere any more, nor in copies; pictures are never those of another match."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from firmware.start.pages.clip_door import ClipFiles
from firmware.start.pages.evidence_door import EvidenceFiles
from firmware.state_folder import EVIDENCE, RESTORING
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.backups.placing import finish_restore
from firmware.storage.backups.unpacking import stage
from firmware.storage.errors import JournalError
from firmware.storage.files import beside, journal_lock
from firmware.storage.forgetting import KeptEverywhere, forget_in_copies, names_in_copies
from firmware.storage.forgotten_evening import KeptEvening, finish_forgetting, order_forgetting
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.picture_owners import note_beginning, part_pictures
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from tests.firmware.storage.backups.tables import backup_of, places_in, table_in
from tests.firmware.storage.test_forgotten_evening import match_at
from tests.webui.clips_kept import keep
from tests.webui.room import FakeStatus
from vision.process.clip_files import Clip, ClipFrame, keep_clip
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from webui.access.evening import Device, join_seat
from webui.access.links_file import LinksFile, forget_in_file, read_links

NAME, OTHER = "Wilhelmina", "Bo"


def played_by(*names: str) -> Match:
    match = begin(Setup(COYOTE, COYOTE.house(), names, begun=str(len("".join(names)))))
    assert isinstance(match, Match)
    return match


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    """A table that was restored twice, with a damaged journal, one set aside, and a backup that waits."""
    here = table_in(tmp_path / "here", "Ana", played_by(NAME, OTHER))
    file = backup_of(table_in(tmp_path / "there", "Zoe", played_by(OTHER, NAME)), tmp_path / "b.zip")
    for _time in range(2):
        stage(file, here)
        finish_restore(here)
    raw = here.journal.read_bytes()
    for ending in ("", "-wal"):
        beside(here.journal, f".damaged-0001-20261120-101500{ending}").write_bytes(raw[100:])
    (before,) = here.state.glob("before-0001-*")
    (before / "journal.sqlite3-2").write_bytes(raw)
    (before / "journal.sqlite3-wal-2").write_bytes(raw)
    stage(file, here)
    shutil.copytree(here.state / RESTORING, here.state / "set-aside-0001-x" / RESTORING)
    return here


def keep_links(file: Path) -> LinksFile:
    """Keep an evening at which the guest sits by phone."""
    file.parent.mkdir(parents=True, exist_ok=True)
    links, match = LinksFile(file), played_by(NAME, OTHER)
    links.change(lambda: match, lambda evening: join_seat(evening, 0, Device("phone"), "ABCDEF"))
    links.change(lambda: match, lambda evening: join_seat(evening, 1, Device("other"), "GHIJKL"))
    return links


def files_with(name: str, folder: Path) -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and name.encode() in path.read_bytes()
    ]


def test_it_is_in_no_file_any_more_and_all_else_is_as_it_was(here: TablePlaces) -> None:
    assert len(files_with(NAME, here.state)) >= 8
    assert NAME in names_in_copies(here)
    with open_journal(here.journal) as opened:
        assert KeptEverywhere(opened.journal, here, forget_in_file).forget(NAME.upper()).matches == 1
    assert files_with(NAME, here.state) == []
    assert set(names_in_copies(here)) == {OTHER, "Player 1"}
    assert not list(here.state.rglob("*.lock*/*"))
    for path in here.state.rglob("journal.sqlite3"):
        with open_readonly(path) as journal:
            assert journal.names() == [OTHER, "Player 1"]


def test_the_clips_of_their_matches_go_and_no_others(here: TablePlaces) -> None:
    with open_journal(here.journal) as opened:
        numbers = {opened.journal.begin(played_by(*names)): names for names in ((NAME, "Zed"), (OTHER, "Zed"))}
        folder = here.state / EVIDENCE
        for number in numbers:
            keep_clip(folder, Clip(str(number), 1, (ClipFrame(0, b"jpeg"),)))
        assert opened.journal.matches_of(NAME.upper())[-1:] == [next(iter(numbers))]
        KeptEverywhere(opened.journal, here, forget_in_file).forget(NAME)
    kept = [file.name.partition(".")[0] for file in folder.glob("*.clip")]
    assert kept == [str(number) for number, names in numbers.items() if NAME not in names]


def test_the_evening_forgets_and_so_does_what_lies_aside(here: TablePlaces) -> None:
    shutil.copytree(here.state, here.state.parent / "copy")
    for name in ("form-1", "newer-form-2-1"):
        shutil.copytree(here.state.parent / "copy", here.state / name)
        keep_links(here.state / name / "links.json")
    keep_links(here.state / "links.json")
    (here.state / "links.new").write_text(NAME, encoding="utf-8")
    for aside in ("links.set-aside-1.json", "set-aside-0001-x/links.json"):
        (here.state / aside).write_text(f"{{{NAME}", encoding="utf-8")
    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here, forget_in_file).forget(NAME.upper())
    assert files_with(NAME, here.state) == []
    evening = read_links(here.state / "links.json")
    assert evening is not None
    assert [person.name for person in evening.people] == [OTHER]


@contextmanager
def links_unwritable(_copy: Path) -> Iterator[None]:
    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("webui.access.links_file._write", fail)
        yield


@pytest.mark.parametrize("hinder", [links_unwritable, journal_lock])
def test_what_cannot_be_forgotten_is_told_and_may_be_tried_again(
    here: TablePlaces, hinder: Callable[[Path], AbstractContextManager[object]]
) -> None:
    keep_links(here.state / "links.json")
    (before,) = here.state.glob("before-0002-*/journal.sqlite3")
    with open_journal(here.journal) as opened:
        everywhere = KeptEverywhere(opened.journal, here, forget_in_file)
        with hinder(before), pytest.raises(JournalError):
            everywhere.forget(NAME)
        assert NAME in opened.journal.names()
        everywhere.forget(NAME)
    assert files_with(NAME, here.state) == []


def test_a_copy_that_is_damaged_is_mended_and_forgets_too(here: TablePlaces) -> None:
    (before,) = here.state.glob("before-0002-*/journal.sqlite3")
    before.write_bytes(b"\0" * 100 + before.read_bytes()[100:])
    forget_in_copies(here, NAME)
    assert files_with(NAME, here.state / "before-0002") == []
    assert not list(before.parent.glob("*.damaged-*"))


FIRST, SECOND = "2026-11-21T20:15:00.000123+01:00", "2026-11-22T20:15:00.000456+01:00"


def keep_both(state: Path, number: int, moment: int) -> None:
    """Keep a picture and a clip of an answer."""
    keep_evidence(state / EVIDENCE, b"picture", Sidecar(str(number), moment, Reading((), ())))
    keep(state, moment, match=str(number))


def shown(state: Path, number: int) -> tuple[list[int], list[str]]:
    """List what the pages show of a match: its pictures and its clips."""
    clips = ClipFiles(state / EVIDENCE, FakeStatus, lambda _order: None, lambda: 4, are_kept=True)
    return sorted(EvidenceFiles(state / EVIDENCE, FakeStatus).kept_of(number)), list(clips.names_of(number))


def names(state: Path) -> list[str]:
    return sorted(file.name for file in (state / EVIDENCE).iterdir())


def test_a_number_that_is_given_again_shows_nothing_of_the_other_match(tmp_path: Path) -> None:
    part_pictures(tmp_path, [(1, FIRST)])
    keep_both(tmp_path, 1, 4)
    was = names(tmp_path)
    # another start of the same table changes nothing
    part_pictures(tmp_path, [(1, FIRST)])
    assert (names(tmp_path), shown(tmp_path, 1)) == (was, ([3], ["3"]))
    part_pictures(tmp_path, [(1, SECOND)])
    assert shown(tmp_path, 1) == ([], [])
    # one of them is of the same moment
    keep_both(tmp_path, 1, 4)
    keep_both(tmp_path, 1, 9)
    assert shown(tmp_path, 1) == ([3, 8], ["3", "8"])
    # the first one comes back, and brings its own with it
    part_pictures(tmp_path, [(1, FIRST)])
    assert shown(tmp_path, 1) == ([3], ["3"])
    part_pictures(tmp_path, [(1, SECOND)])
    assert shown(tmp_path, 1) == ([3, 8], ["3", "8"])


@pytest.fixture
def empty(tmp_path: Path) -> TablePlaces:
    return places_in(tmp_path)


def test_a_table_notes_each_match_that_begins(empty: TablePlaces) -> None:
    with open_journal(empty.journal) as opened:
        number = KeptEverywhere(opened.journal, empty, forget_in_file).begin(match_at(FIRST, "Ana", "Bo"))
    keep_both(empty.state, number, 4)
    part_pictures(empty.state, [(number, SECOND)])
    assert shown(empty.state, number) == ([], [])


def test_an_evening_that_is_forgotten_takes_along_what_lies_aside(empty: TablePlaces, tmp_path: Path) -> None:
    note_beginning(empty.state, 1, FIRST)
    keep_both(empty.state, 1, 4)
    part_pictures(empty.state, [(1, SECOND)])
    keep_both(empty.state, 1, 9)
    order_forgetting(empty.state, KeptEvening("2026-11-21", ((5, FIRST),)))
    finish_forgetting(empty, tmp_path / "log.jsonl", forget_in_file)
    assert shown(empty.state, 1) == ([8], ["8"])
    assert len(names(empty.state)) == 3
