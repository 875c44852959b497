"""Pages of a match with a replaced player: earlier actions are credited to the earlier person."""

import csv
import json
import re
from html import unescape
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from referee.contract import Answer, Option, Value
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin, hear, seat_person
from referee.summaries import summary_of
from tests.given import allowed
from tests.referee.tables import after_any
from tests.webui.room import Room, room_with
from webui.views.match_story import play_link

SAID: tuple[tuple[int | None, str, Value], ...] = (
    (None, "opener", Option("opens", seat=0)),
    (0, "announce", 14),
    (1, "announce", 15),
    (2, "turn", Option("coyote")),
    (None, "reveal", ("15", "5", "3")),
)
"""Chloé calls Coyote on Bo's 15, and the cards make 23."""


def taken_over(at: int) -> Match:
    """Replace Chloé by Zoé after this many answers; stop after the cards."""
    match = allowed(begin(Setup(COYOTE, House(), ("Ana", "Bo", "Chloé"), begun="2026-01-02T20:00:00+01:00")))
    for number, (seat, ask, value) in enumerate(SAID):
        match = allowed(seat_person(match, 2, "Zoé")) if number == at else match
        match = allowed(hear(match, Answer(match.number, ask, value, seat, at="2026-01-02T20:01:00+01:00")))
    return allowed(seat_person(match, 2, "Zoé")) if at == len(SAID) else match


def to_the_end(match: Match) -> Match:
    rng = Random(7)
    while match.asks:
        match = after_any(match, rng)
    return match


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def cells_of(page: str) -> list[list[str]]:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [text_of(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows
    ]


@pytest.fixture
def room(tmp_path: Path, journal: Journal) -> Room:
    match = to_the_end(taken_over(4))
    journal.begin(match)
    history = History(tmp_path / "journal.sqlite3")
    history.all()
    return room_with(match, tmp_path, history=history)


def test_pages_of_the_match_name_who_acted(tmp_path: Path) -> None:
    """Pages of the running match: scores, correction and reasons."""
    page = text_of(room_with(taken_over(4).before or taken_over(4), tmp_path).browser().get("/").text)
    assert "Chloé calls Coyote on Bo's 15." in page
    assert "Zoé plays on for Chloé." in page
    host = room_with(taken_over(5), tmp_path).browser().host()
    correction = text_of(host.get("/host/correct/3").text)
    assert "Chloé: Coyote!" in correction
    assert "Zoé: Coyote!" not in correction
    assert "Chloé takes a paw: 1 of 3." in text_of(host.get("/rules/why").text)


def test_history_and_exports_credit_who_acted(room: Room) -> None:
    browser = room.browser()
    page = browser.get("/history/1").text
    told, rows = text_of(page), cells_of(page)
    assert "Chloé calls Coyote! Bo said 15." in told
    assert "Chloé sat at seat 3 until answer 4." in told
    assert ["", "Ana", "Bo", "Chloé", "Zoé"] in rows
    (calls,) = (row for row in rows if row[0] == "“Coyote!” called")
    assert calls[3] == "1"
    statistics = {row[0]: row for row in cells_of(browser.get("/statistics").text)}
    assert (statistics["Chloé"][1], statistics["Zoé"][1]) == ("0", "1")
    exported = list(csv.DictReader(StringIO(browser.get("/history.csv").text.removeprefix("\ufeff"))))
    assert [(row["seat"], row["player"], row["place"] != "", row["began"]) for row in exported] == [
        ("0", "Ana", True, "1"),
        ("1", "Bo", True, "0"),
        ("2", "Chloé", False, "0"),
        ("2", "Zoé", True, "0"),
    ]
    (match,) = json.loads(browser.get("/history.json").text)["matches"]
    assert (match["began"], match["names"]) == ("Ana", ["Ana", "Bo", "Zoé"])
    assert [(gone["name"], gone["feats"]["calls"]) for gone in match["left"]] == [("Chloé", 1)]
    (story, *_rounds) = json.loads(browser.get("/history/1.json").text)["story"]
    assert "Chloé calls Coyote! Bo said 15." in story["told"]


def test_every_result_names_all_people_of_a_seat(room: Room) -> None:
    browser = room.browser()
    for page in ("/", "/history/1", "/evenings/2026-01-02"):
        assert re.search(r"\d[. ]+Chloé, Zoé", text_of(browser.get(page).text)), page
    assert "Ana, Bo, Chloé, Zoé" in text_of(browser.get("/history").text)


def test_starter_who_left_is_not_their_successor() -> None:
    match = allowed(seat_person(taken_over(5), 0, "Yan"))
    links = [
        play_link(summary_of(to_the_end(each)), COYOTE, "Coyote", "here") for each in (match, taken_over(5))
    ]
    assert ["startPlayer%22%3Atrue" in link for link in links] == [False, True]
