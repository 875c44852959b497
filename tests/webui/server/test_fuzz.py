"""Requests that no page of ours sends: no fault of ours, and nothing happens without the right link."""

import os
import re
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from referee.contract import Answer
from referee.match import Match, enter
from tests.webui.access.letting_in import admit_all
from tests.webui.coyote_round import open_round
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from tests.webui.server.hostile import (
    FINE,
    Table,
    Wire,
    draw_attempt,
    mangle_request,
    marks,
    outcome_of,
    settle,
    smuggle_request,
    table_in,
)
from webui.server.drawn_pages import match_id

REQUESTS = int(os.environ.get("COYOTE_FUZZ", "300"))
PATHS = (
    *("/", "/join", "/seat", "/seat/take", "/seat/answer", "/seat/back", "/seat/hand-over"),
    *("/host", "/host/enter", "/host/back", "/host/again", "/host/correct/0", "/host/correct/1"),
    *(
        "/host/correct/99999999999999999999",
        "/host/code/0",
        "/host/code/77",
        "/static/style.css",
        "/static/../app.py",
    ),
    *("/events/score", "/events/seat", "/events/table", "/table.json"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
TYPES = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json",
    "text/plain; charset=nope",
    "",
)
texts = st.text(max_size=30) | st.sampled_from(
    [
        "0",
        "1",
        "2",
        "-1",
        "999999999",
        "announce",
        "opener",
        "reveal",
        '{"word":"coyote"}',
        '{"word":1}',
        "[" * 2000,
    ]
)
names = st.sampled_from(
    ["form", "match", "moment", "ask", "number", "other", "option", "card", "card-20", "code", "pin"]
)
forms = st.dictionaries(names | st.text(max_size=8), texts, max_size=8)
bodies = forms | st.binary(max_size=300)
headers = st.fixed_dictionaries(
    {},
    optional={
        "Accept-Language": st.sampled_from(["fr", "en;q=x", "*", ",;,", "fr-FR-x" * 50]),
        "Last-Event-ID": st.sampled_from(["", "#", "x#-1", "9" * 300]),
        "Cookie": st.sampled_from(
            ["seat=x", "host=", "visitor=%ff", "seat=" + "é" * 9, "=;=;", "visitor=a; visitor=b"]
        ),
        "Content-Type": st.sampled_from(TYPES),
        "Host": st.sampled_from(["a", "[::1", "x" * 300, "-"]),
    },
)


@pytest.fixture(scope="module")
def room() -> Room:
    match = open_round(match_of())
    after = enter(match, Answer(match.number, "announce", 3, 0))
    assert isinstance(after, Match)
    with TemporaryDirectory() as folder:
        return room_with(after, Path(folder))


def try_request(browser: Browser, method: str, path: str, body: object, said: dict[str, str]) -> None:
    response = browser.client.open(path, method=method, data=body, headers=said, buffered=False)
    assert response.status_code < 500, response.text
    response.close()


@settings(max_examples=REQUESTS)
@given(
    st.sampled_from(PATHS) | st.text(max_size=20).map(lambda text: f"/{quote(text, safe='')}"),
    st.sampled_from(METHODS),
    bodies,
    headers,
)
def test_strangers_change_nothing(
    room: Room, path: str, method: str, body: object, said: dict[str, str]
) -> None:
    browser = room.browser()
    browser.get("/seat")
    links = browser.links
    try_request(browser, method, path, body, said)
    assert room.door.entries == []
    assert room.door.agains == 0
    assert browser.links is links


@settings(max_examples=REQUESTS)
@given(st.sampled_from(["/seat/answer", "/seat/back"]), forms, headers)
def test_a_seat_that_sends_anything_is_answered(
    room: Room, path: str, form: dict[str, str], said: dict[str, str]
) -> None:
    match = room.door.match
    browser = room.browser()
    browser.client.set_cookie("seat", admit_all(room.links_file, room.door.moment).seats[1].token)
    hidden = hidden_fields(browser.get("/seat").text, "/seat/hand-over")
    said = {name: text for name, text in said.items() if name not in {"Cookie", "Content-Type"}}
    try_request(browser, "POST", path, {**form, **hidden}, said)
    assert all(getattr(entry, "seat", None) in (1, None) for entry in room.door.entries)
    room.door.match = match
    room.door.entries.clear()


@settings(max_examples=REQUESTS // 3)
@given(st.sampled_from(PATHS), headers)
def test_looking_changes_nothing_for_anybody(room: Room, path: str, said: dict[str, str]) -> None:
    browser = room.browser()
    let_in = admit_all(room.links_file, room.door.moment)
    links = browser.links
    browser.client.set_cookie("seat", let_in.seats[0].token)
    browser.client.set_cookie("host", let_in.host)
    try_request(browser, "GET", path, {}, {name: text for name, text in said.items() if name != "Cookie"})
    assert room.door.entries == []
    assert room.door.agains == 0
    assert browser.links is links


def test_what_changes_something_never_answers_a_look(room: Room) -> None:
    for rule in room.app.url_map.iter_rules():
        methods = rule.methods or set()
        assert not ("POST" in methods and "GET" in methods), rule


def test_a_body_that_is_too_big_is_refused(room: Room) -> None:
    browser = room.browser()
    browser.client.set_cookie("seat", admit_all(room.links_file, room.door.moment).seats[1].token)
    browser.get("/seat")
    assert browser.post("/seat/answer", option="x" * 20_000).status_code == 413
    fields = {f"card-{number}": "1" for number in range(3000)}
    assert browser.post("/seat/answer", **fields).status_code == 413


# every route of a table that has all there is


# Werkzeug leaves files in memory to the collector when a form is cut
cut = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with (
        TemporaryDirectory() as folder,
        open_journal(Path(folder, "journal.sqlite3"), connected_for_a_thread) as open_round,
    ):
        yield table_in(Path(folder), open_round.journal)


@cut
@settings(max_examples=REQUESTS)
@given(st.integers(0, 2**60))
def test_no_route_has_a_fault_or_obeys_a_stranger(table: Table, seed: int) -> None:
    sent = draw_attempt(table, Random(seed))
    assert not outcome_of(table, sent).fault, sent.description


@cut
def test_no_spoilt_request_is_a_fault_of_ours(table: Table) -> None:
    wire = Wire(table.app)
    for seed in range(REQUESTS // 10):
        code = wire.say(mangle_request(table, Random(seed)))
        assert not code.startswith("5") or code in FINE, seed
        assert wire.faults == [], seed
    wire.close()
    settle(table)


@cut
def test_a_request_that_is_hidden_in_another_is_not_heard(table: Table) -> None:
    wire, links = Wire(table.app), admit_all(table.links_file, table.door.moment)
    before = marks(table)
    for seed in range(max(40, REQUESTS // 10)):
        words = smuggle_request(links, Random(seed), match_id(table.match), table.match.number)
        assert " " not in wire.say(words), seed
        assert marks(table) == before, seed
        assert wire.faults == [], seed
    wire.close()


@cut
def test_a_giant_number_is_no_fault(table: Table) -> None:
    hosts = (
        each for seed in count() if (each := draw_attempt(table, Random(seed))).who == "host" and each.has_token
    )
    for rule in [rule for rule in table.app.url_map.iter_rules() if "<int:" in rule.rule]:
        for method in ("GET", "POST"):
            for sent in islice(hosts, 5):
                sent.surroundings["PATH_INFO"] = re.sub("<.*>", "9" * 20, rule.rule)
                sent.surroundings["REQUEST_METHOD"] = method
                assert not outcome_of(table, sent).fault, sent.description


def faults(table: Table, path: str, who: str) -> set[str]:
    """List the outcomes of requests with a token to a path."""
    drawn = (draw_attempt(table, Random(seed)) for seed in range(5000))
    sent = (each for each in drawn if each.surroundings["PATH_INFO"] == path)
    return {outcome_of(table, each).fault for each in sent if each.who == who and each.has_token}


@cut
def test_a_fault_is_seen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults(table, "/host/pause", "host") == {""}
    monkeypatch.setattr(table.door, "pause", lambda: 1 / 0)
    assert any(fault.startswith("500") for fault in faults(table, "/host/pause", "host"))


@cut
def test_a_change_by_a_stranger_is_seen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults(table, "/host/again", "stranger") == {""}
    monkeypatch.setattr("webui.access.evening.is_same", lambda _secret, _said: True)
    assert "changed ['table']" in faults(table, "/host/again", "stranger")
