"""In how many ways hidden cards may lie, by what all have seen: exact, without dealing them one by one.

Cards are alike where they may lie in the same places. Each way to put different cards into the places counts as
one, and all are as likely as each other; so the chance of something is the share of the ways that have it:

    chance = ways_to_deal({not_to_come: higher, anywhere: others}, room) / ways_to_deal({anywhere: all}, room)
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import comb, factorial, prod

Room = tuple[int, ...]
"""How many cards each place still takes."""


def ways_to_deal(cards: Mapping[frozenset[int], int], room: Room) -> int:
    """Count the ways to fill places with different cards, of which so many may lie in these places or those."""
    *bound, (free, _count) = sorted(cards.items(), key=lambda kind: len(kind[0])) or [(frozenset[int](), 0)]
    found = Counter({room: 1})
    for places, count in bound:
        spread = Counter[Room]()
        for left, ways in found.items():
            for after, more in _spread(count, sorted(places), left):
                spread[after] += ways * more
        found = spread
    return sum(ways * _fill(left, free) for left, ways in found.items())


def _spread(count: int, places: list[int], room: Room) -> Iterator[tuple[Room, int]]:
    """Put so many cards into some places, in all ways: the room left, and how many ways lead there."""
    if not places:
        if not count:
            yield room, 1
        return
    place, *others = places
    for here in range(min(count, room[place]) + 1):
        after = (*room[:place], room[place] - here, *room[place + 1 :])
        for left, ways in _spread(count - here, others, after):
            yield left, ways * comb(count, here)


def _fill(room: Room, places: frozenset[int]) -> int:
    """Fill all room that is left with the last kind of cards, if that may lie there."""
    if any(left and place not in places for place, left in enumerate(room)):
        return 0
    return factorial(sum(room)) // prod(map(factorial, room))
