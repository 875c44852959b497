"""Whole matches on the simulated table, played by bots or at random."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from hardware.twin import dealer, tabletop
from hardware.twin.playouts import answer_by_bots
from hardware.twin.strengths import Strength
from referee.contract import DISCARD, PILE, Answer, Game, Refusal, Show
from referee.match import Match, hear
from tests.referee.tables import OUTER
from tests.tiers import tiered

SOME = tiered(list({table.values[0].name: table for table in OUTER}.values()), OUTER)
"""A table of each game for a commit, all settings with minimum and maximum players for a release."""
some_tables = pytest.mark.parametrize(("game", "rules", "seats"), SOME)


def stepped(table: dealer.DealtMatch, rng: Random) -> dealer.DealtMatch:
    """Answer honestly once."""
    after = dealer.step(table, rng)
    assert not isinstance(after, Refusal), after
    return after


def play_honestly(table: dealer.DealtMatch, rng: Random) -> dealer.DealtMatch:
    while table.match.asks:
        table = stepped(table, rng)
    return table


def moments_by_bots(
    table: dealer.DealtMatch, rng: Random, strengths: Sequence[Strength] = ()
) -> Iterator[tuple[dealer.DealtMatch, Answer]]:
    """Let bots play all seats; yield each moment and its answers."""
    while table.match.asks:
        truth, answer = answer_by_bots(table, rng, strengths)
        yield table, answer
        after = hear(table.match, answer)
        assert isinstance(after, Match), (after, answer, table.match.asks)
        table = dealer.DealtMatch(after, dealer.follow_rulings(truth, after, rng))


def shuffle_unseen(game: Game, truth: dealer.Truth, seat: int | None, rng: Random) -> dealer.Truth:
    unseen = [zone for zone in truth if not tabletop.is_seen(game, zone, seat)]
    cards = [card for zone in unseen for card in truth[zone]]
    rng.shuffle(cards)
    dealt_out = iter(cards)
    return {
        zone: tuple(next(dealt_out) for _card in held) if zone in unseen else held
        for zone, held in truth.items()
    }


# human mistakes


def one_missing(dealt: dealer.DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    cards, _owners = dealer.lay_honestly(dealt, ask)
    return cards[1:], ()


def one_too_many(dealt: dealer.DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Add one card too many: one from the pile, or a duplicate."""
    cards, _owners = dealer.lay_honestly(dealt, ask)
    return (*cards, *(dealt.truth.get(PILE, ())[:1] or cards[:1])), ()


def one_wrong(dealt: dealer.DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    cards, owners = dealer.lay_honestly(dealt, ask)
    others = [card for card in dealt.truth.get(PILE, ()) if card != cards[0]]
    return (*others[:1], *cards[1:]) if others else cards, owners


def one_seen_before(dealt: dealer.DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    cards, owners = dealer.lay_honestly(dealt, ask)
    seen = dealt.truth.get(DISCARD, ())[:1] or cards[1:2] or cards[:1]
    return (*seen, *cards[1:]), owners


def one_revoked(dealt: dealer.DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    for card, seat in dealer.cards_at_hand(dealt, ask):
        if ask.count == 1 and ask.among.get(card) and not dealer.is_fair_card(dealt, ask, card):
            return (card,), () if seat is None else (seat,)
    return dealer.lay_honestly(dealt, ask)


MISTAKES: dict[str, dealer.Lay] = {
    "one missing": one_missing,
    "one too many": one_too_many,
    "one wrong": one_wrong,
    "one seen before": one_seen_before,
    "one revoked": one_revoked,
}
