"""The history's pages: matches, charts, decisions, exports, replaced players, and deletion of a name."""

import csv
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from html import unescape
from io import StringIO
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from firmware.language.catalogues import language
from firmware.services.analyses import Analyses
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, open_journal
from firmware.storage.match_history import History
from referee.coaching import AnalysisView, DecisionView, SeatView
from referee.contract import Answer, Kind, Option, Reason, Value, make_refusal
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin, hear, seat_person
from referee.record import Fault, read_record
from referee.summaries import Summary
from tests.firmware.playing import replay_to_bytes, state_bytes
from tests.given import allowed
from tests.referee.laboratories import match_by_bots
from tests.referee.tables import after_any
from tests.tiers import slow
from tests.waiting import TEST_TIMEOUT, until
from tests.webui.fakes import CallRecorder, FakePrivacy
from tests.webui.matches import play_match
from tests.webui.room import Room, hidden_fields, match_of, reply, room_with, said
from webui.pages.film.history import PAGE
from webui.views.alternatives import encode_cards
from webui.views.charts import Series, chart_of
from webui.views.match_story import damage_text, play_link
from webui.views.options import encode_option

PAGES = ("/history", "/history/1", "/history/2", "/history/3", "/history/4", "/statistics")


class Shelf:
    """A room whose table stores its matches."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.journal, self.answer = journal, None
        for name in ("coyote", "coup", "coup-d-etat"):
            journal.begin(play_match(GAMES[name]))
        journal.begin(play_match(GAMES["coyote"], moments=9))
        self.history = History(folder / "journal.sqlite3")
        configured = FakePrivacy(seated=lambda names: {"file": "coyote.toml", "name": ", ".join(names)})
        self.room = room_with(match_of(), folder, history=self.history, privacy=configured)
        self.room.client.forget = self.forget
        self.settle()

    def settle(self) -> None:
        self.history.all()

    def forget(self, name: str) -> "Future[Any]":
        return reply(self.answer or self.journal.forget(name))


@pytest.fixture
def shelf(tmp_path: Path, journal: Journal) -> Shelf:
    return Shelf(tmp_path, journal)


@pytest.fixture
def history_room(shelf: Shelf) -> Room:
    return shelf.room


def test_history_is_paginated(shelf: Shelf) -> None:
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


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError("the disk is asleep; wake it"), "the disk is asleep; wake it"),
        (JournalError("journal disk", path="/J"), "/J: the disk can&#39;t be read or written"),
    ],
)
def test_unreadable_journal_is_reported(
    history_room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def refuse(*_args: object) -> None:
        raise error

    monkeypatch.setattr("firmware.storage.match_history.open_readonly", refuse)
    for page in (*PAGES, "/history.csv", "/history.json"):
        response = history_room.browser().get(page)
        assert response.status_code == 503
        assert told in response.text


def test_csv_export_runs_no_formulas(shelf: Shelf) -> None:
    names = ("=1+1", "+1", "-1", "@x", "=cmd|' /C calc'!A0")
    for name in names:
        shelf.journal.begin(play_match(GAMES["coyote"], (name, "Bo")))
    shelf.settle()
    response = shelf.room.browser().get("/history.csv")
    assert response.mimetype == "text/csv"
    assert "attachment" in response.headers["Content-Disposition"]
    rows = list(csv.DictReader(StringIO(response.data.decode("utf-8-sig"))))
    assert {row["over"] for row in rows if row["match"] == "4"} == {"0"}
    assert {row["player"] for row in rows} == {"'=Ana", "Bo", "Chloé <b>", *(f"'{name}" for name in names)}
    for row in rows:
        for text in row.values():
            assert not text.startswith(("=", "+", "@"))
            assert not text.startswith("-") or text[1:].isdigit()


@pytest.mark.parametrize(
    ("begun", "ended", "minutes"),
    [
        ("2026-01-02T19:00:00.123456+01:00", "2026-01-02T19:30:00+01:00", 30),
        ("2026-01-02T19:00:00+01:00", "2026-01-02T19:30:00+02:00", None),
        ("2026-01-02T19:00:00+01:00", "2026-01-02T18:30:00+01:00", None),
        ("1970-01-01T00:01:00+00:00", "2026-01-02T19:30:00+01:00", None),
    ],
)
def test_implausible_durations_are_omitted(begun: str, ended: str, minutes: int | None) -> None:
    counts = ({}, {})
    summary = Summary(
        "coyote", ("Ana", "Bo"), begun=begun, ended=ended, places=(1, 2), counts=counts, winners=(0,)
    )
    link = play_link(summary, GAMES["coyote"], "Coyote", "here")
    assert json.loads(unquote(link.split("data=")[1])).get("durationMin") == minutes


def test_host_deletes_a_name_after_confirmation(shelf: Shelf) -> None:
    host, bo = shelf.room.browser().host(), shelf.room.browser().sit(1)
    form = hidden_fields(host.get("/history/delete?player=Bo").text, "/history/delete")
    assert host.post("/history/delete", **{**form, "player": "Zoë"}).status_code == 404
    shelf.answer = said("Bo plays")
    refused = host.post("/history/delete", **form)
    assert (refused.status_code, "Bo plays" in refused.text) == (409, True)
    assert "Bo" in shelf.journal.names()
    shelf.answer = None
    done = host.post("/history/delete", **form)
    assert "coyote.toml still seats Bo: change it there." in done.text
    shelf.settle()
    assert "Bo" not in shelf.journal.names()
    assert "Bo" not in [person.name for person in bo.links.people]
    for page in PAGES:
        assert not re.search(r"\bBo\b", host.get(page).text)


@pytest.fixture
def lost(tmp_path: Path) -> Iterator[tuple[Room, Journal, list[str]]]:
    """A match of Coyote with two lost answers, in the journal of a running table."""
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        number = opened.journal.begin(play_match(GAMES["coyote"]))
        lines = opened.journal.lines(number)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)) as db:
        db.execute("DELETE FROM line WHERE number IN (23, 24)")
    shutil.rmtree(tmp_path / "journal.sqlite3.matches")
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        room = room_with(match_of(), tmp_path, history=History(tmp_path / "journal.sqlite3"))
        room.client.say_missing = lambda *said: reply(opened.journal.append(*said))
        yield room, opened.journal, lines


def form_for(line: str) -> dict[str, str]:
    answer = msgspec.json.decode(line, type=Answer)
    seat, value = "" if answer.seat is None else str(answer.seat), answer.value
    match value:
        case Option():
            filled = {"option": encode_option(value)}
        case tuple():
            filled = {"cards": encode_cards(value)}
        case _:
            filled = {"number": str(value)}
    return {"ask": answer.ask, "seat": seat, **filled}


def test_host_restores_lost_lines(lost: tuple[Room, Journal, list[str]]) -> None:
    room, journal, lines = lost
    host, guest, address = room.browser().host(), room.browser(), "/history/1/missing"
    assert address in host.get("/history/1").text
    assert address not in guest.get("/history/1").text
    assert guest.get(address).status_code == 303
    for missing in (23, 24):
        page = host.get(address).text
        assert f"Answer {missing} of round 7 is missing. What was it?" in page
        form, before = {**hidden_fields(page, address), **form_for(lines[missing])}, journal.lines(1)
        if missing == 24:
            assert guest.post(address, **form).status_code == 403
            # "99" contradicts later answers
            for wrong, code in (({"seat": "7"}, 400), ({"line": "99"}, 303), ({"number": "99"}, 409)):
                assert host.post(address, **{**form, **wrong}).status_code == code
        assert journal.lines(1) == before
        assert host.post(address, **form).status_code == 303
        assert len(journal.lines(1)) == len(before) + 1
    reading = read_record(journal.lines(1))
    assert reading.fault is None
    assert state_bytes(reading.match) == replay_to_bytes(lines)
    assert "Line 24 was lost; the host has supplied its answer." in guest.get("/history/1").text


def test_match_of_another_game_version_is_not_damaged() -> None:
    for fault, told in (
        (Fault(3, "refused", refusal=make_refusal(Reason.OVER)), "doesn't allow line 3; "),
        (Fault(1, "house", "no such rule"), "doesn't allow line 1; "),
        (Fault(3, "damaged", "no JSON"), "Damaged from line 3; "),
    ):
        assert told in damage_text(fault, language("en"))


@pytest.mark.parametrize("values", [(0,), (3, 3, 3), (None, 4, None), (-5000, 12000), tuple(range(200))])
def test_chart_includes_all_values(values: tuple[int | None, ...]) -> None:
    chart = chart_of("x", "X", "told", [Series(name, values) for name in "abcdefghijkl"])
    assert len({(line["dash"], line["sample"]) for line in chart["lines"]}) == len(chart["lines"])
    for line in chart["lines"]:
        for x, y in re.findall(r"[ML]([\d.-]+) ([\d.-]+)", line["path"]):
            assert 60 <= float(x) <= 470
            assert -10 <= float(y) <= 245
    assert 2 <= len(chart["heights"]) <= 8
    assert 1 <= len(chart["rounds"]) <= 8


def test_host_resumes_an_open_match(history_room: Room) -> None:
    host, guest = history_room.browser().host(), history_room.browser()
    assert "/host/go-on-with" not in guest.get("/history/4").text + host.get("/history/1").text
    form = hidden_fields(host.get("/history/4").text, "/host/go-on-with/4")
    for number, code in ((1, 404), (99, 404), (4, 303)):
        assert host.post(f"/host/go-on-with/{number}", **form).status_code == code
    assert history_room.client.match.number == 9
    assert guest.post("/host/go-on-with/4", **form).status_code == 403


def decided(moment: int, loss: float, kind: Kind = Kind.CHANCE) -> DecisionView:
    return DecisionView(moment, kind, loss, (f"told of <b>{moment}</b>",))


FOUND = AnalysisView(
    7,
    (
        SeatView("Ana", (decided(2, 0.0), decided(4, 0.5), decided(10, 0.25)), (4, 10)),
        SeatView("Bo", (decided(6, 0.0),), ()),
        SeatView("Chloé", (), ()),
    ),
)


@pytest.fixture
def looked_at(tmp_path: Path) -> Path:
    place = tmp_path / "journal.sqlite3"
    with open_journal(place) as opened:
        opened.journal.begin(match_by_bots("coyote", "kidult", 3))
        opened.journal.begin(play_match(match_of().setup.game, moments=9))
    return place


def page_of(looked_at: Path, path: str, analyses: CallRecorder) -> tuple[int, str]:
    room = room_with(match_of(), looked_at.parent, analyses=analyses)
    found = room.browser().get(path)
    return found.status_code, found.text


def test_only_finished_matches_link_to_the_analysis(looked_at: Path) -> None:
    found = CallRecorder(analysis=lambda *_asked: FOUND)
    for number, analyses, is_there in ((1, found, True), (2, found, False), (9, found, False)):
        assert ("/decisions" in page_of(looked_at, f"/history/{number}", analyses)[1]) is is_there
        code, text = page_of(looked_at, f"/history/{number}/decisions", analyses)
        assert code == (200 if is_there else 404)
        assert ("told of &lt;b&gt;4&lt;/b&gt;" in text) is is_there
        # they belong to a name, which may not be the viewer's
        assert (text.count("<h3>Turning points"), "Your" in text) == (is_there, False)
    assert page_of(looked_at, "/history/1/decisions", CallRecorder(analysis=lambda *_asked: None))[0] == 503


def test_long_analysis_shows_progress_and_goes_on_without_its_reader(
    looked_at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = Event()

    def wait_then_find(*_asked: object) -> AnalysisView:
        going.wait()
        return FOUND

    monkeypatch.setattr("firmware.services.analyses.do_job", wait_then_find)
    monkeypatch.setattr("webui.pages.film.history.SHORT_WAIT", 0.0)
    analyses = Analyses(looked_at)
    browser = room_with(match_of(), looked_at.parent, analyses=analyses).browser()
    waiting = browser.get("/history/1/decisions")
    assert (waiting.status_code, waiting.headers["Refresh"]) == (200, "2")
    assert "<progress" in waiting.text
    assert 'href="/history/1"' in waiting.text
    going.set()
    record = History(looked_at).lines(1)
    until(lambda: analyses.found_before(1, "en", record) is FOUND)
    assert "told of &lt;b&gt;4&lt;/b&gt;" in browser.get("/history/1/decisions").text


@slow("a process of its own, with the search that the host's page uses")
def test_each_finished_match_is_analysed_once(looked_at: Path) -> None:
    analyses, record = Analyses(looked_at), History(looked_at).lines(1)
    assert analyses.found_before(1, "fr", record) is None
    found = analyses.analysis(1, "fr", record, TEST_TIMEOUT)
    assert found is not None
    assert [player.name for player in found.players] == ["Ana", "Bo", "Chloé"]
    assert any("il tient à" in told for each in found.players[0].decisions for told in each.told)
    assert analyses.analysis(1, "fr", record, 0.0) is analyses.found_before(1, "fr", record) is found
    assert analyses.analysis(2, "en", History(looked_at).lines(2), TEST_TIMEOUT) is None


# a replaced player: earlier actions are credited to the earlier person


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
def taken_room(tmp_path: Path, journal: Journal) -> Room:
    match = to_the_end(taken_over(4))
    journal.begin(match)
    history = History(tmp_path / "journal.sqlite3")
    history.all()
    return room_with(match, tmp_path, history=history)


def test_history_and_exports_credit_who_acted(taken_room: Room) -> None:
    browser = taken_room.browser()
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


def test_every_result_names_all_people_of_a_seat(taken_room: Room) -> None:
    browser = taken_room.browser()
    for page in ("/", "/history/1", "/evenings/2026-01-02"):
        assert re.search(r"\d[. ]+Chloé, Zoé", text_of(browser.get(page).text)), page
    assert "Ana, Bo, Chloé, Zoé" in text_of(browser.get("/history").text)
