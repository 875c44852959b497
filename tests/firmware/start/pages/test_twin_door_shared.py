"""A hand that two players play from in turn: on the simulated table, the seat that is asked has it at hand."""

from pathlib import Path
from random import Random

from firmware.core.cards import show_ask
from firmware.storage.table_zones import seat_zones
from firmware.twin.world import World
from hardware.twin.dealer import deal_match
from hardware.twin.tabletop import COMMON
from referee.games.catalogue import GAMES
from tests.firmware.start.pages.table_without_bots import table_without_bots
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match
from tests.webui.room import FakeDoor


def test_the_player_of_the_neutral_clan_lays_its_cards(tmp_path: Path) -> None:
    game = GAMES["plenty-coups"]
    match = new_match(game, next(iter(game.settings)), 2)
    world = World(match, lambda count: seat_zones(count, 844.0, 556.0), tmp_path / "camera.bmp")
    door = FakeDoor(match)
    twin = table_without_bots(door, world)
    try:
        for table, _answer in moments_by_bots(deal_match(match, Random(0)), Random(1)):
            door.match = table.match
            ask = show_ask(table.match)
            if ask is not None and ask.seats and COMMON in game.sources(table.match.state, ask):
                break
        else:
            raise AssertionError("no seat played for the neutral clan")
        assert ask is not None
        for seat in range(2):
            own = [card.where for card in twin.table(seat).chairs[seat].cards]
            assert (COMMON.name in own) == (seat in ask.seats)
        assert all(card.where != COMMON.name for chair in twin.table(None).chairs for card in chair.cards)
        assert twin.lay(ask.seats[0], COMMON.name, 0, None)
        assert COMMON in [card.origin for card in world.sight(table.match, None).lying]
    finally:
        world.close()
