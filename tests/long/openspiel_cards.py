"""OpenSpiel's deals and card numbers: by rank, then by suit in an order specific to each game."""

import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from referee.kit.french_cards import RANKS


def numbers_of(suits: str) -> dict[str, int]:
    """Return each card's number in a game with this order of suits."""
    return {
        f"{rank}{suit}": place * len(suits) + suits.index(suit)
        for place, rank in enumerate(reversed(RANKS))
        for suit in suits
    }


def deal_of(game: str) -> Any:
    """Start an OpenSpiel deal; it must be installed."""
    try:
        import pyspiel  # noqa: PLC0415 - not a dependency
    except ImportError:
        sys.exit("OpenSpiel isn't installed here: pip install open_spiel, into an environment of its own")
    return pyspiel.load_game(game).new_initial_state()


def compare(name: str, play_deal: Callable[[int, Random], Iterator[str]]) -> None:
    """Play the number of deals on the command line, and print the differences."""
    deals, seed = map(int, (*sys.argv[1:], "1")[:2])
    found = [line for number in range(1, deals + 1) for line in play_deal(number, Random(f"{seed} {number}"))]
    for line in found[:20]:
        print(line)
    print(f"{deals} deals beside OpenSpiel's {name}: {len(found)} differences")
    sys.exit(bool(found))
