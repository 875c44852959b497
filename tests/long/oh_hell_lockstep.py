"""Play deals of Oh Hell in parallel with OpenSpiel, and compare legal cards and points.

    python -m tests.long.oh_hell_lockstep 1000 [SEED]

It needs `open_spiel`, which isn't one of our dependencies: `pip install open_spiel` in a separate environment.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "plugins" / "oh-hell"))

from oh_hell import GAME
from oh_hell.hands import is_fair
from oh_hell.rules import House, State, bidder, turn_of

from referee.contract import Answer, hand_of
from referee.kit.french_cards import CARDS
from tests.long.openspiel_cards import compare, deal_of, numbers_of

NUMBERS = numbers_of("dcsh")


def play_deal(number: int, rng: Random) -> Iterator[str]:
    seats, count = rng.randint(3, 7), rng.choice((1, 3, 5, 7))
    deck = rng.sample(CARDS, seats * count + 1)
    hands = [set(deck[seat : seats * count : seats]) for seat in range(seats)]
    theirs: Any = deal_of(f"oh_hell(players={seats},num_tricks_fixed={count})")
    # ours deals from the first seat on: the deal in which each gets so many is the last of its kind
    house = House(most=max(count, 3), hook=False)
    ours = State(house, (0,) * seats, deal=house.most - count + 1, won=(0,) * seats)
    dealer = (ours.deal - 1) % seats
    ours = State(house, ours.points, ours.deal, won=ours.won, leader=(dealer + 1) % seats)
    for action in (count, dealer, *map(NUMBERS.__getitem__, deck)):
        theirs.apply_action(action)
    ours = GAME.rules.hear(ours, Answer(0, "trump", (deck[-1],))).state
    while len(ours.bids) < seats:
        if theirs.current_player() != bidder(ours):
            yield f"deal {number}: seat {bidder(ours)} bids, of theirs {theirs.current_player()}"
            return
        bid = rng.randint(0, count)
        theirs.apply_action(len(CARDS) + bid)
        ours = GAME.rules.hear(ours, Answer(0, "bid", bid)).state
    deal, points = ours.deal, ours.points
    while ours.deal == deal and GAME.rules.outcome(ours) is None:
        seat = turn_of(ours)
        answers = {card: Answer(0, "card", (card,), seat) for card in sorted(hands[seat])}
        places = {hand_of(other): tuple(hand) for other, hand in enumerate(hands)}
        legal = [card for card, answer in answers.items() if is_fair(ours, answer, places)]
        if (seat, sorted(map(NUMBERS.__getitem__, legal))) != (theirs.current_player(), theirs.legal_actions()):
            yield f"deal {number}: seat {seat} may lay {legal}, of theirs {theirs}"
            return
        card = rng.choice(legal)
        theirs.apply_action(NUMBERS[card])
        hands[seat].remove(card)
        points = (ours := GAME.rules.hear(ours, answers[card]).state).points
    if list(points) != theirs.returns():
        yield f"deal {number}: {points}, of theirs {theirs.returns()}"


if __name__ == "__main__":
    compare("Oh Hell", play_deal)
