"""How much is tried on a card that can't be named: a stranger among the cards mustn't hold up the table."""

from collections.abc import Sequence
from cProfile import Profile
from functools import cache

import cv2
import numpy as np

from tests.tiers import slow
from tests.vision.laid_cards import WIDE, lay_onto, noisy, outline_at
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.reader import read
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import Surroundings
from vision.sightings import Reading

TABLE = Surroundings(np.diag((WIDE / 63, WIDE / 63, 1.0)))
FACES = tuple(playing_cards().faces)
KNOWN, STRANGERS = FACES[0::2], FACES[1::2]


@cache
def half_of_the_deck() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in KNOWN})


@cache
def wood() -> Picture:
    grain = np.random.default_rng(5).normal(0, 40, (1000, 1400, 3)).astype(np.float32)
    return np.asarray((cv2.GaussianBlur(grain, (0, 0), 4) * 6 + 110).clip(0, 255), np.uint8)


def laid(faces: Sequence[str]) -> Picture:
    """Lay cards side by side on wood, each turned a little."""
    rng, picture = np.random.default_rng(6), wood().copy()
    for i, name in enumerate(faces):
        place = outline_at(60 + 220 * (i % 6), 60 + 310 * (i // 6), float(rng.uniform(-25, 25)))
        lay_onto(picture, playing_cards().face(name), place)
    return noisy(picture, 1)


def counted(picture: Picture) -> tuple[Reading, int]:
    """Return a reading and its number of calls, which is the same on each machine, unlike seconds."""
    with Profile() as profile:
        reading = read(picture, half_of_the_deck(), table=TABLE)
    return reading, sum(entry.callcount for entry in profile.getstats())


MOST = 4
"""How many times the calls of named cards unnamed ones may take; numpy's small calls are counted, too, so that
it is less in seconds: one to three times, of 1 to 18 cards."""


@slow("four tables are read, and all calls counted")
def test_unnamed_cards_take_bounded_work() -> None:
    # what is worked out once for a deck isn't counted
    for first in (KNOWN, STRANGERS):
        read(laid(first[:1]), half_of_the_deck(), table=TABLE)
    each = list[float]()
    for number in (3, 9):
        named, usual = counted(laid(KNOWN[:number]))
        unnamed, more = counted(laid(STRANGERS[:number]))
        assert [card.sure for card in named.cards] == [True] * number
        assert [card.sure for card in unnamed.cards] == [False] * number
        assert more <= MOST * usual
        each.append(more / number)
    assert each[1] < each[0]
