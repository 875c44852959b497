"""Hidden cards never leave a table: a line names no card that the open table hasn't shown or heard named."""

from random import Random

import msgspec
import pytest

from firmware.language.speaking import LANGUAGE
from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import Answer, Game, Option, Refusal, Show
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.public_moment import encode_moment
from referee.record import entry_line
from tests.referee.tables import new_match
from tests.tiers import tiered
from tests.webui.access.hiding import states, tables_of, unshown_cards, words_in

MOMENTS = tiered(100, 400)

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@each_game
def test_a_line_names_only_cards_that_were_laid_open_or_said_aloud(game: Game) -> None:
    rng, seen = Random(game.name), 0
    while seen < MOMENTS:
        rules, seats = rng.choice(tables_of(game))
        table = deal_match(new_match(game, rules, seats), rng)
        while table.match.asks and seen < MOMENTS:
            before = table
            after = step(table, rng)
            assert not isinstance(after, Refusal)
            table, seen = after, seen + 1
            entry = table.match.entry
            assert isinstance(entry, Answer)
            faces = frozenset(game.table.deck(table.match.state.house).counts)
            assert words_in(msgspec.json.decode(entry_line(entry))) & faces <= open_words(before, entry)


def open_words(before: DealtMatch, entry: Answer) -> frozenset[str]:
    """Name the cards that an answer shows or says by itself: laid face up, or chosen aloud."""
    ask = ask_named(before.match.asks, entry.ask)
    if isinstance(ask, Show):
        assert isinstance(entry.value, tuple)
        return frozenset(entry.value)
    if isinstance(entry.value, Option):
        return frozenset(filter(None, (entry.value.word, entry.value.face)))
    return frozenset()


@each_game
def test_the_hub_tells_no_card_that_was_not_shown_and_no_seat_more_than_a_stranger(game: Game) -> None:
    for _number, (table, said) in zip(range(MOMENTS), states(game, Random(f"told {game.name}")), strict=False):
        viewers = (None, *range(len(table.match.setup.names)))
        assert len({msgspec.json.encode(game.shown.view(table.match.state, each)) for each in viewers}) == 1
        assert not unshown_cards(table, said)
        faces = frozenset(game.table.deck(table.match.state.house).counts)
        told = {card["face"] for card in msgspec.json.decode(encode_moment(table.match, LANGUAGE))["cards"]}
        assert told & faces <= said
