"""The mistakes that people make at a table, on purpose or not, as ways to lay what is asked for."""

from hardware.twin.dealer import DealtMatch, Lay, cards_at_hand, is_fair_card, lay_honestly
from referee.contract import DISCARD, PILE, Show


def one_missing(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay one card too few."""
    cards, _owners = lay_honestly(dealt, ask)
    return cards[1:], ()


def one_too_many(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay one card too many: one from the pile, or one twice."""
    cards, _owners = lay_honestly(dealt, ask)
    return (*cards, *(dealt.truth.get(PILE, ())[:1] or cards[:1])), ()


def one_wrong(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay a card from the pile instead of the first card."""
    cards, owners = lay_honestly(dealt, ask)
    others = [card for card in dealt.truth.get(PILE, ()) if card != cards[0]]
    return (*others[:1], *cards[1:]) if others else cards, owners


def one_seen_before(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay a card that was discarded before, or one twice, instead of the first card."""
    cards, owners = lay_honestly(dealt, ask)
    seen = dealt.truth.get(DISCARD, ())[:1] or cards[1:2] or cards[:1]
    return (*seen, *cards[1:]), owners


def one_revoked(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay a card that seems legal, though a fair player would have to lay another."""
    for card, seat in cards_at_hand(dealt, ask):
        if ask.count == 1 and ask.among.get(card) and not is_fair_card(dealt, ask, card):
            return (card,), () if seat is None else (seat,)
    return lay_honestly(dealt, ask)


MISTAKES: dict[str, Lay] = {
    "one missing": one_missing,
    "one too many": one_too_many,
    "one wrong": one_wrong,
    "one seen before": one_seen_before,
    "one revoked": one_revoked,
}
