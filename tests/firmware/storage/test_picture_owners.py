"""A restored backup may give a match's number again: pictures and clips are never those of another match."""

from pathlib import Path

import pytest

from firmware.start.pages.clip_door import ClipFiles
from firmware.start.pages.evidence_door import EvidenceFiles
from firmware.state_folder import EVIDENCE
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.forgetting import KeptEverywhere
from firmware.storage.forgotten_evening import KeptEvening, finish_forgetting, order_forgetting
from firmware.storage.journal import open_journal
from firmware.storage.picture_owners import note_beginning, part_pictures
from tests.firmware.storage.backups.tables import places_in
from tests.firmware.storage.test_forgotten_evening import match_at
from tests.webui.clips_kept import keep
from tests.webui.room import FakeStatus
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from webui.access.links_file import forget_in_file

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


def test_a_match_that_is_not_there_any_more_leaves_its_number(tmp_path: Path) -> None:
    note_beginning(tmp_path, 7, FIRST)
    keep_both(tmp_path, 7, 4)
    keep_both(tmp_path, 8, 4)
    part_pictures(tmp_path, [])
    note_beginning(tmp_path, 7, SECOND)
    note_beginning(tmp_path, 8, SECOND)
    assert shown(tmp_path, 7) == shown(tmp_path, 8) == ([], [])
    assert len(names(tmp_path)) == 6
    part_pictures(tmp_path, [(7, FIRST), (8, SECOND)])
    # of 8 nobody knew whose its pictures were
    assert (shown(tmp_path, 7), shown(tmp_path, 8)) == (([3], ["3"]), ([], []))


def test_what_an_earlier_version_kept_belongs_to_who_has_the_number(tmp_path: Path) -> None:
    keep_both(tmp_path, 1, 4)
    was = names(tmp_path)
    part_pictures(tmp_path, [(1, FIRST)])
    assert (names(tmp_path), shown(tmp_path, 1)) == (was, ([3], ["3"]))


def test_matches_without_a_beginning_keep_what_they_have(tmp_path: Path) -> None:
    keep_both(tmp_path, 1, 4)
    note_beginning(tmp_path, 1, "")
    part_pictures(tmp_path, [(1, "")])
    assert shown(tmp_path, 1) == ([3], ["3"])


@pytest.fixture(name="here")
def _here(tmp_path: Path) -> TablePlaces:
    return places_in(tmp_path)


def test_a_table_notes_each_match_that_begins(here: TablePlaces) -> None:
    with open_journal(here.journal) as opened:
        number = KeptEverywhere(opened.journal, here, forget_in_file).begin(match_at(FIRST, "Ana", "Bo"))
    keep_both(here.state, number, 4)
    part_pictures(here.state, [(number, SECOND)])
    assert shown(here.state, number) == ([], [])


def test_an_evening_that_is_forgotten_takes_along_what_lies_aside(here: TablePlaces, tmp_path: Path) -> None:
    note_beginning(here.state, 1, FIRST)
    keep_both(here.state, 1, 4)
    part_pictures(here.state, [(1, SECOND)])
    keep_both(here.state, 1, 9)
    order_forgetting(here.state, KeptEvening("2026-11-21", ((5, FIRST),)))
    finish_forgetting(here, tmp_path / "log.jsonl", forget_in_file)
    assert shown(here.state, 1) == ([8], ["8"])
    assert len(names(here.state)) == 3


def test_a_name_that_is_forgotten_takes_along_all_clips_that_lie_aside(here: TablePlaces) -> None:
    note_beginning(here.state, 3, FIRST)
    keep_both(here.state, 3, 4)
    part_pictures(here.state, [(3, SECOND)])
    with open_journal(here.journal) as opened:
        kept = KeptEverywhere(opened.journal, here, forget_in_file)
        kept.begin(match_at(SECOND, "Ana", "Bo"))
        kept.forget("Ana")
    assert not [name for name in names(here.state) if name.endswith(".clip")]
