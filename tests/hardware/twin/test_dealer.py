"""The twin's dealer knows where every card is, and the referee never contradicts what is true."""

from collections import Counter
from random import Random

import pytest

from hardware.twin.dealer import (
    MISCHIEF,
    DealtMatch,
    ShortError,
    answer_of,
    deal_match,
    follow_as_told,
    follow_rulings,
    lay_honestly,
    step,
)
from referee.contract import DISCARD, PILE, Answer, Game, Reason, Refusal, Show, make_ruling
from referee.games.coyote import COYOTE
from referee.games.coyote.hands import forehead
from referee.games.coyote.house import doubling_of
from referee.games.coyote.rules import step_ruling
from referee.games.coyote.score import tally
from referee.match import hear
from tests.hardware.twin.matches import expect_accepted, play_honestly, some_tables
from tests.referee.tables import OUTER, after_any, new_match

every_coyote = pytest.mark.parametrize(
    ("game", "rules", "seats"), [table for table in OUTER if table.values[0] is COYOTE]
)


def show_of(table: DealtMatch) -> Show | None:
    """Give the present ask for cards, if there is one."""
    return next((ask for ask in table.match.asks if isinstance(ask, Show)), None)


@some_tables
def test_no_card_is_lost_and_the_truth_is_never_refused(game: Game, rules: str, seats: int) -> None:
    rng = Random(seats)
    table = deal_match(new_match(game, rules, seats), rng)
    deck = game.deck(game.settings[rules])
    while table.match.asks:
        assert Counter(card for cards in table.truth.values() for card in cards) == Counter(deck.counts)
        ask = show_of(table)
        if ask is not None:
            cards, _owners = lay_honestly(table, ask)
            # where there is something else to say, there may be nothing fair to lay
            assert len(cards) == ask.count or (not cards and len(table.match.asks) > 1)
            assert all(Counter(cards)[card] <= ask.among[card] for card in cards)
            assert not Counter(ask.must) - Counter(cards)
        table = expect_accepted(step(table, rng))
    assert table.match.outcome is not None


@some_tables
def test_mischief_is_refused_or_could_be_true(game: Game, rules: str, seats: int) -> None:
    rng = Random(seats + 2)
    table = deal_match(new_match(game, rules, seats), rng)
    while table.match.asks:
        ask = show_of(table)
        for name, lay in MISCHIEF.items() if ask is not None and lay_honestly(table, ask)[0] else ():
            cards, owners = lay(table, ask)
            after = hear(table.match, Answer(table.match.number, ask.key, cards, owners=owners))
            if name in {"one missing", "one too many"}:
                assert isinstance(after, Refusal)
                assert after.reason is Reason.CARD_COUNT
            elif isinstance(after, Refusal):
                assert after.values["card"] in cards or after.reason is Reason.CARD_MISSING
        table = expect_accepted(step(table, rng))


@every_coyote
def test_the_verdict_is_what_the_cards_say(game: Game, rules: str, seats: int) -> None:
    """A mark in a duel is due to the cards that were really worn; the referee's discard is the pile's."""
    rng = Random(seats + 4)
    table = deal_match(new_match(game, rules, seats), rng)
    while table.match.asks:
        assert not Counter(table.match.state.discard) - Counter(table.truth.get(DISCARD, ()))
        after = expect_accepted(step(table, rng))
        verdict = next((r for r in after.match.rulings if r.key in {"enough", "short"}), None)
        if verdict is not None:
            told = after.match.state.told
            drawn = next((r.values["cards"] for r in after.match.rulings if r.key == "count-draw"), ())
            total = tally(told.cards, drawn, doubling_of(game.settings[rules]))
            assert verdict.values["total"] == total.total
            assert (verdict.key == "enough") == (total.total >= verdict.values["number"])
            assert [step_ruling(s) for s in total.steps] == [
                r for r in after.match.rulings if r.key.startswith("count-")
            ]
        table = after


def test_owners_are_told_where_the_twin_knows_them() -> None:
    rng = Random(1)
    table = deal_match(new_match(COYOTE, "kidult", 3), rng)
    while (ask := show_of(table)) is None:
        table = expect_accepted(step(table, rng))
    cards, owners = lay_honestly(table, ask)
    assert cards == tuple(table.truth[forehead(seat)][-1] for seat in range(3))
    assert owners == (0, 1, 2)
    assert answer_of(table, Random(1)).owners == owners


def test_the_same_seed_deals_the_same_match() -> None:
    one, other = (
        play_honestly(deal_match(new_match(COYOTE, "gigamic", 4), Random(5)), Random(6)) for _time in "ab"
    )
    assert one.match.state == other.match.state
    assert one.truth == other.truth


def test_cards_that_are_not_there_can_not_be_moved() -> None:
    table = deal_match(new_match(COYOTE, "kidult", 3), Random(1))
    table = expect_accepted(step(table, Random(1)))
    empty = {**table.truth, PILE: ()}
    extra = table.match.__class__(
        table.match.setup, table.match.position, (make_ruling("extra", seat=0, target=1),), table.match.number
    )
    with pytest.raises(ShortError):
        follow_rulings(empty, extra, Random(1))


@some_tables
def test_what_people_say_of_cards_is_believed_and_no_card_lost(game: Game, rules: str, seats: int) -> None:
    """Any legal answer may name cards that lie elsewhere: they change places."""
    rng = Random(seats)
    match = new_match(game, rules, seats)
    truth = deal_match(match, rng).truth
    before = sum(map(len, truth.values()))
    for _answer in range(60):
        if not match.asks:
            break
        match = after_any(match, rng)
        truth = follow_as_told(truth, match, rng)
        assert sum(map(len, truth.values())) == before
