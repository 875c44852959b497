"""What an evening comes to: counts for each round, and for how long people waited; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.twin.bot_seats import UNREAD
from referee.contract import Sense
from tests.bench.measured import Times, times_of
from tests.long.fingers import Means

MatchEnd = Literal["over", "stopped", "too long"]
MOVING = UNREAD | {"at once"}
"""Notices that ask people to move, turn or lay again a card that lies there."""


class TakenAnswer(Struct, frozen=True):
    """An answer that counted: by which sense it came, and what was meant to take it."""

    sense: Sense
    means: Means
    waited: float | None = None
    """Seconds from when all was laid, or the press was made, until it counted; None if hands didn't give it."""
    is_disturbed: bool = False
    """Whether a mishap happened while it was waited for."""


class ToldNotice(Struct, frozen=True):
    """Something that the table told people beside the game."""

    key: str
    is_disturbed: bool = False


class MatchRecord(Struct, frozen=True):
    """What happened in a match."""

    game: str
    rounds: int
    answers: tuple[TakenAnswer, ...] = ()
    told: tuple[ToldNotice, ...] = ()
    mishaps: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    """Why the host had to act, each time."""
    end: MatchEnd = "over"
    seconds: float = 0.0


class GameFigures(Struct, frozen=True):
    """What the matches of a game came to."""

    game: str
    matches: int
    ends: Mapping[str, int]
    rounds: int
    minutes: float
    senses: Mapping[str, int]
    """How many answers came by each sense."""
    instead: Mapping[str, int]
    """How often a phone did the work of the camera, a button or the dial."""
    only_phone: int
    """Answers that only a phone can give."""
    moves: int
    """How often people were asked to move or lay again a card, with no mishap."""
    moves_disturbed: int
    mishaps: Mapping[str, int]
    interventions: Mapping[str, int]
    told: Mapping[str, int]
    waited: float
    """Seconds that people waited in all, mishaps too."""
    waits: Times
    """Of all answers without a mishap."""
    waits_disturbed: Times
    waits_by: Mapping[str, Times]
    """The waits without mishaps, for each of camera, button and dial that was meant to take the answer."""


def figures_of(records: Iterable[MatchRecord]) -> tuple[GameFigures, ...]:
    """Sum matches up by game, in the order in which the games came."""
    games: dict[str, list[MatchRecord]] = {}
    for record in records:
        games.setdefault(record.game, []).append(record)
    return tuple(_figures(game, matches) for game, matches in games.items())


def _figures(game: str, matches: list[MatchRecord]) -> GameFigures:
    answers = [answer for match in matches for answer in match.answers]
    told = [notice for match in matches for notice in match.told]
    moves = [notice for notice in told if notice.key in MOVING]
    quiet = [answer for answer in answers if not answer.is_disturbed]
    return GameFigures(
        game=game,
        matches=len(matches),
        ends=Counter(match.end for match in matches),
        rounds=sum(match.rounds for match in matches),
        minutes=round(sum(match.seconds for match in matches) / 60, 1),
        senses=Counter(answer.sense for answer in answers),
        instead=Counter(answer.means for answer in answers if answer.sense == "phone" != answer.means),
        only_phone=sum(answer.sense == "phone" == answer.means for answer in answers),
        moves=sum(not notice.is_disturbed for notice in moves),
        moves_disturbed=sum(notice.is_disturbed for notice in moves),
        mishaps=Counter(kind for match in matches for kind in match.mishaps),
        interventions=Counter(why for match in matches for why in match.interventions),
        told=Counter(notice.key for notice in told),
        waited=round(sum(answer.waited or 0.0 for answer in answers), 1),
        waits=_waits(quiet),
        waits_disturbed=_waits(answer for answer in answers if answer.is_disturbed),
        waits_by={
            means: _waits(answer for answer in quiet if answer.means == means)
            for means in ("camera", "button", "dial")
        },
    )


def _waits(answers: Iterable[TakenAnswer]) -> Times:
    return times_of(answer.waited for answer in answers if answer.waited is not None)


def round_figures(of: GameFigures) -> dict[str, object]:
    """Spread over a game's rounds answers by sense, what should be rare, and seconds; of waits the p95."""
    counts = {
        **{name: of.senses.get(name, 0) for name in ("camera", "button", "dial")},
        "phone": of.only_phone,
        "instead": sum(of.instead.values()),
        "moves": of.moves + of.moves_disturbed,
        "host": sum(of.interventions.values()),
        "waited": of.waited,
    }
    shares = {name: round(count / max(1, of.rounds), 2) for name, count in counts.items()}
    waits = {f"{name} s": waits.p95 for name, waits in {**of.waits_by, "mishap": of.waits_disturbed}.items()}
    return {"game": of.game, "rounds": of.rounds, **shares, **waits}
