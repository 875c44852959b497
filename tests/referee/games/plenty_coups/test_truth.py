"""Whole matches with the twin's dealer, who knows the hidden cards: cards, horses and markers are kept."""

from collections import Counter
from random import Random

import msgspec
import pytest

from hardware.twin.dealer import DealtMatch, deal_match, step
from hardware.twin.player import any_answer
from referee.contract import Option, Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.deck import CLANS
from referee.games.plenty_coups.deck import PLENTY_COUPS as DECK
from referee.games.plenty_coups.state import player_of
from referee.match import hear
from tests.referee.games.plenty_coups.twin_truth import check_truth, state_of
from tests.referee.tables import new_match

every_seating = pytest.mark.parametrize("players", range(2, 7))
every_setting = pytest.mark.parametrize("rules", PLENTY_COUPS.settings)


def play_honestly(rules: str, players: int, seed: int) -> list[DealtMatch]:
    """Play a match honestly; list all its moments."""
    rng = Random(seed)
    tables = [deal_match(new_match(PLENTY_COUPS, rules, players), rng)]
    while tables[-1].match.asks:
        after = step(tables[-1], rng)
        assert not isinstance(after, Refusal), after
        tables.append(after)
    return tables


@every_setting
@every_seating
def test_cards_horses_and_markers_are_kept(rules: str, players: int) -> None:
    for table in play_honestly(rules, players, players):
        check_truth(table)


NORMAL = {10: {3, 2}, 11: {2, 1}, 12: {1, 0}}
"""Cards that a hand has at the end of a turn in winter; one less after two weapons in the tenth round."""


@every_seating
def test_three_cards_are_left_after_every_turn(players: int) -> None:
    """As long as no clan has shown two weapons in the tenth round, the count is exact."""
    moments = play_honestly("rule text", players, players + 20)
    rnd = 0
    for table in moments:
        for ruling in table.match.rulings:
            rnd += ruling.key == "round"
            if ruling.key == "turn-over":
                assert ruling.values["cards"] in NORMAL.get(rnd, {3})
    assert rnd == 12


@every_seating
def test_everybody_has_as_many_turns(players: int) -> None:
    moments = play_honestly("rule text", players, players + 30)
    turns = Counter(
        ruling.values["seat"]
        for table in moments
        for ruling in table.match.rulings
        if ruling.key == "turn-over"
    )
    assert set(turns.values()) == {12}
    assert len(turns) == max(players, 3)


@every_seating
def test_no_state_names_a_card_that_was_never_shown(players: int) -> None:
    """Every face that a state or a view names was laid open or taken in sight; and all see the same."""
    rng = Random(players + 40)
    match, public = new_match(PLENTY_COUPS, "rule text", players), set(CLANS)
    while match.asks:
        answer = any_answer(match.asks, match.number, rng)
        value = answer.value
        public |= set(value) if isinstance(value, tuple) else {getattr(value, "face", None)}
        if isinstance(value, Option) and value.word in {"breed", "taunt", "feat", "score"}:
            public |= {"horse" if value.word == "breed" else "staff"}
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        match = after
        views = {
            msgspec.json.encode(PLENTY_COUPS.view(match.state, viewer)) for viewer in (None, *range(players))
        }
        assert len(views) == 1
        text = (msgspec.json.encode(match.state) + views.pop()).decode()
        assert {face for face in DECK.counts if f'"{face}"' in text} <= public


def test_two_players_take_turns_with_the_neutral_clan() -> None:
    voices = {}
    for table in play_honestly("rule text", 2, 3):
        state = state_of(table)
        if state.round:
            voices[state.round] = player_of(state, 2)
    elder = state.elder
    assert [voices[rnd] for rnd in range(1, 13)] == [elder, 1 - elder] * 6
