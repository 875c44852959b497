"""Post-match analysis: the known facts behind each decision, and the costliest ones. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from referee.contract import Judgement, Kind, Laboratory
from referee.contract.coaching import HeardAnswer, Line
from referee.match import Match, standing_answers
from referee.seatings import seatings_of
from referee.sentences import Language, listener_when, remark_text

TURNING_POINTS = 3
MIN_LOSS = 0.005
"""Smallest loss of a turning point: half a percent, or half a hundredth of a point."""


class SeatAnalysis(Struct, frozen=True):
    """A person's judged decisions at a seat in order, and their turning points, costliest first."""

    seat: int
    name: str
    judgements: tuple[Judgement, ...]
    turning_points: tuple[Judgement, ...]


def analyse(match: Match, laboratory: Laboratory) -> tuple[SeatAnalysis, ...]:
    if match.outcome is None:
        raise ValueError("a match is analysed once it is over, never during it")
    judgements = match.setup.game.play.coach(line_of(match), laboratory)
    seatings = seatings_of(match)
    people = [(seat, name) for seat in range(len(seatings.names)) for name in seatings.people_of(seat)]
    own = {each: list[Judgement]() for each in people}
    for judgement in judgements:
        own[judgement.seat, seatings.names_at(judgement.moment)[judgement.seat]].append(judgement)
    return tuple(SeatAnalysis(*who, tuple(judged), turning_points(judged)) for who, judged in own.items())


def turning_points(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    costly = [each for each in judgements if each.loss >= MIN_LOSS]
    return tuple(sorted(costly, key=lambda each: (-each.loss, each.moment))[:TURNING_POINTS])


def line_of(match: Match) -> Line:
    return tuple(
        HeardAnswer(step.heard_at, step.before.state, step.before.asks, step.answer, step.rulings, step.state)
        for step in standing_answers(match)
    )


def judgement_texts(match: Match, judgement: Judgement, language: Language) -> tuple[str, ...]:
    """Return a judgement's sentences, with the names of the people seated at that moment."""
    listener = listener_when(match.setup, seatings_of(match), judgement.moment, language)
    return tuple(remark_text(listener, remark) for remark in judgement.remarks)


class DecisionView(Struct, frozen=True):
    """A judged decision as text."""

    moment: int
    kind: Kind
    loss: float
    told: tuple[str, ...]


class SeatView(Struct, frozen=True):
    """A player's judged decisions as text, and the moments of their turning points."""

    name: str
    decisions: tuple[DecisionView, ...]
    turning_points: tuple[int, ...]


class AnalysisView(Struct, frozen=True):
    """The analysis of a match, by player, and the random seed of its simulations."""

    seed: int
    players: tuple[SeatView, ...]


def analysis_view(match: Match, laboratory: Laboratory, seed: int, language: Language) -> AnalysisView:
    return AnalysisView(seed, tuple(_seat_view(match, each, language) for each in analyse(match, laboratory)))


def _seat_view(match: Match, analysis: SeatAnalysis, language: Language) -> SeatView:
    decisions = (
        DecisionView(each.moment, each.kind, each.loss, judgement_texts(match, each, language))
        for each in analysis.judgements
    )
    points = tuple(each.moment for each in analysis.turning_points)
    return SeatView(analysis.name, tuple(decisions), points)
