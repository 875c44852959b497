"""The history's pages: matches, charts, statistics, exports, and a name that goes."""

import csv
import json
import re
from collections.abc import Iterator
from concurrent.futures import Future
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import Journal, open_journal
from firmware.storage.match_history import History
from firmware.storage.sealed_lines import SealedLine, insert
from hardware.twin.player import any_answer, play_on
from referee.contract import Game, StatisticsRules
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, Step, enter
from referee.record import ParsedRecord, read_record, record_lines
from referee.summaries import summary_of
from tests.referee.read_cards import READ, called_match
from tests.referee.tables import new_match, outer_tables
from tests.webui.access.sealing import CANARY, seal_match, unseal
from tests.webui.matches import NAMES, play_match
from tests.webui.room import FakeDoor, Room, hidden_fields, match_of, room_with, unlimited_attempts
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.drawing.charts import DASHES, SHAPES, Series, chart_of
from webui.pages.history import PAGE
from webui.server.app import create_app

PAGES = ("/history", "/history/1", "/history/2", "/history/3", "/history/4", "/statistics")


class Shelf:
    """A room whose table keeps its matches."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        """Keep a match of each game, and one that is open."""
        self.journal, self.answer = journal, None
        for name in ("coyote", "coup", "coup-d-etat"):
            journal.begin(play_match(GAMES[name]))
        journal.begin(play_match(GAMES["coyote"], moments=9))
        self.history = History(folder / "journal.sqlite3", self.forget)
        door, links_file = FakeDoor(match_of()), LinksFile(folder / "links.json")
        spoken = room_with(match_of(), folder)
        services = Services(
            door,
            links_file,
            languages_of(),
            "en",
            lambda told, _who: f"told: {told}",
            lambda: "",
            history=self.history,
        )
        self.room = replace(
            spoken, door=door, links_file=links_file, app=create_app(services, unlimited_attempts())
        )
        self.settle()

    def settle(self) -> None:
        """Have all matches read."""
        self.history.all()

    def forget(self, name: str) -> "Future[Any]":
        """Do as the companion does."""
        future: Future[Any] = Future()
        future.set_result(self.answer or self.journal.forget(name))
        return future


def languages_of() -> dict[str, Any]:
    return {code: language(code) for code in languages()}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        yield Shelf(tmp_path, opened.journal)


@pytest.fixture
def history_room(shelf: Shelf) -> Room:
    return shelf.room


# pages


def test_without_a_history_there_is_a_line_that_says_so(room: Room) -> None:
    assert "No matches yet." in room.browser().get("/history").text
    assert "No finished matches here yet." in room.browser().get("/statistics").text
    assert room.browser().get("/history/1").status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_guarded_and_escaped(history_room: Room, page: str) -> None:
    response = history_room.browser().get(page)
    assert response.status_code == 200
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not re.search(r"<[^>]*\s(style|on\w+)=", response.text)
    assert "<script" not in response.text
    assert "<b>" not in response.text
    assert 'aria-current="page">History' in response.text


def test_matches_are_listed_newest_first_and_open_ones_marked(history_room: Room) -> None:
    page = history_room.browser().get("/history").text
    assert re.findall(r"Match (\d)", page) == ["4", "3", "2", "1"]
    assert page.count("▶ unfinished") == 1
    assert page.count("Won by") == 3
    assert "2026-01-02 20:00" in page
    assert "=Ana, Bo, Chloé &lt;b&gt;" in page


def test_many_matches_are_turned_over_page_by_page(shelf: Shelf) -> None:
    match = play_match(GAMES["coyote"])
    for _match in range(2 * PAGE):
        shelf.journal.begin(match)
    browser = shelf.room.browser()
    pages = [browser.get(f"/history?page={number}").text for number in (1, 2, 3)]
    listed = [number for page in pages for number in re.findall(r'href="/history/(\d+)"', page)]
    assert listed == [str(number) for number in range(2 * PAGE + 4, 0, -1)]
    assert "Page 2 of 3" in pages[1]
    for wrong in ("0", "4", "99999999999"):
        assert browser.get(f"/history?page={wrong}").status_code in (200, 404)
    for wrong in ("x", "-1", "²", ""):
        assert browser.get(f"/history?page={wrong}").text == pages[0]


def test_a_match_is_told_round_by_round_with_its_figures(history_room: Room) -> None:
    page = history_room.browser().get("/history/1").text
    for words in (
        "Won by",
        "Round by round",
        "Announced and revealed",
        "Marks taken",
        "calls Coyote!",
        "started.",
    ):
        assert words in page, words
    assert page.count("<summary>Round ") == summary_of(play_match(GAMES["coyote"])).rounds


def test_an_open_match_is_told_so_far(history_room: Room) -> None:
    page = history_room.browser().get("/history/4").text
    assert "Standings so far" in page
    assert "bgstats" not in page
    assert "/history/4.jsonl" not in page


def test_charts_are_well_formed_named_and_have_their_figures_beside_them(history_room: Room) -> None:
    page = history_room.browser().get("/history/2").text
    drawn = re.findall(r'<svg viewBox="0 0 480.*?</svg>', page, re.DOTALL)
    assert len(drawn) == 2
    for each in drawn:
        svg = ET.fromstring(each)  # noqa: S314 - it is our own
        title, told = svg[0], svg[1]
        assert (title.tag, told.tag) == ("title", "desc")
        assert svg.attrib["aria-labelledby"] == f"{title.attrib['id']} {told.attrib['id']}"
        assert title.text
        assert told.text
    assert page.count("Show as a table") == 2


def test_what_there_is_not_is_not_found(history_room: Room) -> None:
    for page in ("/history/99", "/history/0", "/history/99.json", "/history/99.jsonl", f"/history/{10**30}"):
        assert history_room.browser().get(page).status_code == 404, page


def test_statistics_are_filtered(history_room: Room) -> None:
    browser = history_room.browser()
    everything = browser.get("/statistics").text
    for words in ("All games", "Coup d&#39;État", "Bluffs among the claims challenged", "Win rate"):
        assert words in everything, words
    coup = browser.get("/statistics?game=coup").text
    assert "Claims caught" in coup
    assert "Contracts made" not in coup
    bo = browser.get("/statistics?player=bo").text
    assert '<th scope="row">Bo</th>' in bo
    assert '<th scope="row">=Ana</th>' not in bo
    for strange in ("game=x", "player=Zo%C3%AB", "game=%00&player=%ff", "player=" + "x" * 3000):
        assert "No finished matches here yet." in browser.get(f"/statistics?{strange}").text


def test_what_the_camera_read_is_told_deck_by_deck(shelf: Shelf) -> None:
    browser = shelf.room.browser()
    assert "What the camera has read" not in browser.get("/statistics").text
    wrong = Correct(5, 4, ("5", "10", "0"))
    shelf.journal.begin(called_match(READ, wrong, begun="2026-11-01T20:00:00+01:00"))
    shelf.journal.begin(called_match(READ, begun="2026-11-02T20:00:00+01:00"))
    shelf.settle()
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', browser.get("/statistics?game=coyote").text)
    cells = {name: re.findall("<td>(.*?)</td>", more) for name, more in rows}
    assert cells["Coyote Kidult"] == ["6", "1 (1 in 6)", "1 in 1"]
    assert cells["On 2026-11-02"] == ["3", "0", "1 in 1"]
    for others in ("game=coup", "player=bo"):
        assert "What the camera has read" not in browser.get(f"/statistics?{others}").text


def test_a_match_that_is_damaged_is_one_line(shelf: Shelf) -> None:
    lines = [*record_lines(play_match(GAMES["coyote"]))[:9], "{"]
    for number, text in enumerate(lines):
        insert(shelf.journal._db, SealedLine(5, number, text))
    listed = shelf.room.browser().get("/history").text
    assert listed.count("Damaged from line 10; everything before it is intact.") == 1
    assert "Damaged from line 10" in shelf.room.browser().get("/history/5").text
    assert {row["match"] for row in rows_of(shelf.room)} == set("12345")


def test_a_journal_that_cannot_be_read_is_told(history_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise OSError("the disk is asleep; wake it")

    monkeypatch.setattr("firmware.storage.match_history.open_readonly", refuse)
    for page in (*PAGES, "/history.csv", "/history.json"):
        response = history_room.browser().get(page)
        assert response.status_code == 503
        assert "the disk is asleep; wake it" in response.text


def test_pages_speak_french_too(history_room: Room) -> None:
    for page in PAGES:
        assert '<html lang="fr">' in history_room.browser().get(page, {"Accept-Language": "fr"}).text
    assert (
        "Partie 1\N{NO-BREAK SPACE}: Coyote"
        in history_room.browser().get("/history/1", {"Accept-Language": "fr"}).text
    )


# what is hidden


@outer_tables
def test_a_match_is_shown_as_a_spectator_sees_it(game: Game, rules: str, seats: int, tmp_path: Path) -> None:
    rng, viewers = Random(f"{rules} {seats}"), set[int | None]()
    match = new_match(game, rules, seats)
    while match.asks and match.number < 60:
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after
    shut = seal_back(match, viewers)

    class One:
        """A history of this match alone."""

        def match(self, _number: int) -> ParsedRecord:
            """Give it."""
            return ParsedRecord(shut)

    past: Any = One()
    room = room_with(match, tmp_path)
    services = Services(room.door, room.links_file, languages_of(), "en", str, lambda: "", history=past)
    browser = create_app(services, unlimited_attempts()).test_client()
    for page in ("/history/1", "/history/1.json"):
        response = browser.get(page)
        assert response.status_code == 200
        assert CANARY not in response.text
    assert viewers == {None}


def seal_back(match: Match, viewers: set[int | None]) -> Match:
    """Seal every state of a match, also those that its answers lead back to."""
    shut = seal_match(match, viewers)
    return replace(shut, position=_seal_position(match.position, viewers, type(shut.state)))


def _seal_position(position: Any, viewers: set[int | None], seal: Any) -> Any:
    sealed = replace(position, state=seal(unseal(position.state)))
    if not isinstance(position, Step):
        return sealed
    return replace(sealed, before=_seal_position(position.before, viewers, seal))


# exports


def rows_of(room: Room) -> list[dict[str, str]]:
    text = room.browser().get("/history.csv").data.decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text)))


def test_the_table_opens_in_a_spreadsheet_without_running_anything(history_room: Room) -> None:
    response = history_room.browser().get("/history.csv")
    assert response.mimetype == "text/csv"
    assert "attachment" in response.headers["Content-Disposition"]
    rows = rows_of(history_room)
    assert len(rows) == 12
    assert {row["player"] for row in rows} == {"'=Ana", "Bo", "Chloé <b>"}
    for row in rows:
        for text in row.values():
            assert not text.startswith(("=", "+", "@"))
            assert not text.startswith("-") or text[1:].isdigit()
    assert sum(int(row["won"]) for row in rows) == 3
    assert {row["over"] for row in rows if row["match"] == "4"} == {"0"}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "=cmd|' /C calc'!A0"])
def test_no_name_is_a_formula(shelf: Shelf, name: str) -> None:
    shelf.journal.begin(play_match(GAMES["coyote"], (name, "Bo")))
    shelf.settle()
    assert f"'{name}" in {row["player"] for row in rows_of(shelf.room)}


def test_the_data_are_the_matches(history_room: Room) -> None:
    matches = json.loads(history_room.browser().get("/history.json").data)["matches"]
    assert [match["match"] for match in matches] == [4, 3, 2, 1]
    assert [match["over"] for match in matches] == [False, True, True, True]
    one = json.loads(history_room.browser().get("/history/1.json").data)
    assert {key: one[key] for key in matches[3]} == matches[3]
    assert len(one["story"]) == one["rounds"]
    assert all(each["told"] for each in one["story"])


def test_the_record_of_a_match_plays_again(shelf: Shelf) -> None:
    response = shelf.room.browser().get("/history/3.jsonl")
    reading = read_record(response.data.decode().splitlines())
    assert reading.fault is None
    assert reading.match is not None
    assert summary_of(reading.match) == summary_of(play_match(GAMES["coup-d-etat"]))
    assert shelf.room.browser().get("/history/4.jsonl").status_code == 404


def test_files_wait_until_all_has_been_read(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.journal.begin(play_match(GAMES["coyote"]))
    monkeypatch.setattr(History, "_read_on", lambda _self: None)
    for page in ("/history.csv", "/history.json"):
        response = shelf.room.browser().get(page)
        assert response.status_code == 503
        assert response.headers["Retry-After"]
        assert "Matches not read yet: 1." in response.text
    assert "Matches not read yet: 1." in shelf.room.browser().get("/statistics").text


def test_a_match_is_handed_over_to_bg_stats(history_room: Room) -> None:
    page = history_room.browser().get("/history/3").text
    (address,) = re.findall(r'href="(https://app\.bgstatsapp\.com/createPlay\.html\?data=[^"]*)"', page)
    assert re.fullmatch(r"[\w%.~-]*", address.split("data=")[1])
    play = json.loads(unquote(address.split("data=")[1]))
    summary = summary_of(play_match(GAMES["coup-d-etat"]))
    assert (play["sourceName"], play["playDate"]) == ("Coyote Table", "2026-01-02 19:00:00")
    assert play["game"] == {
        "name": "Coup d'État",
        "sourceGameId": "coup-d-etat",
        "highestWins": True,
        "noPoints": False,
    }
    assert play["location"] == "Coyote Table"
    assert [player["name"] for player in play["players"]] == list(NAMES)
    assert [player["winner"] for player in play["players"]] == [
        seat in (summary.winners or ()) for seat in range(3)
    ]
    assert [player["score"] for player in play["players"]] == [counts["money"] for counts in summary.counts]
    assert [player["startPlayer"] for player in play["players"]].index(True) == summary.starter


# a name that goes


def test_only_the_host_deletes_a_name(history_room: Room) -> None:
    phone = history_room.browser().sit(0)
    assert phone.get("/history/delete").status_code == 303
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post("/history/delete", **form, player="Bo").status_code == 403
    assert history_room.browser().host().post("/history/delete", player="Bo").status_code == 403
    assert "Delete a player" not in phone.get("/statistics").text
    assert {row["player"] for row in rows_of(history_room)} >= {"Bo"}


def test_a_name_is_deleted_once_the_host_has_agreed(shelf: Shelf) -> None:
    host, bo = shelf.room.browser().host(), shelf.room.browser().sit(1)
    assert "/history/delete" in host.get("/statistics").text
    assert "Delete Bo" in host.get("/history/delete").text
    asked = host.get("/history/delete?player=Bo").text
    assert "This can&#39;t be undone" in asked
    assert "Bo" in shelf.journal.names()
    done = host.send("/history/delete?player=Bo", "/history/delete")
    assert "The name is now “Player 1”. Matches changed: 4." in done.text
    shelf.settle()
    assert "Bo" not in shelf.journal.names()
    assert "Bo" not in [person.name for person in bo.links.people]
    for page in PAGES:
        assert not re.search(r"\bBo\b", host.get(page).text)


def test_what_hinders_the_deletion_is_told(shelf: Shelf) -> None:
    host = shelf.room.browser().host()
    form = hidden_fields(host.get("/history/delete?player=Bo").text, "/history/delete")
    unknown = host.post("/history/delete", **{**form, "player": "Zoë"})
    assert unknown.status_code == 404
    assert "No match has a player with that name." in unknown.text
    shelf.answer = "Bo plays"
    refused = host.post("/history/delete", **form)
    assert refused.status_code == 409
    assert "told: Bo plays" in refused.text


# charts


@pytest.mark.parametrize("values", [(0,), (3, 3, 3), (None, 4, None), (-5000, 12000), tuple(range(200))])
def test_a_chart_holds_all_of_its_values(values: tuple[int | None, ...]) -> None:
    chart = chart_of("x", "X", "told", [Series(name, values) for name in "abcdefghijkl"])
    assert len({(line.dash, line.sample) for line in chart.lines}) == len(chart.lines)
    for line in chart.lines:
        for x, y in re.findall(r"[ML]([\d.-]+) ([\d.-]+)", line.path):
            assert 60 <= float(x) <= 470
            assert -10 <= float(y) <= 245
    assert 2 <= len(chart.heights) <= 8
    assert 1 <= len(chart.rounds) <= 8
    assert len(DASHES) > 1
    assert len(SHAPES) > 1


def test_a_game_that_counts_nothing_can_be_told() -> None:
    match = play_on(match_of(), Random(1))
    plain = replace(match.setup.game, counting=StatisticsRules())
    other = replace(match, setup=replace(match.setup, game=plain))
    summary = summary_of(other)
    assert (summary.rounds, summary.starter, summary.feats) == (1, None, ({}, {}, {}))


def test_the_host_goes_on_with_a_match_that_was_left_open(history_room: Room) -> None:
    host, guest = history_room.browser().host(), history_room.browser()
    assert "Resume this match" not in guest.get("/history/4").text
    assert "Resume this match" not in host.get("/history/1").text
    form = hidden_fields(host.get("/history/4").text, "/host/go-on-with/4")
    for number, code in ((1, 404), (99, 404), (4, 303)):
        assert host.post(f"/host/go-on-with/{number}", **form).status_code == code
    assert history_room.door.match.number == 9
    assert guest.post("/host/go-on-with/4", **form).status_code == 403
