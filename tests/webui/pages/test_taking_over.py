"""Pages of a match with a replaced player: earlier actions are credited to the earlier person."""

import csv
import json
import re
from html import unescape
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from firmware.language.catalogues import language
from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from referee.contract import Answer, Option, Value
from referee.film import film_of
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin, hear, seat_person
from referee.sentences import listener_at
from referee.summaries import summary_of
from tests.given import allowed
from tests.referee.tables import after_any
from tests.webui.room import Room, room_with
from webui.pages.host.correcting import answer_lines
from webui.views.film_step import sentences_of
from webui.views.final_score import final_score
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


def test_score_page_names_caller_and_successor(tmp_path: Path) -> None:
    page = text_of(room_with(taken_over(4).before or taken_over(4), tmp_path).browser().get("/").text)
    assert "Chloé calls Coyote on Bo's 15." in page
    assert "Zoé plays on for Chloé." in page


def test_match_page_credits_the_acting_person(room: Room) -> None:
    page = room.browser().get("/history/1").text
    told, rows = text_of(page), cells_of(page)
    assert "Chloé calls Coyote! Bo said 15." in told
    assert "Zoé takes a paw: 1 of 3." in told
    assert "Ana started." in told
    assert "Chloé sat at seat 3 until answer 4." in told
    assert ["", "Ana", "Bo", "Chloé", "Zoé"] in rows
    (calls,) = (row for row in rows if row[0] == "“Coyote!” called")
    summary = summary_of(to_the_end(taken_over(4)))
    assert calls[1:] == [str(feats.get("calls", 0)) for _seat, _name, feats in summary.credited]
    assert calls[3] == "1"
    assert "Chloé, Zoé" in told, "both have the line of their seat in the charts"


def test_statistics_and_exports_credit_the_acting_person(room: Room) -> None:
    browser = room.browser()
    statistics = {row[0]: row for row in cells_of(browser.get("/statistics").text)}
    assert statistics["Chloé"][1:4] == ["0", "0", "\N{EN DASH}"]
    assert statistics["Zoé"][1] == "1"
    rows = list(csv.DictReader(StringIO(browser.get("/history.csv").text.removeprefix("\ufeff"))))
    assert [(row["seat"], row["player"], row["place"] != "") for row in rows] == [
        ("0", "Ana", True),
        ("1", "Bo", True),
        ("2", "Chloé", False),
        ("2", "Zoé", True),
    ]
    assert [row["began"] for row in rows] == ["1", "0", "0", "0"]
    assert (rows[2]["coyote: calls"], rows[2]["coyote: marks"]) == ("1", "")
    (match,) = json.loads(browser.get("/history.json").text)["matches"]
    assert (match["began"], match["names"]) == ("Ana", ["Ana", "Bo", "Zoé"])
    assert [(gone["name"], gone["feats"]["calls"]) for gone in match["left"]] == [("Chloé", 1)]
    (story, *_rounds) = json.loads(browser.get("/history/1.json").text)["story"]
    assert "Chloé calls Coyote! Bo said 15." in story["told"]


def test_every_result_names_all_people_of_a_seat(room: Room) -> None:
    browser, match, english = room.browser(), to_the_end(taken_over(4)), language("en")
    for page in ("/", "/history/1", "/evenings/2026-01-02"):
        assert re.search(r"\d[. ]+Chloé, Zoé", text_of(browser.get(page).text)), page
    assert "Ana, Bo, Chloé, Zoé" in text_of(browser.get("/history").text)
    assert {line.seat: line.name for line in final_score(match, english).lines}[2] == "Chloé, Zoé"


def test_starter_who_left_is_not_their_successor() -> None:
    match = allowed(seat_person(taken_over(5), 0, "Yan"))
    link = play_link(summary_of(to_the_end(match)), COYOTE, "Coyote", "here")
    assert "startPlayer%22%3Atrue" not in link
    assert "startPlayer%22%3Atrue" in play_link(summary_of(to_the_end(taken_over(5))), COYOTE, "Coyote", "here")


def test_correctable_answers_and_film_name_the_answering_person() -> None:
    match, english = taken_over(5), language("en")
    lines = answer_lines(match, listener_at(match.setup, english))
    assert "Chloé: Coyote!" in [str(line["text"]) for line in lines]
    told = [text for moment in film_of(match).moments for text in sentences_of(moment.match, english)]
    assert "Chloé calls Coyote! Bo said 15." in told
    assert told[-1] == "Zoé plays on for Chloé."


def test_correction_page_and_rules_name_the_answering_person(tmp_path: Path) -> None:
    room = room_with(taken_over(5), tmp_path)
    host = room.browser().host()
    page = text_of(host.get("/host/correct/3").text)
    assert "Chloé: Coyote!" in page
    assert "Zoé: Coyote!" not in page
    why = text_of(host.get("/rules/why").text)
    assert "Chloé calls Coyote! Bo said 15." in why
    assert "Chloé takes a paw: 1 of 3." in why
