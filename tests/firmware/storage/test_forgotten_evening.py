"""An evening that is forgotten is nowhere any more, wherever the power fails; all else is as it was."""

import os
import shutil
import signal
import sys
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.state_folder import EVIDENCE
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.club_outbox import read_outbox
from firmware.storage.files import beside
from firmware.storage.forgotten_evening import (
    evenings_in,
    finish_forgetting,
    order_forgetting,
    ordered_forgetting,
)
from firmware.storage.journal import open_journal, open_readonly
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from tests.firmware.storage.backups.tables import places_in
from tests.firmware.storage.second_copy.sticks_of_tests import Stick
from tests.tiers import slow, tiered
from vision.process.clip_files import Clip, ClipFrame, keep_clip
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from webui.access.evening import Device, join_seat
from webui.access.links_file import LinksFile, forget_in_file

DAY, OTHER_DAY = "2026-11-21", "2026-11-14"
GUEST, REGULAR = "Wilhelmina", "Bo"
BEGUN = tuple(f"{DAY}T2{hour}:15:00.000123+01:00" for hour in range(3))
"""What no file may have any more."""
LATE = "2026-11-22T01:30:00.000456+01:00"
"""It is the same evening still."""
EARLIER = f"{OTHER_DAY}T20:15:00.000789+01:00"


def match_at(begun: str, *names: str) -> Match:
    match = begin(Setup(COYOTE, COYOTE.house(), names, begun=begun))
    assert isinstance(match, Match)
    return match


def log_of(here: TablePlaces) -> Path:
    return here.state / "coyote.jsonl"


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return table_with_evenings(tmp_path)


def table_with_evenings(folder: Path) -> TablePlaces:
    """Set up a table with two evenings, their pictures, a log, people, and copies that lie aside."""
    here = places_in(folder)
    here.state.mkdir(parents=True)
    with open_journal(here.journal) as opened:
        opened.journal.begin(match_at(EARLIER, "Ana", REGULAR))
        for begun in (*BEGUN, LATE):
            opened.journal.begin(match_at(begun, GUEST, REGULAR))
    read_outbox(here.journal)
    for name in ("before-0001-x", "form-1"):
        (here.state / name).mkdir()
        shutil.copy(here.journal, here.state / name)
    shutil.copy(here.journal, beside(here.journal, ".damaged-0001-20261121-201500"))
    for number in (1, 2, 5):
        keep_evidence(here.state / EVIDENCE, b"a picture", Sidecar(str(number), 3, Reading(())))
        keep_clip(here.state / EVIDENCE, Clip(str(number), 3, (ClipFrame(0, b"a frame"),)))
    (here.state / EVIDENCE / "2.000003-2.jpg").write_bytes(b"a second look")
    links = LinksFile(here.state / "links.json")
    seated = match_at(LATE, GUEST, REGULAR)
    for seat in range(2):
        links.change(
            lambda: seated, lambda evening, seat=seat: join_seat(evening, seat, Device(str(seat)), "AB")
        )
    lines = [{"at": datetime.fromisoformat(each).timestamp(), "what": each} for each in (EARLIER, LATE)]
    log_of(here).write_bytes(b"no JSON\n" + b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return here


def order(here: TablePlaces, day: str = DAY) -> None:
    [evening] = [each for each in evenings_in(here.journal) if each.day == day]
    order_forgetting(here.state, evening)


def finish(here: TablePlaces) -> bool:
    return finish_forgetting(here, log_of(here), forget_in_file)


def traces(here: TablePlaces) -> list[str]:
    """List the files that have anything of the evening."""
    wanted = [each.encode() for each in (*BEGUN, LATE, GUEST)]
    files = sorted(path for path in here.state.rglob("*") if path.is_file())
    return [path.name for path in files if any(each in path.read_bytes() for each in wanted)]


def is_all_forgotten(here: TablePlaces) -> bool:
    """Tell whether the evening is gone, and the other is whole."""
    with open_readonly(here.journal) as journal:
        assert [(kept.id, EARLIER in kept.head) for kept in journal.matches()] == [(1, True)]
    pictures = {path.name for path in (here.state / EVIDENCE).iterdir()}
    assert pictures == {"1.000003.clip", "1.000003.jpg", "1.000003.json"}
    log = log_of(here).read_text()
    assert EARLIER in log
    assert "no JSON" in log
    assert REGULAR in (here.state / "links.json").read_text()
    return traces(here) == [] and ordered_forgetting(here.state) is None


def test_the_evenings_are_told_the_newest_first_with_who_came_only_then(here: TablePlaces) -> None:
    assert [(each.day, len(each.matches), each.names) for each in evenings_in(here.journal)] == [
        (DAY, 4, (GUEST,)),
        (OTHER_DAY, 1, ("Ana",)),
    ]
    assert evenings_in(here.state / "none.sqlite3") == ()


def test_it_is_in_no_file_any_more_and_the_other_evening_is_whole(here: TablePlaces) -> None:
    assert len(traces(here)) >= 6
    epoch = read_outbox(here.journal).epoch
    order(here)
    assert finish(here)
    assert is_all_forgotten(here)
    # places in the journal are given again: a club must not take other lines for those it knows
    assert read_outbox(here.journal).epoch != epoch


def killed_after(here: TablePlaces, calls: int) -> bool:
    """Forget in a process of its own that is killed at its n-th change of a file; tell whether it was."""
    child = os.fork()
    if child:
        _pid, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    left = calls

    def count(event: str, _values: object) -> None:
        nonlocal left
        if event in {"os.remove", "os.rename", "os.truncate", "open", "sqlite3.connect"}:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    finish(here)
    os._exit(0)


@slow("each kill needs a table of its own")
def test_killed_at_any_file_it_touches_it_is_finished_by_the_next_start(tmp_path: Path) -> None:
    points = 0
    for calls in range(0, 2000, tiered(6, 1)):
        here = table_with_evenings(tmp_path / str(calls))
        order(here)
        if not killed_after(here, calls):
            break
        points += 1
        assert finish(here)
        assert is_all_forgotten(here)
        shutil.rmtree(here.state)
    assert points > 5


def test_a_program_that_reads_meanwhile_leaves_it_to_the_next_start(here: TablePlaces) -> None:
    order(here)
    with open_readonly(here.journal) as reading:
        rows = iter(reading._db.execute("SELECT text FROM line"))
        next(rows)
        assert not finish(here)
        with open_readonly(here.journal) as journal:
            assert len(journal.matches()) == 1
        del rows
    # a match that begins meanwhile gets a number that was given before: its picture stays
    with open_journal(here.journal) as opened:
        number = opened.journal.begin(match_at("2026-11-22T20:00:00+01:00", "Ana", REGULAR))
    assert number == 2
    keep_evidence(here.state / EVIDENCE, b"a picture", Sidecar("2", 3, Reading(())))
    assert finish(here)
    assert traces(here) == []
    assert (here.state / EVIDENCE / "2.000003.jpg").exists()
    with open_readonly(here.journal) as journal:
        assert [kept.id for kept in journal.matches()] == [1, 2]


def test_a_stick_forgets_when_it_is_plugged_in_again(here: TablePlaces, tmp_path: Path) -> None:
    here.configuration.parent.mkdir(exist_ok=True)
    stick = Stick(tmp_path / "stick", here)
    for day in (1, 2, 3):
        stick.use(day)
        with open_journal(here.journal) as opened:
            opened.journal.begin(match_at(f"2026-10-0{day}T20:00:00+02:00", "Ana", REGULAR))
    order(here)
    assert finish(here)
    assert stick.copy(4).trouble is None
    [home] = (tmp_path / "stick" / "coyote-table").glob("*/nightly")
    copies = sorted(home.glob("*.zip"))
    assert len(copies) == 3
    for copy in copies:
        folder = tmp_path / copy.stem
        shutil.unpack_archive(copy, folder)
        with open_readonly(folder / "journal.sqlite3") as journal:
            assert not any(DAY in kept.head or LATE in kept.head for kept in journal.matches())
        assert not any(each.encode() in (folder / "journal.sqlite3").read_bytes() for each in (*BEGUN, GUEST))


@settings(max_examples=tiered(15, 200))
@given(st.lists(st.sampled_from([*BEGUN, LATE, EARLIER, ""]), max_size=12))
def test_the_journal_keeps_each_other_match_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, begun: list[str]
) -> None:
    here = places_in(tmp_path_factory.mktemp("table"))
    here.state.mkdir(parents=True)
    with open_journal(here.journal) as opened:
        for each in begun:
            opened.journal.begin(match_at(each, GUEST if each not in {EARLIER, ""} else "Ana", REGULAR))
        before = {kept.id: kept for kept in opened.journal.matches()}
    gone = {number for number, each in enumerate(begun, start=1) if each in {*BEGUN, LATE}}
    if gone:
        order(here)
    assert finish(here)
    with open_journal(here.journal) as opened:
        assert opened.aside is None
        assert opened.saved_lines == 0
        after = {kept.id: kept for kept in opened.journal.matches()}
    assert after == {number: kept for number, kept in before.items() if number not in gone}
    assert traces(here) == []
