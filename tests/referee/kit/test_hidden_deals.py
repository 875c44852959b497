"""Ways to deal hidden cards, against dealing them all."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from referee.kit.coaching import ways_to_deal


@pytest.mark.parametrize("seed", range(40))
def test_as_many_ways_as_dealing_every_card_says(seed: int) -> None:
    rng = Random(seed)
    room = tuple(rng.randrange(4) for _place in range(rng.randrange(2, 5)))
    places = range(len(room))
    kinds = [frozenset(place for place in places if rng.random() < 0.7) for _card in range(sum(room))]
    dealt = (Counter(hand) for hand in product(*kinds))
    expected = sum(all(hand[place] == room[place] for place in places) for hand in dealt)
    assert ways_to_deal(Counter(kinds), room) == expected


def test_a_chance_is_a_share_of_the_ways() -> None:
    """Of three cards, one each: the one lies in the first place in one case of three."""
    anywhere = frozenset(range(3))
    assert ways_to_deal({anywhere: 3}, (1, 1, 1)) == 6
    assert ways_to_deal({anywhere: 2, anywhere - {0}: 1}, (1, 1, 1)) == 4
