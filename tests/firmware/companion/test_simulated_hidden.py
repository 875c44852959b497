"""No page of the simulated table, drawn for any viewer, names a card that this viewer may not see."""

import re
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.companion.shining import Shining, WatchedPin
from firmware.companion.twin import Twin
from firmware.companion.world import Fingers, World
from firmware.languages import language, languages
from firmware.zones import seat_zones
from hardware.board.board import our_boards
from hardware.twin.dealer import dealt
from hardware.twin.tabletop import is_seen
from referee.games import GAMES
from tests.hardware.twin.test_wits import played
from tests.referee.tables import new_match
from tests.webui.room import ADDRESS, FakeDoor, Room, patient
from webui.app import create_app
from webui.handed import Handed
from webui.keeping import Keeper

MOMENTS, EVERY = 120, 10


class Nobody:
    """Bots that play for nobody."""

    seats = frozenset[int]()


def pictured(page: str) -> set[str]:
    """List the faces whose pictures a page shows."""
    return {unquote(face) for face in re.findall(r"/twin/card/[^/]+/([^\"]+?)\.png", page)} - {"back"}


@pytest.mark.parametrize(
    ("name", "seats"), [("coyote", 3), ("coyote", 6), ("coup", 4), ("coup-d-etat", 3), ("coup-d-etat", 4)]
)
def test_pages_show_what_their_viewer_may_see(name: str, seats: int, tmp_path: Path) -> None:
    rng = Random(f"hidden {name} {seats}")
    game = GAMES[name]
    match = new_match(game, next(iter(game.settings)), seats)
    world = World(match, lambda count: seat_zones(count, 844.0, 556.0), tmp_path / "camera.bmp")
    board, factory = our_boards()["full"], MockFactory(pin_class=WatchedPin)
    door, keeper = FakeDoor(match), Keeper(tmp_path / "links.json")
    twin = Twin(door, world, Fingers(board, factory), Nobody(), Shining(board, factory))  # type: ignore[arg-type]
    spoken = {code: language(code) for code in languages()}
    handed = Handed(door, keeper, spoken, "en", lambda told, _listener: str(told), lambda: ADDRESS, twin=twin)
    room = Room(door, keeper, create_app(handed, patient()))
    host = room.browser().host()
    sitting = [room.browser().sit(seat) for seat in range(seats)]
    looked = 0
    try:
        for number, (table, _answer) in enumerate(played(dealt(match, Random(0)), rng)):
            door.match = table.match
            if number % EVERY:
                continue
            if number > MOMENTS:
                break
            truth = world.truth(table.match)
            for seat, browser in [(None, host), (None, room.browser()), *enumerate(sitting)]:
                may = {face for zone, cards in truth.items() if is_seen(zone, seat) for face in cards}
                shown = pictured(browser.get("/twin").text)
                assert shown <= may
                looked += bool(shown)
        assert looked
    finally:
        world.close()
