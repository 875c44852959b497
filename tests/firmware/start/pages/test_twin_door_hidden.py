"""No page of the simulated table, drawn for any viewer, names a card that this viewer may not see."""

import re
from collections.abc import Collection
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

from firmware.language.catalogues import language, languages
from firmware.storage.table_zones import seat_zones
from firmware.twin.world import World
from hardware.twin.bots import BOTS
from hardware.twin.dealer import deal_match
from hardware.twin.tabletop import is_seen
from referee.contract import DISCARD, Game
from referee.games.catalogue import GAMES
from tests.firmware.start.pages.table_without_bots import table_without_bots
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match
from tests.webui.listening import events_of
from tests.webui.room import ADDRESS, Browser, FakeDoor, Room, unlimited_attempts
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.server.app import create_app

MOMENTS, EVERY = 120, 10
LYING = frozenset({"plenty-coups"})
"""Games whose discards are shuffled while they still lie there openly: this table is never tidied."""
HANDS = frozenset({"coyote", "coup", "coup-d-etat", "plenty-coups"})
"""Games whose players hold cards; of the others there is nothing to see before a card is laid."""


SPOKEN_OF = re.compile(r'<figure class="claimed.*?</figure>|<button class="choice".*?</button>', re.DOTALL)
"""Pictures of cards that are only spoken of: claimed by a player, or offered as an answer."""


def faces_pictured(page: str) -> set[str]:
    """List the faces of cards that a page shows as lying, held or worn."""
    shown = re.findall(r"/twin/card/[^/]+/([^\"]+?)\.png", SPOKEN_OF.sub("", page))
    return {unquote(face) for face in shown} - {"back"}


def every_number(game: Game) -> Collection[int]:
    """List how many may play."""
    return game.seats(next(iter(game.settings.values())))


def first_event(browser: Browser) -> str:
    """Give what the page is told when it begins to listen."""
    with browser.get("/twin/events") as response:
        assert response.status_code == 200
        return next(events_of(response.iter_encoded()))["data"]


CASES = [(name, seats) for name in BOTS for seats in (3, 4, 6) if seats in every_number(GAMES[name])]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_pages_show_what_their_viewer_may_see(name: str, seats: int, tmp_path: Path) -> None:
    rng = Random(f"hidden {name} {seats}")
    game = GAMES[name]
    match = new_match(game, next(iter(game.settings)), seats)
    world = World(match, lambda count: seat_zones(count, 844.0, 556.0), tmp_path / "camera.bmp")
    door, links_file = FakeDoor(match), LinksFile(tmp_path / "links.json")
    twin = table_without_bots(door, world)
    spoken = {code: language(code) for code in languages()}
    handed = Services(
        door, links_file, spoken, "en", lambda told, _listener: str(told), lambda: ADDRESS, twin=twin
    )
    room = Room(door, links_file, create_app(handed, unlimited_attempts()))
    host = room.browser().host()
    sitting = [room.browser().sit(seat) for seat in range(seats)]
    looked, swept = 0, set[str]()
    try:
        for number, (table, _answer) in enumerate(moments_by_bots(deal_match(match, Random(0)), rng)):
            door.match = table.match
            swept.update(world.truth(table.match).get(DISCARD, ()))
            if number % EVERY:
                continue
            if number > MOMENTS:
                break
            truth = world.truth(table.match)
            for seat, browser in [(None, host), (None, room.browser()), *enumerate(sitting)]:
                may = {face for zone, cards in truth.items() if is_seen(zone, seat) for face in cards}
                may |= swept if name in LYING else set()
                for page in (browser.get("/twin").text, first_event(browser)):
                    shown = faces_pictured(page)
                    assert shown <= may
                    looked += bool(shown)
        assert looked or name not in HANDS
    finally:
        world.close()
