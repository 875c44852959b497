"""Dominos: four rows that grow at both ends, and passes that prove false."""

from functools import lru_cache

from msgspec.structs import replace

from referee.contract import CENTRE, Ask, Choice, Option, Show
from referee.games.coup_d_etat.deck import COUP, RANK, ROW, SUIT, SUITS, deck_for
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.state import Laying, Pass, State

Rows = tuple[tuple[int, int] | None, ...]

PASS = Option("pass")
ENOUGH = Option("enough")
REMEMBERED = 256
"""Rows for which it is kept what fits."""


def ask_domino(state: State, laying: Laying) -> tuple[Ask, ...]:
    """Ask for a card that fits, or a pass: hands are hidden, so a forced pass can't be known."""
    seat, deck = (laying.turn,), deck_for(len(state.money))
    left = deck.counts.keys() - {COUP, *laying.laid}
    fitting = left & fitting_cards(state.house, laying)
    among = dict.fromkeys(deck.counts, 0) | dict.fromkeys(fitting, 1)
    barred = dict.fromkeys([card for card in deck.counts if card in left and card not in fitting], "no-fit")
    show = Show("domino", seat, 1, CENTRE, deck, among, barred=barred, is_anywhere=True)
    if laying.is_chain:
        return (Choice("chain", seat, (ENOUGH,)), show)
    return (Choice("pass", seat, (PASS,)), show) if laying.laid else (show,)


def fitting_cards(house: House, laying: Laying) -> frozenset[str]:
    """List the cards that may be laid now."""
    ranks = _ranks(laying)
    if not laying.laid:
        openers = frozenset(ranks)
    elif house.domino_open == "any_matching":
        openers = frozenset([RANK[card] for card in laying.laid])
    else:
        openers = frozenset({RANK[laying.laid[0]]})
    return _cards_that_fit(ranks, laying.rows, openers)


@lru_cache(REMEMBERED)
def _cards_that_fit(ranks: tuple[str, ...], rows: Rows, openers: frozenset[str]) -> frozenset[str]:
    """List the cards at the ends of rows, and those that open one; what fits stays so for many passes."""
    ends = [openers if row is None else _ends(ranks, row) for row in rows]
    return frozenset([rank + suit for suit, fits in zip(SUITS, ends, strict=True) for rank in fits])


def _ranks(laying: Laying) -> tuple[str, ...]:
    """List the ranks in play: three players have neither 8s nor 7s."""
    return ROW[:6] if len(laying.left) == 3 else ROW


def _ends(ranks: tuple[str, ...], row: tuple[int, int]) -> tuple[str, ...]:
    high, low = row
    return ranks[max(high - 1, 0) : high] + ranks[low + 1 : low + 2]


def with_domino(house: House, laying: Laying, card: str) -> Laying:
    """Lay a card at its row, or open one with it; after an ace on a king the same player may go on."""
    suit, place = SUITS.index(SUIT[card]), ROW.index(RANK[card])
    row = laying.rows[suit]
    grown = (place, place) if row is None else (min(row[0], place), max(row[1], place))
    left = laying.left
    seat = laying.turn
    is_ace = place == 0 and (row is not None or house.ace_chain == "any_ace")
    return replace(
        laying,
        laid=(*laying.laid, card),
        rows=(*laying.rows[:suit], grown, *laying.rows[suit + 1 :]),
        left=(*left[:seat], left[seat] - 1, *left[seat + 1 :]),
        quiet=0,
        is_chain=laying.is_chain or is_ace,
    )


def with_pass(house: House, laying: Laying) -> Laying:
    """Note a pass, and the cards that fitted then."""
    said = Pass(laying.turn, laying.laid[-1], tuple(sorted(fitting_cards(house, laying))))
    return with_next_turn(replace(laying, passes=(*laying.passes, said), quiet=laying.quiet + 1))


def all_have_passed(laying: Laying) -> bool:
    """Tell whether all have passed since the last card, so that a pass must be false."""
    return laying.quiet == sum(1 for left in laying.left if left)


def with_next_turn(laying: Laying) -> Laying:
    """Give the turn to the next player with cards."""
    seat = laying.turn
    for _seat in laying.left:
        seat = (seat + 1) % len(laying.left)
        if laying.left[seat]:
            break
    return replace(laying, turn=seat, is_chain=False)


def false_pass(laying: Laying, seat: int, card: str) -> Pass | None:
    """Find a seat's first pass at which it held a card that fitted."""
    for said in laying.passes:
        if said.seat == seat and card in said.fits:
            return said
    return None


def unlaid_cards(laying: Laying) -> tuple[str, ...]:
    """List the cards not yet laid."""
    deck = deck_for(len(laying.left))
    return tuple(card for card in deck.counts if card != COUP and card not in laying.laid)
