"""The twin's dealer tracks every card, and the referee never contradicts true answers."""

from collections import Counter
from random import Random

from hardware.twin.dealer import DealtMatch, deal_match, follow_as_told, lay_honestly
from referee.contract import Answer, Game, Reason, Refusal, Show
from referee.match import hear
from tests.hardware.twin.matches import MISTAKES, some_tables, stepped
from tests.referee.tables import after_any, new_match


def show_of(table: DealtMatch) -> Show | None:
    return next((ask for ask in table.match.asks if isinstance(ask, Show)), None)


@some_tables
def test_no_card_is_lost_and_true_answers_are_accepted(game: Game, rules: str, seats: int) -> None:
    rng = Random(seats)
    table = deal_match(new_match(game, rules, seats), rng)
    deck = game.table.deck(game.rules.settings[rules])
    while table.match.asks:
        assert Counter(card for cards in table.truth.values() for card in cards) == Counter(deck.counts)
        ask = show_of(table)
        if ask is not None:
            cards, _owners = lay_honestly(table, ask)
            # with other options available, an honest card may not exist
            assert len(cards) == ask.count or (not cards and len(table.match.asks) > 1)
            assert all(Counter(cards)[card] <= ask.among[card] for card in cards)
            assert not Counter(ask.must) - Counter(cards)
        table = stepped(table, rng)
    assert table.match.outcome is not None


@some_tables
def test_mischief_is_refused_or_plausible(game: Game, rules: str, seats: int) -> None:
    rng = Random(seats + 2)
    table = deal_match(new_match(game, rules, seats), rng)
    while table.match.asks:
        ask = show_of(table)
        for name, lay in MISTAKES.items() if ask is not None and lay_honestly(table, ask)[0] else ():
            cards, owners = lay(table, ask)
            after = hear(table.match, Answer(table.match.number, ask.key, cards, owners=owners))
            if name in {"one missing", "one too many"}:
                assert isinstance(after, Refusal)
                assert after.reason is Reason.CARD_COUNT
            elif isinstance(after, Refusal):
                assert after.values["card"] in cards or after.reason is Reason.CARD_MISSING
        table = stepped(table, rng)


@some_tables
def test_human_card_reports_are_accepted_without_losing_cards(game: Game, rules: str, seats: int) -> None:
    """A legal answer may name cards that are elsewhere; they are swapped."""
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
