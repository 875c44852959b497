"""Trials of incomplete decks: our drawn decks, each taught without another third of its faces.

`python -m tests.long.incomplete_decks` teaches from photographs, reads every face in another light by another
camera, and prints how many taught cards and how many untaught ones have a certain name, by the limits of
`BEYOND_TRIALS` and `TWINS`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import default_rng

from tests.long.growing_decks import ACROSS, EveningCamera, photograph_card
from tests.long.usual_certainty import decks_of_all_kinds
from tests.scripts import script
from vision.reading.explaining import is_certain
from vision.reading.looking import Seeing
from vision.reading.templates import Picture, Templates
from vision.reading.thresholds import BEYOND_TRIALS
from vision.teaching.tried_decks import (
    Trial,
    View,
    certainty_of,
    read_trial,
    ready_deck,
    see_again,
    try_prepared,
)

PARTS = 3
FACTORS = (1.0, 1.25, 1.5, 2.0, 3.0, np.inf)
"""Largest shortfalls tried, relative to the worst of a deck's own trials."""
SHARES = (0.0, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)
"""Shares of trials beside an untaught face that mustn't be certain."""
ALLOWED = 0.01  # largest share of untaught cards with a certain name
LATER = 1000  # start of chance for the cards on the table, apart from that of the deck's own trials


class Tried(Struct, frozen=True):
    """An incomplete deck with its own trials, and cards on a table, read with it."""

    deck: Templates
    tried: Templates  # with composed versions of taught faces
    own: tuple[Trial, ...]
    cards: tuple[Trial, ...]


class Counted(Struct, frozen=True):
    """Certain names by two limits, as shares of the cards: right ones of taught faces, and others."""

    factor: float
    twins: float
    right: float
    wrong: float
    untaught: float


def try_all() -> Iterator[Tried]:
    for number, (pictures, size) in enumerate(decks_of_all_kinds()):
        for part in range(PARTS):
            yield try_without(number, pictures, size, part)


def try_without(
    number: int, pictures: Mapping[str, Sequence[Picture]], size: tuple[float, float], part: int
) -> Tried:
    """Teach a deck from photographs by one camera, without one part of its faces; read all of them."""
    rng = default_rng([number, part])
    wide = round(float(np.exp(rng.uniform(*np.log(ACROSS)))))
    camera = EveningCamera(1000 * number + part, wide)
    some = {
        name: [photograph_card(pictures[name][0], camera, rng)]
        for i, name in enumerate(sorted(pictures))
        if i % PARTS != part
    }
    tried, own = try_prepared(some, size)
    deck = ready_deck(some, size, None)
    return Tried(deck, tried, own, tuple(_on_table(deck, pictures, LATER + number)))


def _on_table(deck: Templates, pictures: Mapping[str, Sequence[Picture]], seed: int) -> Iterator[Trial]:
    rows = np.arange(len(deck.faces))
    for i, (name, some) in enumerate(pictures.items()):
        for number, view in enumerate(get_args(View)):
            yield _read_as(deck, name, view, some[0], rows, (seed, i, number))


def _read_as(
    deck: Templates, name: str, view: View, shot: Picture, rows: np.ndarray, seed: tuple[int, ...]
) -> Trial:
    again = see_again(shot, view, deck, default_rng(seed))
    # a name of the deck is needed to read; the truth is the face on the table
    trial = read_trial(deck, deck.names[0], view, again, rows)
    is_taught = name in deck.names and name not in deck.untaught
    return trial._replace(face=name, is_stranger=not is_taught)


def count(tries: Sequence[Tried], factor: float, twins: float) -> Counted:
    """Count certain names if a figure may exceed its worst trial by a factor, with a share of near twins."""
    right, wrong, untaught, taught, others = 0, 0, 0, 0, 0
    for each in tries:
        certainty = certainty_of(each.tried, each.own, twins)
        worst = {
            extent: tuple(factor / BEYOND_TRIALS * one for one in some)
            for extent, some in certainty.worst.items()
        }
        seeing = Seeing((), replace(each.deck, certainty=replace(certainty, worst=worst)))
        for card in each.cards:
            is_named = is_certain(seeing, card.card)
            right += is_named and not card.is_stranger and card.read == card.face
            wrong += is_named and not card.is_stranger and card.read != card.face
            untaught += is_named and card.is_stranger
            taught, others = taught + (not card.is_stranger), others + card.is_stranger
    return Counted(factor, twins, right / taught, wrong / taught, untaught / others)


def best_of(counted: Sequence[Counted]) -> Counted:
    """Return the limits with the most right names, of those that name few enough untaught cards."""
    most = max(ALLOWED, min(each.untaught for each in counted))
    return max((each for each in counted if each.untaught <= most), key=lambda each: (each.right, -each.factor))


@script
def main() -> None:
    tries = list(try_all())
    print(f"{sum(len(each.cards) for each in tries)} cards")
    counted = [count(tries, factor, twins) for factor, twins in product(FACTORS, SHARES)]
    for each in counted:
        print(
            f"factor {each.factor:4}, near twins {each.twins:4}: right {each.right:6.2%}, "
            f"wrong {each.wrong:6.3%}, untaught {each.untaught:6.2%}"
        )
    best = best_of(counted)
    print(f"BEYOND_TRIALS = {best.factor}, TWINS = {best.twins}")
