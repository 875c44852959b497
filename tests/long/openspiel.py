"""Play deals of Hearts or Oh Hell in parallel with OpenSpiel, and compare legal cards and points.

    python -m tests.long.openspiel hearts 1000 [SEED]
    python -m tests.long.openspiel oh-hell 1000 [SEED]

It needs `open_spiel`, which isn't one of our dependencies: `pip install open_spiel` in a separate environment.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from random import Random
from typing import Any, Literal

from referee.contract import Answer, hand_of
from referee.kit.french_cards import CARDS, RANKS
from tests.plugins.installed import game_of
from tests.scripts import say, script, skip

SUITS = {"hearts": "cdhs", "oh-hell": "dcsh"}
"""OpenSpiel numbers cards by rank, then by suit in an order specific to each game."""


class Beside:
    """A deal in both implementations."""

    def __init__(self, game: str, theirs: str, rng: Random) -> None:
        self.rules, self.rng, package = game_of(game).rules, rng, game.replace("-", "_")
        self._hands, self.game = (import_module(f"{package}.{name}") for name in ("hands", "rules"))
        suits, ranks = SUITS[game], list(reversed(RANKS))
        self.numbers = {
            f"{rank}{suit}": place * len(suits) + suits.index(suit)
            for place, rank in enumerate(ranks)
            for suit in suits
        }
        try:
            import pyspiel  # noqa: PLC0415 - not a dependency
        except ImportError:
            skip("OpenSpiel isn't installed here: pip install open_spiel, into an environment of its own")
        self.theirs: Any = pyspiel.load_game(theirs).new_initial_state()
        self.ours: Any = None
        self.hands = list[set[str]]()

    def hear(self, answer: Answer) -> None:
        self.ours = self.rules.hear(self.ours, answer).state

    def play(self) -> Iterator[str]:
        """Play all cards by chance; yield the first difference."""
        while not self.theirs.is_terminal():
            seat = self.game.turn_of(self.ours)
            if not (legal := self._fair_cards(seat)):
                self.hear(Answer(0, "only", self.game.ONLY, seat))
                legal = self._fair_cards(seat)
            numbers = sorted(map(self.numbers.__getitem__, legal))
            if (seat, numbers) != (self.theirs.current_player(), self.theirs.legal_actions()):
                yield f"seat {seat} may lay {legal}, of theirs {self.theirs}"
                return
            card = self.rng.choice(legal)
            self.theirs.apply_action(self.numbers[card])
            self.hands[seat].remove(card)
            self.hear(Answer(0, "card", (card,), seat))

    def _fair_cards(self, seat: int) -> list[str]:
        places = {hand_of(other): tuple(hand) for other, hand in enumerate(self.hands)}
        answers = (Answer(0, "card", (card,), seat) for card in sorted(self.hands[seat]))
        return [answer.value[0] for answer in answers if self._hands.is_fair(self.ours, answer, places)]

    def compare_points(self, points: Sequence[float]) -> Iterator[str]:
        if self.theirs.is_terminal() and list(points) != self.theirs.returns():
            yield f"{points}, of theirs {self.theirs.returns()}"


def play_hearts(number: int, rng: Random) -> Iterator[str]:
    deal = Beside("hearts", "hearts", rng)
    seats = range(deal.game.SEATS)
    passing = tuple(seats) if number % 4 else ()
    deal.ours = deal.game.State(deal.game.House(), (0,) * len(seats), deal=number, passing=passing)
    step = deal.game.direction(deal.ours)
    deal.theirs.apply_action(step)  # OpenSpiel also counts places to the left
    deck = rng.sample(CARDS, len(CARDS))
    deal.hands = [set(deck[seat :: len(seats)]) for seat in seats]
    for card in deck:
        deal.theirs.apply_action(deal.numbers[card])
    if passing:
        given = [rng.sample(sorted(hand), 3) for hand in deal.hands]
        for seat, cards in enumerate(given):
            for card in cards:
                deal.theirs.apply_action(deal.numbers[card])
            deal.hear(Answer(0, "pass", None, seat))
        for seat, cards in enumerate(given):
            deal.hands[seat] -= set(cards)
            deal.hands[(seat + step) % len(seats)] |= set(cards)
    first = next(seat for seat, hand in enumerate(deal.hands) if "2c" in hand)
    deal.hear(Answer(0, "first", deal.game.MINE, first))
    yield from deal.play()
    yield from deal.compare_points([26 - had for had in deal.ours.points])


def play_oh_hell(_number: int, rng: Random) -> Iterator[str]:
    seats, count = rng.randint(3, 7), rng.choice((1, 3, 5, 7))
    deal = Beside("oh-hell", f"oh_hell(players={seats},num_tricks_fixed={count})", rng)
    deck = rng.sample(CARDS, seats * count + 1)
    deal.hands = [set(deck[seat : seats * count : seats]) for seat in range(seats)]
    # ours deals from the first seat on: the deal in which each gets so many is the last of its kind
    house = deal.game.House(most=max(count, 3), hook=False)
    last = house.most - count + 1
    dealer, nothing = (last - 1) % seats, (0,) * seats
    deal.ours = deal.game.State(house, nothing, last, won=nothing, leader=(dealer + 1) % seats)
    for action in (count, dealer, *map(deal.numbers.__getitem__, deck)):
        deal.theirs.apply_action(action)
    deal.hear(Answer(0, "trump", (deck[-1],)))
    while len(deal.ours.bids) < seats:
        if deal.theirs.current_player() != (bidder := deal.game.bidder(deal.ours)):
            yield f"seat {bidder} bids, of theirs {deal.theirs.current_player()}"
            return
        bid = rng.randint(0, count)
        deal.theirs.apply_action(len(CARDS) + bid)
        deal.hear(Answer(0, "bid", bid))
    yield from deal.play()
    yield from deal.compare_points(deal.ours.points)


@script
def main(game: Literal["hearts", "oh-hell"], deals: int, seed: int = 1, /) -> Iterator[str]:
    play = {"hearts": play_hearts, "oh-hell": play_oh_hell}[game]
    found = list[str]()
    for number in range(1, deals + 1):
        found += (f"deal {number}: {line}" for line in play(number, Random(f"{seed} {number}")))
    say(f"{deals} deals beside OpenSpiel: {len(found)} differences")
    yield from found
