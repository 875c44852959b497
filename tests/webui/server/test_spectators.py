"""Spectators who see the table late: nothing leaves that isn't old enough; who has a seat doesn't wait."""

from pathlib import Path
from random import Random

import pytest

from firmware.parts.photographs import KeptPicture
from firmware.storage.journal import open_journal
from firmware.table.door import TableSummary
from referee.games.catalogue import GAMES
from referee.match import moments
from referee.record import read_record
from referee.summaries import JournalMatch
from tests.given import Clock
from tests.referee.tables import after_any
from tests.tiers import slow, tiered
from tests.webui.fakes import Noted
from tests.webui.matches import play_match
from tests.webui.room import Room, events_of, room_with, said
from tests.webui.server.late_evenings import NAMES, STEPS, LateReport, let_wait, play_late_evening, what_is_seen
from webui.access.late_table import LateEvidence, LateHistory, LateTable


@slow("every page, late, beside a table that knows no more")
@pytest.mark.parametrize("name", tiered(["coyote", "coup-d-etat"], [*GAMES]))
def test_a_spectator_sees_what_a_table_of_some_minutes_ago_shows(name: str, tmp_path: Path) -> None:
    report = LateReport()
    play_late_evening(GAMES[name], tmp_path, Random(name), report)
    assert report.pages > STEPS
    assert report.early == []


@slow("every address, twice, with films")
def test_what_a_spectator_sees_at_any_address_is_the_same_whatever_is_answered_now(tmp_path: Path) -> None:
    seen = []
    for present in (5, 6):
        folder = tmp_path / str(present)
        folder.mkdir()
        with open_journal(folder / "journal.sqlite3") as opened:
            seen.append(what_is_seen(GAMES["coup"], folder, opened.journal, present))
    one, other = seen
    assert [each for each in one if one[each] != other[each]] == []
    assert len(one) > 100
    assert sum(code == 200 for code, _page in one.values()) > 40


def test_who_sits_at_the_table_sees_everything_at_once(tmp_path: Path) -> None:
    room = room_with(play_match(GAMES["coyote"], NAMES, moments=0), tmp_path, clock=Clock())
    let_wait(room, 30)
    seat, host = room.browser().sit(0), room.browser().host()
    match = after_any(room.door.match, Random(1))
    room.door.tell(match)
    drawn = f'data-moment="{match.number}"'
    for browser, pages in ((seat, ("/", "/seat", "/overlay")), (host, ("/", "/overlay"))):
        assert all(drawn in browser.get(page).text for page in pages)
    assert drawn not in room.browser().get("/").text
    assert "as it was 30 min ago" in room.browser().get("/history").text
    assert "as it was" not in seat.get("/").text


def test_a_listening_spectator_hears_each_moment_when_it_is_old_enough(tmp_path: Path) -> None:
    clock = Clock()
    match = play_match(GAMES["coyote"], NAMES, moments=0)
    room = room_with(match, tmp_path, clock=clock)
    let_wait(room, 5)
    with room.browser().get("/events/table") as response:
        heard = (
            event for event in events_of(response.iter_encoded()) if event["event"] in {"moment", "notice"}
        )
        assert f'"moment":{match.number}' in next(heard)["data"]
        for seed in range(3):
            match = after_any(match, Random(seed))
            room.door.tell(match)
            room.door.listeners[-1].news.put(said("a notice of now"))
            # the table looks once in a while
            room.browser().get("/table.json")
            clock.seconds += 200
        for later in list(moments(match))[2::-1][:1]:
            assert f'"moment":{later.number}' in next(heard)["data"]
        clock.seconds += 1000
        assert '"moment":2' in next(heard)["data"]


def late_table(room: Room, clock: Clock) -> LateTable:
    return LateTable(room.door, lambda: 5, clock)


def test_a_match_is_in_the_history_once_all_of_it_is_old_enough(tmp_path: Path) -> None:
    clock = Clock()
    room = room_with(play_match(GAMES["coup"], NAMES, moments=3), tmp_path)
    room.door.kept = TableSummary(7)
    table = late_table(room, clock)
    history = LateHistory(KEPT_MATCHES, table)
    assert [entry.number for entry in history.entries(0, 2)] == [6, 5]
    assert history.match(7) is None
    assert not history.lines(7)
    assert history.lines(6) == ["line"]
    clock.seconds += 301
    assert [entry.number for entry in history.entries()] == [7, 6, 5]
    assert history.lines(7) == ["line"]
    room.door.kept = TableSummary(8)
    room.door.tell(play_match(GAMES["coyote"], NAMES, moments=2))
    assert [entry.number for entry in history.entries()] == [7, 6, 5]


KEPT_MATCHES = Noted(
    entries=lambda _first=0, _last=0: [JournalMatch(number) for number in (7, 6, 5)],
    match=lambda number: read_record([f"line {number}"]),
    lines=lambda _number: ["line"],
)


def test_a_picture_is_seen_with_the_answer_that_rests_on_it(tmp_path: Path) -> None:
    clock = Clock()
    room = room_with(play_match(GAMES["coup"], NAMES, moments=3), tmp_path)
    table = late_table(room, clock)
    clock.seconds += 301
    room.door.tell(after_any(room.door.match, Random(1)))
    evidence = LateEvidence(KEPT_PICTURES, room.door, table)
    assert evidence.now().keys() == {1, 2}
    table.look()
    clock.seconds += 301
    assert evidence.now().keys() == {1, 2, 3}


KEPT_PICTURES = Noted(now=lambda: {number: KeptPicture(Path(f"{number}.jpg")) for number in (1, 2, 3)})
