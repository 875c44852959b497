"""Play deals of Hearts in parallel with OpenSpiel, and compare legal cards and points.

    python -m tests.long.hearts_lockstep 1000 [SEED]

It needs `open_spiel`, which isn't one of our dependencies: `pip install open_spiel` in a separate environment.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "plugins" / "hearts"))

from hearts import GAME
from hearts.hands import is_fair
from hearts.rules import MINE, ONLY, SEATS, House, State, direction, turn_of

from referee.contract import Answer, hand_of
from referee.kit.french_cards import CARDS
from tests.long.openspiel_cards import compare, deal_of, numbers_of

NUMBERS = numbers_of("cdhs")


def fair_cards(state: State, hands: list[set[str]], seat: int) -> list[str]:
    places = {hand_of(other): tuple(hand) for other, hand in enumerate(hands)}
    answers = (Answer(0, "card", (card,), seat) for card in hands[seat])
    return [answer.value[0] for answer in answers if is_fair(state, answer, places)]


def pass_cards(ours: State, theirs: Any, hands: list[set[str]], rng: Random) -> State:
    """Pass three cards of each hand in both implementations."""
    given = [rng.sample(sorted(hand), 3) for hand in hands]
    for seat, cards in enumerate(given):
        for card in cards:
            theirs.apply_action(NUMBERS[card])
        ours = GAME.rules.hear(ours, Answer(0, "pass", None, seat)).state
    for seat, cards in enumerate(given):
        hands[seat] -= set(cards)
        hands[(seat + direction(ours)) % SEATS] |= set(cards)
    return ours


def play_deal(number: int, rng: Random) -> Iterator[str]:
    theirs: Any = deal_of("hearts")
    everybody = tuple(range(SEATS))
    ours = State(House(), (0,) * SEATS, deal=number, passing=everybody if number % 4 else ())
    theirs.apply_action(direction(ours))  # OpenSpiel also counts places to the left
    deck = rng.sample(CARDS, len(CARDS))
    hands = [set(deck[seat::SEATS]) for seat in range(SEATS)]
    for card in deck:
        theirs.apply_action(NUMBERS[card])
    if ours.passing:
        ours = pass_cards(ours, theirs, hands, rng)
    first = next(seat for seat, hand in enumerate(hands) if "2c" in hand)
    ours = GAME.rules.hear(ours, Answer(0, "first", MINE, first)).state
    while not theirs.is_terminal():
        seat = turn_of(ours)
        if seat != theirs.current_player():
            yield f"deal {number}: it is seat {seat}'s turn, of theirs {theirs.current_player()}"
            return
        legal = fair_cards(ours, hands, seat)
        if not legal:
            ours = GAME.rules.hear(ours, Answer(0, "only", ONLY, seat)).state
            legal = fair_cards(ours, hands, seat)
        if sorted(map(NUMBERS.__getitem__, legal)) != theirs.legal_actions():
            yield f"deal {number}: {sorted(legal)} may be laid, of theirs {theirs}"
            return
        card = rng.choice(sorted(legal))
        theirs.apply_action(NUMBERS[card])
        hands[seat].remove(card)
        ours = GAME.rules.hear(ours, Answer(0, "card", (card,), seat)).state
    if [26 - had for had in ours.points] != theirs.returns():
        yield f"deal {number}: {ours.points}, of theirs {theirs.returns()}"


if __name__ == "__main__":
    compare("Hearts", play_deal)
