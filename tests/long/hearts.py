"""Compare following suit and taking tricks with OpenSpiel's hearts: `python -m tests.long.hearts 2000`.

Needs `pip install open_spiel`, which nothing else here does. Hearts has 52 cards: its ranks from 7 to ace stand
for ours, from the lowest to the highest. Compared is whatever the ranks below don't touch: every trick of four
cards that we have, and what may follow where a hand has one of them in the suit, or none of that suit at all.
"""

import argparse
import sys
from collections.abc import Mapping
from random import Random

import pyspiel  # type: ignore[import-not-found]
from msgspec import Struct

from referee.contract import Answer
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.deck import COUP, RANKS, STRENGTH
from referee.games.coup_d_etat.hands import hand
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.state import Deal, Playing, State
from referee.games.coup_d_etat.tricks import winner

GAME = (
    "hearts(pass_cards=false,can_lead_any_club=true,must_break_hearts=false,"
    "no_pts_on_first_trick=false,can_lead_hearts_instead_of_qs=true)"
)
SUITS = "cdhs"
LOW = 5
"""Ranks of hearts that we don't have: 2 to 6."""


class Figures(Struct):
    """What was compared, and what differed."""

    deals: int = 0
    tricks: int = 0
    follows: int = 0
    differences: int = 0


def ours(card: int) -> str | None:
    """Name a card of hearts as ours, the lowest rank first; a low one has no name."""
    rank, suit = divmod(card, 4)
    return RANKS[::-1][rank - LOW] + SUITS[suit] if rank >= LOW else None


def dealt(rng: Random) -> tuple[pyspiel.State, list[set[int]]]:
    """Deal a game of hearts, and keep the hands."""
    state, hands = pyspiel.load_game(GAME).new_initial_state(), [set[int]() for _seat in range(4)]
    state.apply_action(0)
    for number in range(52):
        card = rng.choice(state.legal_actions())
        hands[number % 4].add(card)
        state.apply_action(card)
    return state, hands


def follow(state: pyspiel.State, held: set[int], trick: list[int], leader: int, figures: Figures) -> None:
    """Compare what may follow."""
    suit = trick[0] % 4
    named = {name: card for card in held if (name := ours(card)) is not None}
    has_high = any(card % 4 == suit for card in named.values())
    laid = tuple(name for card in trick if (name := ours(card)) is not None)
    if len(laid) < len(trick) or (not has_high and any(card % 4 == suit for card in held)):
        return
    seat = (leader + len(trick)) % 4
    # cards that fell in other tricks aren't in any hand, so they need no telling
    playing = Playing(Deal("victory", leader), leader, SUITS[suit], laid, (COUP, *laid))
    here = State(House(), (0,) * 4, playing)
    places: Mapping[object, tuple[str, ...]] = {hand(seat): tuple(named)}
    fair = {
        card
        for name, card in named.items()
        if COUP_D_ETAT.is_fair(here, Answer(0, "card", (name,)), places)  # type: ignore[arg-type]
    }
    figures.follows += 1
    figures.differences += fair != set(state.legal_actions()) & set(named.values())


def play(rng: Random, figures: Figures) -> None:
    """Play a deal of hearts at random, and compare as it goes."""
    state, hands = dealt(rng)
    figures.deals += 1
    while not state.is_terminal():
        leader, trick = state.current_player(), list[int]()
        for _card in range(4):
            seat = state.current_player()
            if trick:
                follow(state, hands[seat], trick, leader, figures)
            card = rng.choice(state.legal_actions())
            hands[seat].remove(card)
            trick.append(card)
            state.apply_action(card)
        named = tuple(name for card in trick if (name := ours(card)) is not None)
        if len(named) == 4 and not state.is_terminal():
            playing = Playing(Deal("victory", leader), leader, SUITS[trick[0] % 4], named)
            figures.tricks += 1
            figures.differences += winner(playing, 4) != state.current_player()


def main() -> None:
    """Compare, print the figures, and fail if anything differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", type=int, help="how many deals")
    parser.add_argument("--seed", type=int, default=0, help="of the deals")
    wish = parser.parse_args()
    rng, figures = Random(wish.seed), Figures()
    assert sorted(STRENGTH.values()) == sorted(-rank for rank in range(8) for _suit in range(4))
    for _deal in range(wish.deals):
        play(rng, figures)
    sys.stdout.write(f"{figures}\n")
    sys.exit(figures.differences > 0 or figures.tricks == 0)


if __name__ == "__main__":
    main()
