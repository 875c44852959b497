"""Films: a script-free page per moment, hidden information, files and sharing."""

import re
from io import BytesIO
from pathlib import Path

import pytest

from firmware.services.looks import Looks
from firmware.services.match_files import play_file
from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from referee.games.catalogue import GAMES
from referee.record import record_lines
from tests.webui.fakes import CallRecorder
from tests.webui.matches import play_match
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.server.film_sources import MAX_FILES, OpenedFiles

PLAIN = 200_000  # maximum bytes of a film's page before its pictures

# plays files like the separate process
PLAYER = CallRecorder(read=lambda file: play_file(None, file) or "no match")
FILMS = CallRecorder(film=lambda *_asked: b"<!doctype html>film", score_card=lambda *_asked: None)


NUMBERS = {name: number for number, name in enumerate(GAMES, 1)}


@pytest.fixture
def cinema(tmp_path: Path, journal: Journal) -> Room:
    """A room whose table has a match of each game, and an open one."""
    for game in GAMES.values():
        journal.begin(play_match(game))
    journal.begin(play_match(GAMES["coyote"], moments=9))
    more = {"films": FILMS, "match_files": PLAYER, "history": History(tmp_path / "journal.sqlite3")}
    return room_with(match_of(), tmp_path, looks=Looks(), **more)


@pytest.mark.parametrize("game", GAMES)
def test_each_moment_page_links_to_the_next(cinema: Room, game: str) -> None:
    browser, home = cinema.browser(), f"/history/{NUMBERS[game]}/film"
    last = play_match(GAMES[game]).number
    for at in {0, 1, last // 2, last}:
        page = browser.get(f"{home}?at={at}")
        assert page.status_code == 200
        assert f'href="{home}?at={min(last, at + 1)}" rel="next"' in page.text
        assert f'href="{home}?at={max(0, at - 1)}" rel="prev"' in page.text
        assert len(page.data) < PLAIN
    assert f'data-last="{last}"' in browser.get(f"{home}?at=999999").text
    assert browser.get(f"{home}/{last + 1}").status_code == 404
    assert browser.get("/history/99/film").status_code == 404
    assert browser.get(f"/history/{2**63}/film").status_code == 404


def send(browser: Browser, content: bytes, name: str = "match.jsonl") -> tuple[int, str]:
    token = hidden_fields(browser.get("/history").text, "/film")["form"]
    data = {"form": token, "match": (BytesIO(content), name)}
    reply = browser.client.post("/film", data=data, content_type="multipart/form-data")
    return reply.status_code, reply.headers.get("Location", reply.text)


def test_uploaded_match_is_shown_without_saving(cinema: Room, journal: Journal) -> None:
    browser = cinema.browser().sit(0)
    count = len(journal.matches())
    code, where = send(browser, "\n".join(record_lines(play_match(GAMES["coup"]))).encode())
    assert code == 303
    assert browser.get(where).status_code == 200
    assert browser.get(f"{where}/3").status_code == 200
    assert browser.get(f"{where}/3.jpg").status_code == 404
    assert len(journal.matches()) == count
    assert browser.get("/film/unknown").status_code == 404


def test_bad_match_files_are_refused(cinema: Room) -> None:
    player = cinema.browser().sit(1)
    for content, name, code in ((b"", "", 400), (b"\xff\x00hello", "a", 400), (b"x" * 420_000, "a", 413)):
        assert send(player, content, name=name)[0] == code
    assert [send(player, b"hello")[0] for _again in range(5)][-1] == 429


def test_uploaded_files_are_bounded() -> None:
    opened = OpenedFiles()
    tokens = [opened.open(b"x" * 100) for _number in range(MAX_FILES + 2)]
    assert [opened.played(token) is None for token in tokens] == [True] * 2 + [False] * MAX_FILES


def test_film_is_downloaded_as_a_file(cinema: Room) -> None:
    browser, number = cinema.browser(), NUMBERS["coyote"]
    reply = browser.get(f"/history/{number}/film.html")
    assert reply.data == b"<!doctype html>film"
    assert reply.headers["Content-Disposition"] == f'attachment; filename="match-{number}.html"'
    assert browser.get("/history/99/film.html").status_code == 404
    failed = browser.get(f"/history/{number}/score.png")
    assert failed.status_code == 503
    codes = [browser.get(f"/history/{number}/film.html").status_code for _again in range(6)]
    assert codes[-1] == 429


def test_evening_summary(cinema: Room) -> None:
    browser = cinema.browser()
    assert "Matches: 6" in browser.get("/evenings/2026-01-02").text
    assert browser.get("/evenings/2026-01-02.txt").text.startswith("Evening of 2026-01-02\n")
    page = browser.get("/evenings/2026-01-02").text
    moments = re.findall(r'href="(/history/\d+/film)\?at=(\d+)"', page)
    assert 0 < len(moments) <= 3
    assert all(browser.get(f"{film}/{at}").status_code == 200 for film, at in moments)
    assert all(title in page for title in ("Coyote", "Ogallala", "Plenty Coups"))
    for day in ("2026-01-03", "x", "%00", "9" * 400):
        assert browser.get(f"/evenings/{day}").status_code == 404
