"""Films: every moment as a page without scripts, what others may not know, what-ifs, files, what is shared."""

import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest
from msgspec import Struct

from firmware.language.catalogues import language
from firmware.start.pages.look_door import Looks
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import Journal, open_journal
from firmware.storage.match_history import History
from hardware.twin.player import any_answer
from referee.contract import Game
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, TakeBack, enter
from referee.record import read_film, read_record, record_lines
from tests.referee.tables import new_match, outer_tables
from tests.webui.access.sealing import CANARY, seal_match
from tests.webui.coyote_round import JPEG, REVEAL, keep_picture, reveal_cards
from tests.webui.matches import play_match
from tests.webui.room import Browser, Room, match_of, room_with
from webui.doors.trials import SeatChances, TriedOut
from webui.server.film_drawing import StepEvidence, step_values
from webui.server.film_shelf import OPENED, TOTAL, OpenedFiles
from webui.server.templates import Drawer

PLAIN = 200_000
"""The most bytes of a film's page before pictures."""


class Cinema(Struct, frozen=True, eq=False):
    """A room whose table keeps a match of each game, and one that is open."""

    room: Room
    journal: Journal
    numbers: dict[str, int]


class FakeFilms:
    """Makes anything at once, and remembers what was asked."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.asked: list[object] = []

    def film(self, record: object, language: str, pictures_of: int | None = None) -> bytes | None:
        """Make a film."""
        self.asked.append((len(list(record)), language, pictures_of))  # type: ignore[call-overload]
        return b"<!doctype html>film"

    def score_card(self, _record: object, _language: str) -> bytes | None:
        """Fail to draw."""
        return None


@pytest.fixture
def cinema(tmp_path: Path) -> Iterator[Cinema]:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        numbers = {name: opened.journal.begin(play_match(game)) for name, game in GAMES.items()}
        numbers["open"] = opened.journal.begin(play_match(GAMES["coyote"], moments=9))
        history = History(tmp_path / "journal.sqlite3")
        room = room_with(match_of(), tmp_path, history=history, looks=Looks(), films=FakeFilms())
        yield Cinema(room, opened.journal, numbers)


# the film


@pytest.mark.parametrize("game", GAMES)
def test_each_moment_is_a_page_and_leads_to_the_next(cinema: Cinema, game: str) -> None:
    browser, home = cinema.room.browser(), f"/history/{cinema.numbers[game]}/film"
    last = play_match(GAMES[game]).number
    for at in {0, 1, last // 2, last}:
        page = browser.get(f"{home}?at={at}")
        assert page.status_code == 200
        assert f'href="{home}?at={min(last, at + 1)}" rel="next"' in page.text
        assert f'href="{home}?at={max(0, at - 1)}" rel="prev"' in page.text
        assert "style=" not in page.text
        assert len(page.data) < PLAIN
    assert f'data-last="{last}"' in browser.get(f"{home}?at=999999").text
    assert browser.get(f"{home}/{last + 1}").status_code == 404
    assert browser.get("/history/99/film").status_code == 404
    assert browser.get(f"/history/{2**63}/film").status_code == 404


@pytest.mark.parametrize("game", ["coup-d-etat", "coyote", "plenty-coups"])
def test_where_it_turned_is_a_list_of_links_and_a_mark_on_the_time_line(cinema: Cinema, game: str) -> None:
    turns = film_of(play_match(GAMES[game])).turns
    browser, home = cinema.room.browser(), f"/history/{cinema.numbers[game]}/film"
    page = browser.get(home).text
    listed = page.partition('<ol class="steps turns">')[2].partition("</ol>")[0]
    assert [int(number) for number in re.findall(r'data-at="(\d+)"', listed)] == [each.number for each in turns]
    assert ("Nobody has taken the lead" in page) == (not turns)
    assert ('class="turned"' in page) == bool(turns)
    for each in turns:
        there = browser.get(f"{home}?at={each.number}").text.partition('<ol class="steps turns">')[2]
        assert re.search(rf'data-at="{each.number}" aria-current="step"', there)


def test_a_moment_by_itself_is_kept_as_long_as_its_record_is_the_same(cinema: Cinema) -> None:
    browser, home = cinema.room.browser(), f"/history/{cinema.numbers['coyote']}/film"
    mark = re.search(r'data-mark="(\w+)"', browser.get(home).text)
    assert mark is not None
    named = browser.get(f"{home}/3?of={mark[1]}")
    assert named.headers["Cache-Control"] == "private, max-age=3600"
    assert browser.get(f"{home}/3?of=other").headers["Cache-Control"] == "no-store"
    shown = re.search(r'<div id="film-said">(.*?)</div>', named.text, re.DOTALL)
    assert shown is not None
    assert shown[1] in browser.get(f"{home}?at=3").text


def test_what_was_taken_back_is_shown_as_it_happened(cinema: Cinema) -> None:
    match = play_match(GAMES["coyote"], moments=3)
    after = enter(match, TakeBack(3, match.entry.seat))  # type: ignore[union-attr]
    assert isinstance(after, Match)
    number = cinema.journal.begin(after)
    page = cinema.room.browser().get(f"/history/{number}/film?at=3").text
    assert "This was taken back later" in page
    assert "taken back or put right" in page


@outer_tables
def test_a_film_shows_what_a_spectator_may_see(game: Game, rules: str, seats: int) -> None:
    rng, match = Random(f"film {game.name} {rules} {seats}"), new_match(game, rules, seats)
    while match.asks and match.number < 40:
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after
    viewers: set[int | None] = set()
    film, drawer = film_of(seal_match(match, viewers)), Drawer(Looks())
    for at in rng.sample(range(len(film.moments)), 8):
        values = step_values(drawer.book, film, at, language("en"), StepEvidence())
        drawn = drawer.fragment("film_step", language("en"), {**values, "film_home": "", "imagined": False})
        assert CANARY not in drawn
    assert viewers == {None}


def test_pictures_of_standing_answers_alone_are_shown(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        match = reveal_cards(match_of())
        number = opened.journal.begin(match)
        room = room_with(match, tmp_path, history=History(tmp_path / "journal.sqlite3"), looks=Looks())
        keep_picture(tmp_path, match=str(number))
        browser, home = room.browser(), f"/history/{number}/film"
        page = browser.get(f"{home}?at={match.number}").text
        assert f'src="{home}/{match.number}.jpg"' in page
        assert "As the camera saw them" in page
        assert browser.get(f"{home}/{match.number}.jpg").data == JPEG
        assert browser.get(f"{home}/{match.number - 1}.jpg").status_code == 404
        struck = enter(match, Correct(match.number, REVEAL))
        assert isinstance(struck, Match)
        other = opened.journal.begin(struck)
        keep_picture(tmp_path, match=str(other))
        assert browser.get(f"/history/{other}/film/{match.number}.jpg").status_code == 404
        assert ".jpg" not in browser.get(f"/history/{other}/film?at={match.number}").text


# what if


def forms_of(page: str, address: str) -> list[str]:
    return re.findall(rf'<form method="get" action="{address}".*?</form>', page, re.DOTALL)


def answer(browser: Browser, address: str, said: str, rng: Random) -> str | None:
    """Fill in one of the forms of a what-if as its page has it; None if it is over."""
    forms = forms_of(browser.get(f"{address}?said={said}").text, address)
    if not forms:
        return None
    form = rng.choice(forms)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    buttons = re.findall(r'<button[^>]*? name="(\w+)" value="([^"]*)"', form)
    choices = buttons + re.findall(r'type="radio" name="(card|cell)" value="([^"]*)"', form)
    if choices:
        field, value = rng.choice(choices)
        fields[field] = unescape(value)
    count, left = re.search(r'data-count="(\d+)"', form), 0
    left = int(count[1]) if count else 0
    for field, most in re.findall(r'name="(card-[^"]+)"[^>]* max="(\d+)"', form):
        fields[field] = str(min(left, int(most)))
        left -= min(left, int(most))
    reply = browser.get(f"{address}?{urlencode(fields)}")
    assert reply.status_code == 303, reply.text
    return re.search("said=([^&]*)", reply.headers["Location"])[1]  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
def test_other_answers_lead_on_and_leave_the_record_alone(cinema: Cinema, game: str) -> None:
    browser, number, rng = cinema.room.browser(), cinema.numbers[game], Random(game)
    record, told = cinema.journal.lines(number), 0
    address, said = f"/history/{number}/film/what-if/4", ""
    for _step in range(10):
        after = answer(browser, address, said, rng)
        if after is None:
            break
        said, told = after, told + 1
    page = browser.get(f"{address}?said={said}").text
    assert f"Other answers so far: {told}" in page
    assert cinema.journal.lines(number) == record
    file = browser.get(f"{address}.jsonl?said={said}").text.splitlines()
    assert read_record(file).fault is not None
    reading = read_film(file)
    assert (reading.fault, reading.what_if) == (None, 4)
    assert reading.match is not None
    assert reading.match.number == 4 + told
    assert record_lines(reading.match)[1:5] == list(record[1:5])


class FakeTrials:
    """Tells what a test says."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[tuple[object, ...]] = []
        self.told: object = TriedOut(SeatChances(400, (0.5, 0.3, 0.2), (0.04, 0.001, 0.03)))

    def try_out(self, _record: object, *asked: object) -> object:
        """Try out."""
        self.asked.append(asked)
        return self.told

    def play_out(self, _record: object, *asked: object) -> object:
        """Play out."""
        self.asked.append(asked)
        return self.told


def test_bots_play_on_from_a_what_if(cinema: Cinema, tmp_path: Path) -> None:
    trials = FakeTrials()
    history = History(tmp_path / "journal.sqlite3")
    browser = room_with(match_of(), tmp_path, history=history, trials=trials).browser()
    home = f"/history/{cinema.numbers['coyote']}/film/what-if/3"
    page = browser.get(home).text
    assert 'name="bots" value="tries"' in page
    told = browser.get(f"{home}?bots=tries&strength=strong").text
    assert "in 400 tries" in told
    assert "What if: 30 %, give or take 1" in told
    assert "chance played" not in told
    trials.told = TriedOut(SeatChances(9, (1.0, 0, 0), (1.0, 1, 1)), SeatChances(9, (0, 1.0, 0), (0.1, 1, 1)))
    assert "As it was: 100 %, give or take 100" in browser.get(f"{home}?bots=tries&strength=x").text
    for word, line in (
        ("busy", "something else"),
        ("often", "for a minute"),
        ("failed", "play on from"),
    ):
        trials.told = word
        refused = browser.get(f"{home}?bots=tries")
        assert refused.status_code == 503
        assert line in refused.text
    trials.told = "W10"
    assert browser.get(f"{home}?bots=play").headers["Location"] == f"{home}?said=W10"
    assert [asked[:3] for asked in trials.asked[:2]] == [(3, "W10", "strong"), (3, "W10", "plain")]


def test_bots_tell_nothing_of_a_match_that_goes_on(cinema: Cinema, tmp_path: Path) -> None:
    trials = FakeTrials()
    history = History(tmp_path / "journal.sqlite3")
    browser = room_with(match_of(), tmp_path, history=history, trials=trials).browser()
    answer = browser.get(f"/history/{cinema.numbers['open']}/film/what-if/3?bots=tries")
    assert (answer.status_code, trials.asked) == (409, [])


def test_a_match_that_goes_on_has_no_what_if(cinema: Cinema) -> None:
    browser, number = cinema.room.browser(), cinema.numbers["open"]
    refused = browser.get(f"/history/{number}/film/what-if/2")
    assert refused.status_code == 409
    assert "waits until the match is over" in refused.text
    assert browser.get(f"/history/{number}/film/what-if/2.jsonl").status_code == 400
    page = browser.get(f"/history/{number}/film?at=2").text
    assert "waits until the match is over" in page
    assert "/what-if/" not in page


@pytest.mark.parametrize("said", ["x", "e30", "W10x", "A" * 30_000, "WzFd", "W1siYSIsMSwwXV0"])
def test_a_damaged_link_is_refused_in_a_line(cinema: Cinema, said: str) -> None:
    browser, number = cinema.room.browser(), cinema.numbers["coyote"]
    assert browser.get(f"/history/{number}/film/what-if/2?said={said}").status_code == 400


def test_an_answer_that_the_rules_refuse_is_told_on_the_page(cinema: Cinema) -> None:
    browser, number = cinema.room.browser(), cinema.numbers["coyote"]
    refused = browser.get(f"/history/{number}/film/what-if/1?ask=announce&seat=0&number=0")
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
    assert "Other answers so far" not in refused.text


# a file


def send(browser: Browser, content: bytes, form: str | None = None) -> tuple[int, str]:
    hidden = re.search(r'name="form" value="([^"]*)"', browser.get("/history").text)
    token = form if form is not None else hidden[1] if hidden else ""
    data = {"form": token, "match": (BytesIO(content), "match.jsonl")}
    reply = browser.client.post("/film", data=data, content_type="multipart/form-data")
    return reply.status_code, reply.headers.get("Location", reply.text)


def record_bytes(match: Match) -> bytes:
    return "".join(f"{line}\n" for line in record_lines(match)).encode()


def test_a_file_is_looked_at_and_not_kept(cinema: Cinema) -> None:
    browser = cinema.room.browser().sit(0)
    count = len(cinema.journal.matches())
    code, where = send(browser, record_bytes(play_match(GAMES["coup"])))
    assert code == 303
    assert browser.get(where).status_code == 200
    assert browser.get(f"{where}/3").status_code == 200
    assert browser.get(f"{where}/what-if/3").status_code == 200
    assert browser.get(f"{where}/3.jpg").status_code == 404
    assert len(cinema.journal.matches()) == count
    assert browser.get("/film/unknown").status_code == 404


def test_a_what_if_says_that_it_is_one(cinema: Cinema) -> None:
    browser, number = cinema.room.browser().host(), cinema.numbers["coyote"]
    said = answer(browser, f"/history/{number}/film/what-if/2", "", Random(1))
    code, where = send(browser, browser.get(f"/history/{number}/film/what-if/2.jsonl?said={said}").data)
    assert code == 303
    assert "From moment 2 on nothing of this was played" in browser.get(where).text
    assert 'class="ribbon' in browser.get(f"{where}?at=3").text
    assert 'class="ribbon' not in browser.get(f"{where}?at=2").text


def test_files_of_strangers_and_bad_files_are_refused(cinema: Cinema) -> None:
    stranger, player = cinema.room.browser(), cinema.room.browser().sit(1)
    good = record_bytes(play_match(GAMES["coyote"]))
    stranger.get("/")
    assert send(stranger, good)[0] == 403
    assert send(player, good, form="wrong")[0] == 403
    assert send(player, b"")[0] == 400
    assert send(player, b"\xff\x00hello")[0] == 400
    assert send(player, b"x" * 420_000)[0] == 413
    assert [send(player, b"hello")[0] for _again in range(5)][-1] == 429


def test_files_are_remembered_within_bounds() -> None:
    opened = OpenedFiles()
    tokens = [opened.open(["x" * 100]) for _number in range(OPENED + 2)]
    assert [opened.lines(token) is None for token in tokens] == [True] * 2 + [False] * OPENED
    large = opened.open(["x" * (TOTAL - 50)])
    assert opened.lines(large) is not None
    assert opened.lines(tokens[-1]) is None


# sharing


def test_a_film_is_sent_as_a_file(cinema: Cinema) -> None:
    browser, number = cinema.room.browser(), cinema.numbers["coyote"]
    reply = browser.get(f"/history/{number}/film.html")
    assert reply.data == b"<!doctype html>film"
    assert reply.headers["Content-Disposition"] == f'attachment; filename="match-{number}.html"'
    assert browser.get("/history/99/film.html").status_code == 404
    failed = browser.get(f"/history/{number}/score.png")
    assert failed.status_code == 503
    assert "be made now" in failed.text
    codes = [browser.get(f"/history/{number}/film.html").status_code for _again in range(6)]
    assert codes[-1] == 429


def test_an_evening_is_summed_up(cinema: Cinema) -> None:
    browser = cinema.room.browser()
    page = browser.get("/evenings/2026-01-02")
    assert page.status_code == 200
    assert "Matches: 6" in page.text
    text = browser.get("/evenings/2026-01-02.txt").text
    assert text.startswith("Evening of 2026-01-02\n")
    assert "Coup" in text
    for day in ("2026-01-03", "x", "%00", "9" * 400):
        assert browser.get(f"/evenings/{day}").status_code == 404
    for page_of_match in ("", "/film"):
        links = browser.get(f"/history/{cinema.numbers['coyote']}{page_of_match}").text
        for link in ("/film.html", "/score.png", "/evenings/2026-01-02"):
            assert link in links
