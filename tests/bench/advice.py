"""The gain that coaches promise for a better choice, and the gain with the true cards."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from math import sqrt
from random import Random
from statistics import mean
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, deal_match
from hardware.twin.playouts import BotLaboratory, answer_by_bots, next_table, shares_of
from referee.coaching import line_of
from referee.contract import Answer, Game, Judgement, Refusal
from referee.contract.asks import Value
from referee.games.catalogue import GAMES
from referee.games.coup_d_etat.coaching import francs
from referee.games.coup_d_etat.state import Choosing, Dealt
from referee.games.coyote import state as coyote
from referee.games.coyote.rules import COYOTE
from referee.games.ogallala import coaching as ogallala
from referee.games.plenty_coups import coaching as plenty_coups
from referee.kit.coaching import best_turn
from referee.match import Match, hear, without_answers
from tests.bench.bots import MOST_ANSWERS, SURE
from tests.bench.measured import Measured
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match

SEATS = 4
SEED = 8001  # first of seeds that no coach was changed with


class End(Struct, frozen=True):
    """How two choices of a game are compared."""

    unit: str
    value: Callable[[Match, int], float]
    """What is counted for a seat when bots stop."""
    is_reached: Callable[[Any], bool] = lambda _state: False
    """Whether bots stop before the end of the match."""
    finish: Callable[[DealtMatch, int], Answer | None] | None = None
    """Returns the coach's best answer in the rest of a turn, or None after it."""


class Advice(Struct, frozen=True):
    """A better choice: its match, the promised gain, and the gain with the true cards."""

    match: str
    promised: float
    brought: float


def advice(
    game: str = "", seeds: int = 3, decisions: int = 150, matches: int = 150, seed: int = SEED
) -> Measured:
    """Better choices by the coaches: the promised gain, and the gain when bots play on with the true cards."""
    ratios = dict[str, str]()
    for name in [game] if game else ENDS:
        told, found = Told(), list[Advice]()
        for each in range(seed, seed + seeds):
            found += islice(better_choices(GAMES[name], matches, each, told), decisions)
        count = f"{told.better} of {told.judged} in {told.matches} matches of {seeds} seeds"
        ratios[f"{name}: decisions with a better choice"] = count
        unit = f"{name}: {ENDS[name].unit} for each of {len(found)} better choices"
        ratios[unit] = _figures(found) if len({each.match for each in found}) > 1 else "-"
    return Measured(ratios)


def _figures(found: list[Advice]) -> str:
    """Return the mean gains, with a 95 % confidence interval of the gain with true cards.

    Choices of one match depend on each other, so the interval is that of independent matches.
    """
    promised, brought = (mean(getattr(each, name) for each in found) for name in ("promised", "brought"))
    apart = Counter[str]()
    for each in found:
        apart[each.match] += each.brought - brought
    spread = sum(each**2 for each in apart.values()) * len(apart) / (len(apart) - 1)
    give_or_take = SURE * sqrt(spread) / len(found)
    return f"{_short(promised)} promised, {_short(brought)} ± {_short(give_or_take)} brought"


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"


class Told:
    """Number of matches and judged decisions so far, and of those with a better choice."""

    matches = judged = better = 0


def better_choices(game: Game, matches: int, seed: int, told: Told) -> Iterator[Advice]:
    """Let plain bots play matches, and measure each better choice and the one chosen with the true cards."""
    rules = next(iter(game.rules.settings))
    for number in range(matches):
        rng = Random(f"{seed} {number}")
        tables = list(moments_by_bots(deal_match(new_match(game, rules, SEATS), rng), rng))
        last, answer = tables[-1]
        match = hear(last.match, answer)
        if isinstance(match, Refusal) or match.outcome is None:
            continue
        judged = game.play.coach(line_of(match), BotLaboratory(match.setup, seed))
        better = [each for each in judged if each.better is not None]
        told.matches += 1
        told.judged += len(judged)
        told.better += len(better)
        for each in better:
            if game.name == "coyote":
                later = [table.match.state for table, _answer in tables[each.moment :]]
                gain = gain_of_number([*later, match.state], each)
            else:
                gain = _gain(*tables[each.moment], each, f"{seed} {number} {each.moment}")
            yield Advice(f"{seed} {number}", each.loss, gain)


def gain_of_number(states: list[coyote.State], judgement: Judgement) -> float:
    """Return 1 if the better choice of a bidder was right and the chosen one wrong, -1 the other way round."""
    first, *later = states
    counted = next(state.revealed for state in later if state.revealed is not first.revealed)
    total = coyote.tally(counted.cards, counted.discard, first.house.doubling).total

    def is_right(value: Value) -> bool:
        if isinstance(value, int):
            return value <= total
        return (first.stage.bids[-1].number <= total) == (value != COYOTE)

    return float(is_right(judgement.better) - is_right(judgement.chosen))


def _gain(table: DealtMatch, answer: Answer, judgement: Judgement, seed: str) -> float:
    """Return the gain of the better choice over the one chosen, with equal seeds."""
    better = replace(answer, value=judgement.better, owners=(), tied=())
    chosen, other = (_play_on(table, each, judgement.seat, Random(seed)) for each in (answer, better))
    return other - chosen


def _play_on(table: DealtMatch, answer: Answer, seat: int, rng: Random) -> float:
    """Give an answer, finish the turn as the coach would, let bots play on, and count for a seat."""
    end = ENDS[table.match.setup.game.name]
    finish = end.finish
    alone = replace(table.match, position=without_answers(table.match.position), before=None)
    table = next_table(DealtMatch(alone, table.truth), table.truth, answer, rng)
    for _answer in range(MOST_ANSWERS):
        if not table.match.asks or end.is_reached(table.match.state):
            break
        own = finish(table, seat) if finish is not None else None
        finish = finish if own is not None else None
        told = replace(own, moment=table.match.number) if own is not None else None
        table = next_table(table, *((table.truth, told) if told else answer_by_bots(table, rng)), rng)
    return end.value(table.match, seat)


def _finish_ogallala(table: DealtMatch, seat: int) -> Answer | None:
    """Return the first answer of the best turn; None if the turn is over, or a search isn't complete."""
    tree = ogallala.turn_tree(seat, ogallala.odds_of(table.match.state))
    moves = tree.moves(table.match.state)
    found = [(best_turn(tree, after, ogallala.MOST_TRIED), answer) for answer, after in moves]
    if not found or not all(best.is_exact for best, _answer in found):
        return None
    return max(found, key=lambda each: each[0].worth)[1]


ENDS = {
    "coyote": End("share of right choices", lambda _match, _seat: 0.0),
    "coup": End("share of the win", lambda match, seat: shares_of(match)[seat]),
    "coup-d-etat": End(
        "francs of the deal",
        lambda match, seat: francs(match.state, seat),
        lambda state: isinstance(state.stage, Dealt | Choosing),
    ),
    "plenty-coups": End("lead in renown", lambda match, seat: plenty_coups.lead(match.state, seat)),
    "ogallala": End(
        "lead in points", lambda match, seat: ogallala.lead(match.state, seat), finish=_finish_ogallala
    ),
}
