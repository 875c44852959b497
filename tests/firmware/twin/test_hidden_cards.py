"""The simulated table hides cards from viewers who may not see them, and offers those a seat may lay."""

import re
from collections.abc import Collection
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

from firmware.table.cards import show_ask
from hardware.twin.bots import BOTS
from hardware.twin.dealer import deal_match
from hardware.twin.tabletop import is_seen
from referee.contract import DISCARD, Game
from referee.games.catalogue import GAMES
from referee.games.plenty_coups.hands import NEUTRAL_HAND
from tests.firmware.twin.twin_tables import NoBots, simulated, world_of
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match
from tests.table_in_memory import ClientInMemory
from tests.tiers import tiered
from tests.webui.room import Browser, events_of, room_with

MOMENTS, CHECK_INTERVAL = tiered((40, 20), (120, 10))
OPEN_DISCARDS = frozenset({"plenty-coups"})
"""Games that shuffle their discards while they are still face up: this table is never tidied."""
HANDS = frozenset({"coyote", "coup", "coup-d-etat", "plenty-coups"})
"""Games with hands of cards; the others show nothing before a card is laid."""


NAMED_CARDS = re.compile(r'<figure class="claimed.*?</figure>|<button class="choice".*?</button>', re.DOTALL)
"""Pictures of merely named cards: claimed by a player, or offered as an answer."""


def faces_pictured(page: str) -> set[str]:
    shown = re.findall(r"/twin/card/[^/]+/([^\"]+?)\.png", NAMED_CARDS.sub("", page))
    return {unquote(face) for face in shown} - {"back"}


def every_number(game: Game) -> Collection[int]:
    return game.rules.seats(next(iter(game.rules.settings.values())))


def first_event(browser: Browser) -> str:
    with browser.get("/twin/events") as response:
        assert response.status_code == 200
        return next(events_of(response.iter_encoded()))["data"]


CASES = [
    (name, seats) for name in BOTS for seats in tiered((4,), (3, 4, 6)) if seats in every_number(GAMES[name])
]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_pages_show_only_visible_cards(name: str, seats: int, tmp_path: Path) -> None:
    rng = Random(f"hidden {name} {seats}")
    game = GAMES[name]
    match = new_match(game, next(iter(game.rules.settings)), seats)
    client, looked, swept = ClientInMemory(match), 0, set[str]()
    with world_of(match, tmp_path) as world:
        room = room_with(match, tmp_path, client=client, twin=simulated(client, world, NoBots()))
        host, stranger = room.browser().host(), room.browser()
        sitting = [room.browser().sit(seat) for seat in range(seats)]
        for number, (table, _answer) in enumerate(moments_by_bots(deal_match(match, Random(0)), rng)):
            client.match, truth = table.match, world.truth(table.match)
            swept.update(truth.get(DISCARD, ()))
            if number % CHECK_INTERVAL:
                continue
            if number > MOMENTS:
                break
            for seat, browser in [(None, host), (None, stranger), *enumerate(sitting)]:
                may = {face for zone, cards in truth.items() if is_seen(game, zone, seat) for face in cards}
                may |= swept if name in OPEN_DISCARDS else set()
                for page in (browser.get("/twin").text, first_event(browser)):
                    shown = faces_pictured(page)
                    assert shown <= may
                    looked += bool(shown)
    assert looked or name not in HANDS


def test_player_of_neutral_clan_lays_its_cards(tmp_path: Path) -> None:
    game = GAMES["plenty-coups"]
    match = new_match(game, next(iter(game.rules.settings)), 2)
    client = ClientInMemory(match)
    with world_of(match, tmp_path) as world:
        twin = simulated(client, world, NoBots())
        for table, _answer in moments_by_bots(deal_match(match, Random(0)), Random(1)):
            client.match = table.match
            ask = show_ask(table.match)
            if ask is not None and ask.seats and NEUTRAL_HAND in game.table.sources(table.match.state, ask):
                break
        else:
            raise AssertionError("no seat played for the neutral clan")
        assert ask is not None
        for seat in range(2):
            own = [card.where for card in twin.table(seat).chairs[seat].cards]
            assert (NEUTRAL_HAND.name in own) == (seat in ask.seats)
        assert all(card.where != NEUTRAL_HAND.name for chair in twin.table(None).chairs for card in chair.cards)
        assert twin.lay(ask.seats[0], NEUTRAL_HAND.name, 0, None)
        assert NEUTRAL_HAND in [card.origin for card in world.sight(table.match, None).lying]
