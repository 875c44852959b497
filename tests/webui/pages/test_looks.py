"""What pages are drawn with: files, games' colours and symbols, cards; each under an address of its own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.start.pages.look_door import Looks
from referee.games.catalogue import GAMES
from tests.browser.moments import MOMENTS, find_match
from tests.webui.room import Room, match_of, room_with
from tests.webui.wire import bytes_on_the_wire, fetched_files, get_packed

DECK = "coyote-kidult"
FOR_GOOD = "public, max-age=31536000, immutable"


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, looks=Looks())


def test_what_a_page_names_is_kept_for_good_and_packed(room: Room) -> None:
    browser = room.browser()
    named = fetched_files(browser.get("/").text)
    assert {"look.css", "score.css", "live.js", "games.css", "coyote.svg"} <= {
        name.rsplit("/", 1)[1] for name in named
    }
    for name in named:
        sent, plain = get_packed(browser, name), browser.get(name)
        assert sent.headers["Cache-Control"] == plain.headers["Cache-Control"] == FOR_GOOD
        assert sent.headers["Content-Type"] == plain.headers["Content-Type"]
        assert len(sent.data) <= len(plain.data)


def test_an_address_of_an_older_version_is_asked_again_each_time(room: Room) -> None:
    for address in (
        "/file/old/look.css",
        "/look/old/games.css",
        "/look/old/coyote.svg",
        f"/cards/old/{DECK}/full/back.svg",
    ):
        sent = room.browser().get(address)
        assert (sent.status_code, sent.headers["Cache-Control"]) == (200, "no-cache"), address


@pytest.mark.parametrize(
    "address",
    [
        "/file/x/nothing.css", "/file/x/../app.py", "/look/x/nothing.svg", f"/cards/x/{DECK}/full/nothing.svg",
        "/cards/x/nothing/full/8.svg", f"/cards/x/{DECK}/huge/back.svg",
    ],
)  # fmt: skip
def test_what_there_isn_t_is_not_found(room: Room, address: str) -> None:
    assert room.browser().get(address).status_code == 404


def test_fonts_come_from_the_table_itself_with_their_licence(room: Room) -> None:
    browser = room.browser()
    (sheet,) = (name for name in fetched_files(browser.get("/").text) if name.endswith("/look.css"))
    policy = browser.get("/").headers["Content-Security-Policy"]
    assert "font-src 'self'" in policy
    assert "media-src 'self'" in policy
    font = browser.get(sheet.replace("look.css", "fonts/mesa-700.woff2"))
    assert (font.headers["Content-Type"], font.data[:4]) == ("font/woff2", b"wOF2")
    assert "SIL" in browser.get(sheet.replace("look.css", "fonts/OFL.txt")).text


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


def test_a_first_visit_fits_on_the_wire(room: Room) -> None:
    weights = bytes_on_the_wire(room.browser(), "/")
    assert sum(weights.values()) < 60_000, weights


@pytest.mark.parametrize("name", ["ogallala-place", "plenty-coups-winter", "coyote-count"])
def test_a_first_visit_amid_a_match_fits_on_the_wire(room: Room, name: str) -> None:
    room.door.match = find_match(next(each for each in MOMENTS if f"{each.game}-{each.name}" == name))
    weights = bytes_on_the_wire(room.browser(), "/")
    assert sum(weights.values()) < 60_000, weights


def some_faces() -> Iterator[tuple[str, str]]:
    """Name the back, the first face and the last of every deck."""
    for game in GAMES.values():
        for deck in map(game.deck, game.settings.values()):
            faces = tuple(deck.counts)
            yield from ((deck.name, face) for face in ("", faces[0], faces[-1]))


def test_every_card_is_drawn_light_enough_for_a_hand_of_them() -> None:
    looks = Looks()
    for deck, face in sorted(set(some_faces())):
        full, small = (looks.card(deck, face, is_small=is_small) for is_small in (False, True))
        assert full is not None
        assert small is not None
        assert len(small) <= len(full) < 40_000, (deck, face)
