"""How much was given away in the course of a match: a row of bars for each player. Pure."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.coaching import ToldAnalysis, ToldDecision, ToldSeat
from referee.contract import Kind
from referee.contract.words import phrase
from referee.telling import Language, tell_share
from webui.drawing.charts import COLOURS, number_text
from webui.drawing.words import page_text

WIDTH, HEIGHT = 480, 84
LEFT, RIGHT, TOP, BOTTOM = 8, 472, 22, 76
THIN = 1.5
"""The least height of a bar: a decision that gave nothing away is there, too."""


class Bar(Struct, frozen=True):
    """A decision as a bar; a turning point has its number above it."""

    x: float
    y: float
    height: float
    number: int | None


class TurningPoint(Struct, frozen=True):
    """One of the costliest decisions: its place among them, its moment, what it cost, what there is to say."""

    number: int
    moment: int
    cost: str
    told: tuple[str, ...]


class PlayerDecisions(Struct, frozen=True):
    """All that is shown of a player."""

    name: str
    key: str
    colour: int
    judged: int
    total: str
    """What a decision gave away on average, where that can be said."""
    bars: tuple[Bar, ...]
    width: float
    points: tuple[TurningPoint, ...]


def decisions_of(analysis: ToldAnalysis, language: Language) -> tuple[PlayerDecisions, ...]:
    """Draw the decisions of each player; bars of all players have one scale."""
    every = [each for player in analysis.players for each in player.decisions]
    if not every:
        return ()
    span = (min(each.moment for each in every), max(each.moment for each in every))
    most = max((each.loss for each in every), default=0.0)
    return tuple(_player(player, seat, span, most, language) for seat, player in enumerate(analysis.players))


def _player(
    player: ToldSeat, seat: int, span: tuple[int, int], most: float, language: Language
) -> PlayerDecisions:
    numbers = {moment: number for number, moment in enumerate(player.turning_points, 1)}
    by_moment = {each.moment: each for each in player.decisions}
    return PlayerDecisions(
        name=player.name,
        key=f"decisions-{seat}",
        colour=seat % COLOURS,
        judged=len(player.decisions),
        total=_total(player.decisions, language),
        bars=tuple(_bars(player.decisions, numbers, span, most)),
        width=round(min(9.0, max(3.0, (RIGHT - LEFT) / (2 * (span[1] - span[0] + 1)))), 1),
        points=tuple(
            TurningPoint(number, moment, _cost(by_moment[moment], language), by_moment[moment].told)
            for moment, number in numbers.items()
        ),
    )


def _bars(
    decisions: Sequence[ToldDecision], numbers: dict[int, int], span: tuple[int, int], most: float
) -> Iterator[Bar]:
    first, last = span
    for each in decisions:
        share = each.loss / most if most else 0.0
        height = round(max(THIN, share * (BOTTOM - TOP)), 1)
        x = LEFT + (RIGHT - LEFT) * (each.moment - first) / max(1, last - first)
        yield Bar(round(x, 1), round(BOTTOM - height, 1), height, numbers.get(each.moment))


def _cost(decision: ToldDecision, language: Language) -> str:
    """Say what a decision gave away: a share of a chance, or points."""
    if decision.kind is Kind.POINTS:
        return page_text(language, phrase("given away: {points}"), points=number_text(round(decision.loss)))
    return page_text(language, phrase("{share} of a chance given away"), share=tell_share(decision.loss))


def _total(decisions: Sequence[ToldDecision], language: Language) -> str:
    """Average the chances that decisions gave away; points aren't added up, as those of a turn overlap."""
    if not decisions or decisions[0].kind is Kind.POINTS:
        return ""
    lost = sum(each.loss for each in decisions)
    return page_text(
        language, phrase("{share} of a chance given away on average"), share=tell_share(lost / len(decisions))
    )


def is_played_on(analysis: ToldAnalysis) -> bool:
    """Tell whether anything was found by playing on, so that the seed matters."""
    return any(each.kind is Kind.WINS for player in analysis.players for each in player.decisions)
