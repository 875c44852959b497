"""Where a player and a card are chosen, one taps the player, then the card; each option is there once."""

import re
from html import unescape
from itertools import product
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.contract import Answer, Choice, Option, Transition
from referee.contract.words import phrase
from referee.games.coup import COUP
from referee.games.coup.state import DECK
from referee.match import Match, Setup, begin
from tests.altered_games import altered
from tests.given import allowed
from tests.webui.room import room_with

NAMES = ("Ana", "Bo", "Chloé", "Dédé", "Eve")
PAIRS = tuple(Option("fish", seat, face) for seat, face in product(range(1, 5), DECK.counts))
OTHERS = (Option("pass"), Option("steal", 1), Option("steal", 2))


def fishing(*, has_short: bool, others: tuple[Option, ...]) -> Match:
    """Begin a match of a game in which one asks a player for a card, as many a stranger's game does."""
    words = replace(
        COUP.words,
        asks={**COUP.words.asks, "fish": phrase("Whom do you ask for which card?")},
        options={**COUP.words.options, "fish": phrase("ask {seat:player} for {face:face}")},
        short={**COUP.words.short, **({"fish": phrase("ask for a card")} if has_short else {})},
    )
    game = altered(
        COUP,
        words=words,
        asks=lambda _state: (Choice("fish", (0,), (*PAIRS, *others)),),
        hear=lambda state, _answer: Transition(state, ()),
    )
    return allowed(begin(Setup(game, game.rules.settings["rule text"], NAMES)))


@pytest.mark.parametrize("has_short", [False, True])
@pytest.mark.parametrize("others", [(), OTHERS])
def test_a_player_and_a_card_are_chosen_one_after_the_other(
    tmp_path: Path, others: tuple[Option, ...], *, has_short: bool
) -> None:
    room = room_with(fishing(has_short=has_short, others=others), tmp_path)
    phone = room.browser().sit(0)
    page = phone.get("/seat").text
    values = map(unescape, re.findall(r'name="option" value="([^"]*)"', page))
    sent = [msgspec.json.decode(value, type=Option) for value in values]
    assert sorted(map(str, sent)) == sorted(map(str, (*PAIRS, *others)))
    assert page.count('class="bysuit aims"') == 1
    assert [page.count(f'role="group" aria-label="{name}"') for name in NAMES] == [0, 1, 1, 1, 1]
    for option in (PAIRS[7], *others[:1]):
        phone.send("/seat", "/seat/answer", option=msgspec.json.encode(option).decode())
        heard = room.door.entries[-1]
        assert isinstance(heard, Answer)
        assert heard.value == option
