"""Assets of pages: files, games' colours and symbols, cards; each with its own address."""

import re
from pathlib import Path

import pytest

from firmware.services.looks import Looks
from referee.games.catalogue import GAMES
from tests.webui.room import Room, match_of, room_with

DECK = "coyote-kidult"
FOR_GOOD = "public, max-age=31536000, immutable"
NAMED = re.compile(r'(?:src|href)="(/(?:file|look|cards)/[^"#]+)')


def fetched_files(page: str) -> set[str]:
    return set(NAMED.findall(page))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, looks=Looks())


def test_assets_are_cached_and_compressed(room: Room) -> None:
    browser = room.browser()
    named = fetched_files(browser.get("/").text)
    assert {"look.css", "score.css", "live.js", "games.css", "coyote.svg"} <= {
        name.rsplit("/", 1)[1] for name in named
    }
    for name in named:
        sent = browser.client.get(name, headers={"Accept-Encoding": "gzip"})
        assert sent.status_code == 200, name
        plain = browser.get(name)
        assert sent.headers["Cache-Control"] == plain.headers["Cache-Control"] == FOR_GOOD
        assert sent.headers["Content-Type"] == plain.headers["Content-Type"]
        assert len(sent.data) <= len(plain.data)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        # an outdated address still serves the newest file
        ("/file/old/look.css", 200),
        ("/look/old/games.css", 200),
        (f"/cards/old/{DECK}/full/back.svg", 200),
        ("/file/x/nothing.css", 404),
        ("/file/x/../app.py", 404),
        ("/look/x/nothing.svg", 404),
        (f"/cards/x/{DECK}/full/nothing.svg", 404),
        ("/cards/x/nothing/full/8.svg", 404),
        (f"/cards/x/{DECK}/huge/back.svg", 404),
    ],
)
def test_outdated_assets_are_not_cached_and_others_missing(room: Room, address: str, code: int) -> None:
    sent = room.browser().get(address)
    assert sent.status_code == code
    assert "immutable" not in sent.headers["Cache-Control"]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_its_colours_and_symbols(tmp_path: Path, name: str) -> None:
    room = room_with(match_of(GAMES[name]), tmp_path, looks=Looks())
    page = room.browser().get("/").text
    (sprite,) = (each for each in fetched_files(page) if each.endswith(f"/{name}.svg"))
    symbols = set(re.findall('id="([^"]+)"', room.browser().get(sprite).text))
    style = Looks().style(name)
    assert style.sign in symbols
    assert set(style.signs.values()) <= symbols
    sheet = next(each for each in fetched_files(page) if each.endswith("games.css"))
    assert f".look-{name}" in room.browser().get(sheet).text
