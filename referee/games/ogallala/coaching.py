"""Analysis of placements, shots and attacks by the points that each canoe can be expected to bring.

A complete canoe brings its points if it is kept to the end. An incomplete one brings what it would once
complete, by the chance that its player still draws what it lacks: a bow, a stern, or a card for a gap. Each
player is expected to draw an equal share of the face-down cards, and a bow or stern is for one canoe alone. A
choice is worth the lead that it leaves in expected points over the best other player. All continuations are
tried until a card is drawn or the turn ends; nothing hidden is used, as only the order of the piles is hidden.
"""

from collections.abc import Iterator
from functools import lru_cache, partial
from math import exp, factorial

from msgspec import Struct
from msgspec.structs import replace

from referee.contract.asks import Answer, Choice, Datum, Option
from referee.contract.coaching import (
    HeardAnswer,
    Judgement,
    Kind,
    Laboratory,
    Line,
    Remark,
    Weighed,
    make_remark,
    weigh_choice,
)
from referee.games.ogallala.deck import BOWS, STERNS, House
from referee.games.ogallala.final_count import points_of, score
from referee.games.ogallala.rules import asks, hear
from referee.games.ogallala.state import Aiming, Placing, Sharing, State
from referee.games.ogallala.territory import WIDEST, Canoe, Territory
from referee.kit.answers import option_said
from referee.kit.coaching import TurnTree, best_turn, lead_of

OWN = (Placing, Aiming, Sharing)
"""Stages decided by the player in turn, without chance."""
MOST_TRIED = 250  # maximum number of continuations per decision; decisions with more are not judged
KEPT_COMPLETE, KEPT_INCOMPLETE = 0.977, 0.96
"""Chance that a canoe isn't attacked, sunk or robbed while each player draws one card (24 matches of bots)."""
NARROW, NARROW_KEPT = 3, 0.55
"""Number of spare columns below which the place for a bow or a stern may be lost, and the chance that it isn't.

In 24 matches of bots, incomplete canoes brought as much as expected with more columns, and half as much with
fewer: the last places are tempting for other cards.
"""
LEAST = 2.0  # smallest gain that is mentioned: a card's points in a long canoe
ANY_CARD, ANY_BOW, ANY_STERN = "red-warrior-1", "empty-bow", "empty-stern"
"""Cards without special points, in place of those that a canoe lacks."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all decisions of turns, except drawing, stopping and ending the match."""
    found = (_judge(heard) for heard in line if isinstance(heard.state.stage, OWN))
    return tuple(judgement for judgement in found if judgement is not None)


def lead(state: State, seat: int) -> int:
    return lead_of([score(state.house, territory) for territory in state.territories], seat)


# Expected points.


class Odds(Struct, frozen=True, cache_hash=True):
    """The number of cards that each player is expected to draw, and the shares of bows and sterns."""

    draws: float
    bows: float
    sterns: float

    def chance_of_bows(self, count: int) -> float:
        return chance_to_draw(count, self.draws * self.bows)

    def chance_of_sterns(self, count: int) -> float:
        return chance_to_draw(count, self.draws * self.sterns)


def odds_of(state: State) -> Odds:
    hidden = state.hidden_cards
    count = max(1, sum(hidden.values()))
    bows, sterns = (sum(hidden[face] for face in faces) / count for faces in (BOWS, STERNS))
    return Odds(sum(hidden.values()) / len(state.territories), bows, sterns)


def expected_lead(state: State, seat: int, odds: Odds) -> float:
    """Return a player's lead in expected points over the best other player."""
    return lead_of([expected_points(state.house, territory, odds) for territory in state.territories], seat)


@lru_cache(maxsize=1024)
def expected_points(house: House, territory: Territory, odds: Odds) -> float:
    """Return the points of a territory's canoes, incomplete ones by their chance to be completed.

    The first bow and the first stern drawn go to the canoe that is worth most.
    """
    points = {canoe: points_once_complete(house, canoe) for canoe in territory.incomplete}
    expected, bows, sterns, gaps = score(house, territory) * float(KEPT_COMPLETE**odds.draws), 0, 0, 0
    for canoe in sorted(points, key=lambda canoe: -points[canoe]):
        lacks_bow, lacks_stern = canoe.cards[0] not in BOWS, canoe.cards[-1] not in STERNS
        spare = _spare_columns(territory, canoe.cell[0] - lacks_bow, len(canoe.cards) + lacks_bow + lacks_stern)
        if spare < 0:
            continue
        bows, sterns, gaps = bows + lacks_bow, sterns + lacks_stern, gaps + canoe.cards.count("")
        chance = odds.chance_of_bows(bows) if lacks_bow else 1.0
        chance *= odds.chance_of_sterns(sterns) if lacks_stern else 1.0
        # nearly every card fits some gap
        chance *= min(1.0, odds.draws / gaps) if "" in canoe.cards else 1.0
        chance *= float(KEPT_INCOMPLETE**odds.draws) * (NARROW_KEPT if spare < NARROW else 1.0)
        expected += chance * points[canoe]
    return expected


def _spare_columns(territory: Territory, first: int, length: int) -> int:
    """Return the number of free columns beside a canoe in the widest territory; negative if it doesn't fit."""
    left, right = territory.left, territory.left + len(territory.rows[0])
    return WIDEST - (max(right, first + length) - min(left, first))


@lru_cache(maxsize=512)
def chance_to_draw(count: int, mean: float) -> float:
    """Return the chance to draw at least as many cards of a kind, by the mean number of them (Poisson)."""
    return 1 - exp(-mean) * sum(mean**fewer / factorial(fewer) for fewer in range(count))


@lru_cache(maxsize=4096)
def points_once_complete(house: House, canoe: Canoe) -> int:
    """Return the points of a canoe with the cards that it lacks."""
    bow = () if canoe.cards[0] in BOWS else (ANY_BOW,)
    stern = () if canoe.cards[-1] in STERNS else (ANY_STERN,)
    aboard = tuple(card or ANY_CARD for card in canoe.cards)
    return points_of(house, replace(canoe, cards=(*bow, *aboard, *stern)))


# Turns.


def turn_tree(seat: int, odds: Odds) -> TurnTree[State]:
    return TurnTree(partial(_moves, seat), lambda state: expected_lead(state, seat, odds))


def _moves(seat: int, state: State) -> Iterator[tuple[Answer, State]]:
    """Yield the player's possible answers and resulting states; none before a draw or another player's turn."""
    if not isinstance(state.stage, OWN) or state.turn.seat != seat:
        return
    for ask in asks(state):
        if isinstance(ask, Choice):
            for option in ask.options:
                answer = Answer(0, ask.key, option, seat)
                yield answer, hear(state, answer).state


def _judge(heard: HeardAnswer) -> Judgement | None:
    """Compare a decision with the best alternative; None if there are too many continuations."""
    state, left = heard.state, MOST_TRIED
    seat, odds = state.turn.seat, odds_of(state)
    tree = turn_tree(seat, odds)
    chosen = best_turn(tree, heard.after, left)
    best, better, is_exact = chosen.worth, heard.answer.value, chosen.is_exact
    for answer, after in tree.moves(state):
        left -= 1
        found = best_turn(tree, after, left)
        left -= found.tried
        is_exact = is_exact and found.is_exact and left > 0
        if found.worth > best:
            best, better = found.worth, answer.value
        if not is_exact:
            return None
    if best - chosen.worth < LEAST:
        best, better = chosen.worth, heard.answer.value
    gain, action = round(chosen.worth - expected_lead(state, seat, odds)), option_said(heard.answer).word
    remark = make_remark("coach-turn", seat=seat, action=action, gain=gain)
    told = Weighed(chosen.worth, heard.answer.value, remark)
    rather = Weighed(best, better, _rather(state, better, best - chosen.worth))
    return weigh_choice(heard, seat, Kind.POINTS, told, rather)


RATHER = {
    "put": "coach-rather-put",
    **dict.fromkeys(("push-right", "push-left", "slide-right", "slide-left"), "coach-rather-push"),
    **dict.fromkeys(("rope", "shoot"), "coach-rather-card"),
    "attack": "coach-rather-attack",
    "discard": "coach-rather-discard",
}
"""Sentences for a better choice that name it; all others share one."""


def _rather(state: State, better: object, gain: float) -> Remark:
    if not isinstance(better, Option) or better.word not in RATHER:
        return make_remark("coach-rather", gain=gain)
    owner = state.turn.seat if better.seat is None else better.seat
    values: dict[str, Datum] = {"card": getattr(state.stage, "card", ""), "face": better.face, "target": owner}
    if better.cell is not None:
        values["cell"] = state.territories[owner].counted_cell(better.cell)
    return make_remark(RATHER[better.word], gain=gain, **values)
