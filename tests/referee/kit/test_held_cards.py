"""Known cards of a hand, compared with all possible moves of hidden cards."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations, product
from random import Random

import pytest

from referee.contract import PILE, PROOF, Answer, HeardAnswer, Move, before_seat, hand_of, make_ruling
from referee.kit.coaching import Moves, cards_held, cards_seen, ways_to_deal

HAND = hand_of(0)
BOX = ("a", "a", "b", "b", "c")
DRAW, RETURN = Move(PILE, HAND, 1), Move(HAND, PILE, 1)
Cards = tuple[str, ...]
World = tuple[Cards, Cards, Cards]
"""A hand, the pile, and the cards shown as a proof; lost cards are removed."""


def steps(world: World, move: Move) -> Iterator[World]:
    """Yield all possible results of a move; a visible card is known."""
    places = {HAND: world[0], PILE: world[1], PROOF: world[2]}
    for card in set(move.faces or places[move.source]):
        after = dict(places)
        if card in after[move.source]:
            after[move.source] = tuple(sorted((Counter(after[move.source]) - Counter([card])).elements()))
            if move.target in after:
                after[move.target] = tuple(sorted((*after[move.target], card)))
            yield after[HAND], after[PILE], after[PROOF]


def played(rng: Random) -> list[tuple[Move, ...]]:
    """Return random turns: a card is shown and kept or swapped, exchanged unseen, or lost."""
    hand = tuple(sorted(rng.sample(BOX, 2)))
    world: World = (hand, tuple(sorted((Counter(BOX) - Counter(hand)).elements())), ())
    turns = list[tuple[Move, ...]]()
    while world[0] and len(turns) < 5:
        card = rng.choice(world[0])
        show = Move(HAND, PROOF, 1, faces=(card,))
        turn = rng.choice(
            (
                (show, Move(PROOF, HAND, 1, faces=(card,))),
                (show, Move(PROOF, PILE, 1, faces=(card,)), DRAW),
                (DRAW, RETURN),
                (Move(HAND, before_seat(0), 1, faces=(card,)),),
            )
        )
        turns.append(turn)
        for move in turn:
            world = rng.choice(list(steps(world, move)))
    return turns


def hands_possible(turns: list[tuple[Move, ...]], *, to_the_end: bool) -> list[set[Cards]]:
    """Return the possible hands before each turn, given public information up to then or to the end."""
    layers = [{(hand, tuple(sorted((Counter(BOX) - Counter(hand)).elements())), ()) for hand in starts()}]
    for turn in turns:
        layers.append(set(after_turn(layers[-1], turn)))
    if to_the_end:
        for place in reversed(range(len(turns))):
            later = layers[place + 1]
            layers[place] = {world for world in layers[place] if later & set(after_turn([world], turns[place]))}
    return [{world[0] for world in layer} for layer in layers[:-1]]


def starts() -> set[Cards]:
    return {tuple(sorted(hand)) for hand in combinations(BOX, 2)}


def after_turn(worlds: Iterable[World], turn: tuple[Move, ...]) -> Iterable[World]:
    for move in turn:
        worlds = {after for world in worlds for after in steps(world, move)}
    return worlds


def certain(hands: set[Cards]) -> Counter[str]:
    return reduce(lambda one, other: one & other, map(Counter, hands))


def as_line(turns: list[tuple[Move, ...]]) -> tuple[HeardAnswer, ...]:
    answer = Answer(0, "turn")
    return tuple(
        HeardAnswer(place, None, (), answer, (make_ruling("turn", place=place),), None)
        for place in range(len(turns))
    )


def turn_of(turns: list[tuple[Move, ...]]) -> Moves:
    return lambda _state, ruling: turns[int(str(ruling.values["place"]))]


def test_known_cards_are_held_in_all_possible_histories() -> None:
    told = known = 0
    for seed in range(400):
        turns = played(Random(seed))
        line = as_line(turns)
        for find, to_the_end in ((cards_held, True), (cards_seen, False)):
            found = find(line, turn_of(turns), HAND)
            for cards, hands in zip(found, hands_possible(turns, to_the_end=to_the_end), strict=True):
                assert not Counter(cards) - certain(hands), (seed, cards, hands)
                told, known = told + len(cards), known + certain(hands).total()
    # excluded: deductions from counting the last cards of a face
    assert told >= 0.95 * known


SHOW, KEEP = Move(HAND, PROOF, 1, faces=("a",)), Move(PROOF, HAND, 1, faces=("a",))
LOSE = (Move(HAND, before_seat(0), 1, faces=("a",)),)


@pytest.mark.parametrize(
    ("turns", "held"), [([(SHOW, KEEP), (DRAW, RETURN)], ["a", "a"]), ([(DRAW,), LOSE, LOSE], ["a", "aa", "a"])]
)
def test_publicly_kept_cards_are_known(turns: list[tuple[Move, ...]], held: list[str]) -> None:
    found = cards_held(as_line(turns), turn_of(turns), HAND)
    assert ["".join(cards) for cards in found] == held


@pytest.mark.parametrize("seed", range(40))
def test_deal_counts_match_enumeration(seed: int) -> None:
    rng = Random(seed)
    room = tuple(rng.randrange(4) for _place in range(rng.randrange(2, 5)))
    places = range(len(room))
    kinds = [frozenset(place for place in places if rng.random() < 0.7) for _card in range(sum(room))]
    dealt = (Counter(hand) for hand in product(*kinds))
    expected = sum(all(hand[place] == room[place] for place in places) for hand in dealt)
    assert ways_to_deal(Counter(kinds), room) == expected
