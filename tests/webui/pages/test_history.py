"""The history's pages: matches, charts, decisions, exports, replaced players, and deletion of a name."""

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from html import unescape
from io import StringIO
from pathlib import Path
from random import Random
from urllib.parse import unquote

import msgspec
import pytest

from firmware.language.catalogues import language
from firmware.services.analyses import Analyses
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, open_journal
from firmware.storage.match_history import History
from hardware.twin.player import play_on
from referee.coaching import AnalysisView, DecisionView, SeatView
from referee.contract import Answer, Kind, Option, Reason, make_refusal
from referee.games.catalogue import GAMES
from referee.match import seat_person
from referee.record import Fault, read_record
from referee.summaries import Summary
from tests.firmware.playing import replay_to_bytes, state_bytes
from tests.given import allowed, present
from tests.referee.laboratories import match_by_bots
from tests.tiers import slow
from tests.waiting import TEST_TIMEOUT
from tests.webui.fakes import CallRecorder, FakePrivacy
from tests.webui.matches import call_coyote, play_match
from tests.webui.room import Room, hidden_fields, match_of, room_with
from webui.pages.film.history import PAGE
from webui.views.alternatives import encode_cards
from webui.views.charts import Series, chart_of
from webui.views.match_story import damage_text, play_link
from webui.views.options import encode_option

PAGES = ("/history", "/history/1", "/history/2", "/history/3", "/history/4", "/statistics")


@pytest.fixture
def history(tmp_path: Path, journal: Journal) -> History:
    for name in ("coyote", "coup", "coup-d-etat"):
        journal.begin(play_match(GAMES[name]))
    journal.begin(play_match(GAMES["coyote"], moments=9))
    return History(tmp_path / "journal.sqlite3")


@pytest.fixture
def history_room(tmp_path: Path, journal: Journal, history: History) -> Room:
    """A room whose table stores its matches."""
    configured = FakePrivacy(seated=lambda names: {"file": "coyote.toml", "name": ", ".join(names)})
    room = room_with(match_of(), tmp_path, history=history, privacy=configured)
    room.client.journal = journal
    history.all()
    return room


def test_history_is_paginated(history_room: Room, journal: Journal) -> None:
    match = play_match(GAMES["coyote"])
    for _match in range(2 * PAGE):
        journal.begin(match)
    browser = history_room.browser()
    pages = [browser.get(f"/history?page={number}").text for number in (1, 2, 3)]
    listed = [number for page in pages for number in re.findall(r'href="/history/(\d+)"', page)]
    assert listed == [str(number) for number in range(2 * PAGE + 4, 0, -1)]
    assert "Page 2 of 3" in pages[1]
    for wrong in ("0", "4", "99999999999"):
        assert browser.get(f"/history?page={wrong}").status_code in (200, 404)
    for wrong in ("x", "-1", "²", ""):
        assert browser.get(f"/history?page={wrong}").text == pages[0]


@pytest.mark.parametrize(("number", "word"), [(1, "Round"), (2, "Turn"), (3, "Deal")])
def test_rounds_have_the_games_own_word(history_room: Room, number: int, word: str) -> None:
    browser = history_room.browser()
    match, film = (browser.get(f"/history/{number}{page}").text for page in ("", "/film?at=2"))
    assert f"<summary>{word} 1</summary>" in match
    assert f"{word} by {word.lower()}" in match
    assert f"{word} 1, step by step" in film
    assert re.search(rf"{word} 1, step \d+ of", film)
    others = {"Round", "Turn", "Deal"} - {word}
    assert not any(f"{other} 1<" in page or f"{other} 1," in page for other in others for page in (match, film))


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


def test_csv_export_runs_no_formulas(history_room: Room, journal: Journal, history: History) -> None:
    names = ("=1+1", "+1", "-1", "@x", "=cmd|' /C calc'!A0")
    for name in names:
        journal.begin(play_match(GAMES["coyote"], (name, "Bo")))
    history.all()
    response = history_room.browser().get("/history.csv")
    assert response.mimetype == "text/csv"
    assert "attachment" in response.headers["Content-Disposition"]
    rows = list(csv.DictReader(StringIO(response.data.decode("utf-8-sig"))))
    assert {row["over"] for row in rows if row["match"] == "4"} == {"0"}
    assert {row["player"] for row in rows} == {"'=Ana", "Bo", "Chloé <b>", *(f"'{name}" for name in names)}
    for row in rows:
        for text in row.values():
            assert not text.startswith(("=", "+", "@"))
            assert not text.startswith("-") or text[1:].isdigit()


def test_implausible_durations_are_omitted() -> None:
    for begun, ended, minutes in (
        ("2026-01-02T19:00:00.123456+01:00", "2026-01-02T19:30:00+01:00", 30),
        ("2026-01-02T19:00:00+01:00", "2026-01-02T18:30:00+01:00", None),
        ("1970-01-01T00:01:00+00:00", "2026-01-02T19:30:00+01:00", None),
    ):
        summary = Summary(
            "coyote", ("Ana", "Bo"), begun=begun, ended=ended, places=(1, 2), counts=({}, {}), winners=(0,)
        )
        link = play_link(summary, GAMES["coyote"], "Coyote", "here")
        assert json.loads(unquote(link.split("data=")[1])).get("durationMin") == minutes


def test_host_deletes_a_name_after_confirmation(history_room: Room, journal: Journal, history: History) -> None:
    host, bo = history_room.browser().host(), history_room.browser().sit(1)
    form = hidden_fields(host.get("/history/delete?player=Bo").text, "/history/delete")
    assert host.post("/history/delete", **{**form, "player": "Zoë"}).status_code == 404
    # Bo plays in the open match
    assert host.post("/history/delete", **form).status_code == 409
    assert "Bo" in journal.names()
    history_room.client.match = play_match(GAMES["coyote"])
    done = host.post("/history/delete", **form)
    assert "coyote.toml still seats Bo: change it there." in done.text
    history.all()
    assert "Bo" not in journal.names()
    assert "Bo" not in [person.name for person in bo.links.people]
    for page in PAGES:
        assert not re.search(r"\bBo\b", host.get(page).text)


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


def test_host_restores_lost_lines(tmp_path: Path) -> None:
    place, address = tmp_path / "journal.sqlite3", "/history/1/missing"
    with open_journal(place) as opened:
        lines = opened.journal.lines(opened.journal.begin(play_match(GAMES["coyote"])))
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("DELETE FROM line WHERE number IN (23, 24)")
    shutil.rmtree(tmp_path / "journal.sqlite3.matches")
    with open_journal(place) as opened:
        room = room_with(match_of(), tmp_path, history=History(place))
        room.client.journal = opened.journal
        supply_lost_lines(room, opened.journal, lines, address)
        reading = read_record(opened.journal.lines(1))
        assert reading.fault is None
        assert state_bytes(reading.match) == replay_to_bytes(lines)
        assert "Line 24 was lost; the host has supplied its answer." in room.browser().get("/history/1").text


def supply_lost_lines(room: Room, journal: Journal, lines: list[str], address: str) -> None:
    host, guest = room.browser().host(), room.browser()
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


@slow("a process of its own, with the search that the host's page uses")
def test_long_analysis_shows_progress_and_goes_on_without_its_reader(
    looked_at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.pages.film.history.SHORT_WAIT", 0.0)
    analyses = Analyses(looked_at)
    browser = room_with(match_of(), looked_at.parent, analyses=analyses).browser()
    waiting = browser.get("/history/1/decisions")
    assert (waiting.status_code, waiting.headers["Refresh"]) == (200, "2")
    assert "<progress" in waiting.text
    assert 'href="/history/1"' in waiting.text
    record = History(looked_at).lines(1)
    found = analyses.analysis(1, "en", record, TEST_TIMEOUT)
    assert [player.name for player in present(found).players] == ["Ana", "Bo", "Chloé"]
    # it is done once
    assert analyses.analysis(1, "en", record, 0.0) is analyses.found_before(1, "en", record) is found
    assert "<h3>Turning points" in browser.get("/history/1/decisions").text


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def cells_of(page: str) -> list[list[str]]:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [text_of(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows
    ]


def test_history_and_exports_credit_who_acted(tmp_path: Path, journal: Journal) -> None:
    """Bo calls Coyote, and Zoé plays on for him: earlier actions are credited to the earlier person."""
    match = play_on(allowed(seat_person(call_coyote(match_of(), 15), 1, "Zoé")), Random(7))
    journal.begin(match)
    history = History(tmp_path / "journal.sqlite3")
    history.all()
    browser = room_with(match, tmp_path, history=history).browser()
    page = browser.get("/history/1").text
    told, rows = text_of(page), cells_of(page)
    assert "Bo calls Coyote! Ana said 15." in told
    assert "Bo sat at seat 2 until answer 3." in told
    assert ["", "Ana", "Bo", "Zoé", "Chloé <b>"] in rows
    (calls,) = (row for row in rows if row[0] == "“Coyote!” called")
    assert calls[2] == "1"
    statistics = {row[0]: row for row in cells_of(browser.get("/statistics").text)}
    assert (statistics["Bo"][1], statistics["Zoé"][1]) == ("0", "1")
    exported = list(csv.DictReader(StringIO(browser.get("/history.csv").text.removeprefix("\ufeff"))))
    assert [(row["seat"], row["player"], row["place"] != "", row["began"]) for row in exported] == [
        ("0", "Ana", True, "1"),
        ("1", "Bo", False, "0"),
        ("1", "Zoé", True, "0"),
        ("2", "Chloé <b>", True, "0"),
    ]
    (told_match,) = json.loads(browser.get("/history.json").text)["matches"]
    assert [(gone["name"], gone["feats"]["calls"]) for gone in told_match["left"]] == [("Bo", 1)]
    for address in ("/", "/history/1", "/evenings/2026-01-02"):
        assert re.search(r"\d[. ]+Bo, Zoé", text_of(browser.get(address).text)), address
