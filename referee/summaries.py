"""Summaries of matches by round, and statistics of players over many matches. Pure.

Only accepted answers count. A match is read as a spectator sees it: through public views and rulings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from referee.camera_readings import CameraReadings, add_readings, readings_in
from referee.contract import Feat, Game, Ruling, Stretch
from referee.house_rules import changed_house_rules, values_of
from referee.match import Match, Position, log, name_key, positions_of
from referee.record import Fault
from referee.seatings import heard_at, seatings_of

SUMMARY_VERSION = 5
"""Version of the summary; raise it on any change, so that cached summaries are discarded."""


class Round(Struct, frozen=True):
    """A round: each seat's counts at its end, chart values, and rulings."""

    number: int
    counts: tuple[Mapping[str, int], ...]
    points: Mapping[str, int]
    rulings: tuple[Ruling, ...]
    names: tuple[str, ...]  # people seated at its end
    is_over: bool = True
    heard: tuple[int, ...] = ()
    """Moment of each ruling's answer."""


class LeftSeat(Struct, frozen=True):
    """A person who left during the match, with the last answer before that and their feats so far."""

    seat: int
    name: str
    answer: int
    feats: Mapping[str, int] = {}


class Summary(Struct, frozen=True, omit_defaults=True):
    """Result of a match; seats count from 0."""

    game: str
    names: tuple[str, ...]
    edition: str = ""
    house: Mapping[str, tuple[str, ...]] = {}
    """House rules that differ from the rule book, with their values."""
    begun: str = ""
    ended: str = ""  # time of the last entry, if recorded
    rounds: int = 0
    starter: int | None = None
    began: str = ""  # the person at that seat at the time
    places: tuple[int, ...] = ()
    counts: tuple[Mapping[str, int], ...] = ()
    feats: tuple[Mapping[str, int], ...] = ()
    """Feats of the people seated at the end; those of earlier players are in `left`."""
    left: tuple[LeftSeat, ...] = ()  # people who left during the match, in order
    camera: CameraReadings | None = None
    winners: tuple[int, ...] | None = None  # None until the match is decided
    is_ended_early: bool = False

    @property
    def credited(self) -> tuple[tuple[int, str, Mapping[str, int]], ...]:
        """List each person who sat at each seat, in order, with their feats there."""
        stays = [(gone.seat, gone.name, gone.feats) for gone in self.left]
        stays += [
            (seat, name, feats) for seat, (name, feats) in enumerate(zip(self.names, self.feats, strict=True))
        ]
        done: dict[tuple[int, str], Counter[str]] = {}
        for seat, name, feats in sorted(stays, key=lambda stay: stay[0]):
            done.setdefault((seat, name), Counter()).update(feats)
        return tuple((*who, dict(counted)) for who, counted in done.items())

    @property
    def people(self) -> tuple[str, ...]:
        """Return the names of everyone who sat at each seat, joined by commas."""
        return tuple(
            ", ".join(dict.fromkeys((*(gone.name for gone in self.left if gone.seat == seat), name)))
            for seat, name in enumerate(self.names)
        )


class JournalMatch(Struct, frozen=True):
    """A match in a journal: its number, and its summary or fault once it has been read."""

    number: int
    summary: Summary | None = None
    fault: Fault | None = None


class PlayerFigures(Struct, frozen=True):
    """A player's results in one game, or in all games (empty `game`, without feats)."""

    name: str
    game: str
    played: int  # finished matches in which the player was seated at the end
    won: int
    feats: Mapping[str, int] = {}

    @property
    def share(self) -> float | None:
        """Share of matches won; None if the player finished none."""
        return self.won / self.played if self.played else None


class DeckReadings(Struct, frozen=True):
    """Camera accuracy for a deck: in all matches, and on the last day it was used."""

    game: str
    edition: str
    overall: CameraReadings
    day: str
    last_day: CameraReadings


class ForgottenPlayer(Struct, frozen=True):
    """The name that replaced a forgotten player's, and the number of matches changed."""

    name: str
    matches: int


def rounds_of(match: Match) -> tuple[Round, ...]:
    game, seatings = match.setup.game, seatings_of(match)
    return tuple(
        Round(
            number,
            _counts(game, part.at),
            game.counting.points(part.stretch),
            part.stretch.rulings,
            seatings.names_at(heard_at(part.at)),
            part.is_over,
            part.heard,
        )
        for number, part in enumerate(_parts(match), 1)
    )


def summary_of(match: Match) -> Summary:
    setup, outcome, entries = match.setup, match.decided, log(match)
    readings = readings_in(entries)
    over = [part for part in _parts(match) if part.is_over]
    standings = {standing.seat: standing for standing in setup.game.rules.standings(match.state)}
    starter, began = _starter(match)
    feats, left = _credited(match, over)
    return Summary(
        game=setup.game.name,
        names=setup.names,
        edition=getattr(setup.house, "edition", ""),
        house={name: values_of(setup.house, name) for name in changed_house_rules(setup.game, setup.house)},
        begun=setup.begun,
        ended=entries[-1].at if entries else "",
        rounds=len(over),
        starter=starter,
        began=began,
        places=tuple(standings[seat].place for seat in range(len(setup.names))),
        counts=_counts(setup.game, match.position),
        feats=feats,
        left=left,
        camera=readings if readings.named else None,
        winners=None if outcome is None else outcome.winners,
        is_ended_early=match.is_ended,
    )


def statistics(summaries: Iterable[Summary]) -> tuple[PlayerFigures, ...]:
    """Sum the feats of players in finished matches, over all games and by game; most wins first."""
    names: dict[str, str] = {}
    played, won = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    feats: dict[tuple[str, str], Counter[str]] = {}
    for summary in summaries:
        for seat, name in enumerate(summary.names if summary.winners is not None else ()):
            names[name_key(name)] = name
            for game in ("", summary.game):
                who = name_key(name), game
                played[who] += 1
                won[who] += seat in (summary.winners or ())
            feats.setdefault((name_key(name), summary.game), Counter()).update(summary.feats[seat])
        for gone in summary.left if summary.winners is not None else ():
            # feats count for the person who left; the match counts for the person seated at the end
            names.setdefault(name_key(gone.name), gone.name)
            for game in ("", summary.game):
                played[name_key(gone.name), game] += 0
            feats.setdefault((name_key(gone.name), summary.game), Counter()).update(gone.feats)
    figures = [
        PlayerFigures(names[who], game, count, won[who, game], dict(feats.get((who, game), {})))
        for (who, game), count in played.items()
    ]
    return tuple(sorted(figures, key=lambda each: (each.game, -each.won, -each.played, name_key(each.name))))


def deck_readings(summaries: Iterable[Summary]) -> tuple[DeckReadings, ...]:
    """Sum camera readings per deck, running matches included; decks never read are omitted."""
    decks: dict[tuple[str, str], list[Summary]] = {}
    for summary in summaries:
        if summary.camera is not None:
            decks.setdefault((summary.game, summary.edition), []).append(summary)
    return tuple(_deck_readings(game, edition, decks[game, edition]) for game, edition in sorted(decks))


def _deck_readings(game: str, edition: str, matches: list[Summary]) -> DeckReadings:
    last = max(map(_day, matches))
    overall = add_readings(each.camera for each in matches if each.camera)
    newest = add_readings(each.camera for each in matches if each.camera and _day(each) == last)
    return DeckReadings(game, edition, overall, last, newest)


def _day(summary: Summary) -> str:
    return summary.begun[:10]


def rates_of(game: Game, feats: Mapping[str, int]) -> Mapping[str, float]:
    return {
        rate.key: feats.get(rate.part, 0) / feats[rate.whole]
        for rate in game.counting.rates
        if feats.get(rate.whole)
    }


class _Part(NamedTuple):
    """A round: its stretch, its last position, the moments of its answers, and whether it is over."""

    stretch: Stretch
    at: Position
    heard: tuple[int, ...]
    is_over: bool


def _parts(match: Match) -> Iterator[_Part]:
    """Yield the rounds of a match."""
    game = match.setup.game
    positions = positions_of(match)
    at = positions[0]
    before = seen = game.shown.view(at.state, None)
    ruled = [(0, ruling) for ruling in at.rulings]

    def part(now: Any, *, is_over: bool) -> _Part:
        rulings, heard = tuple(ruling for _at, ruling in ruled), tuple(heard for heard, _ruling in ruled)
        return _Part(Stretch(before, rulings, now), at, heard, is_over)

    for at in positions[1:]:
        now, heard = game.shown.view(at.state, None), heard_at(at)
        if game.counting.ends(Stretch(seen, at.rulings, now)):
            ending, opening = split_rulings(game, at.rulings)
            ruled += [(heard, ruling) for ruling in ending]
            yield part(now, is_over=True)
            before, ruled = now, [(heard, ruling) for ruling in opening]
        else:
            ruled += [(heard, ruling) for ruling in at.rulings]
        seen = now
    if ruled:
        yield part(seen, is_over=match.decided is not None)


def split_rulings(game: Game, rulings: tuple[Ruling, ...]) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """Split rulings into the end of a round and the start of the next."""
    keys = [ruling.key for ruling in rulings]
    place = min((keys.index(key) for key in game.counting.opens if key in keys), default=len(keys))
    return rulings[:place], rulings[place:]


def _counts(game: Game, at: Position) -> tuple[Mapping[str, int], ...]:
    standings = sorted(game.rules.standings(at.state), key=lambda standing: standing.seat)
    return tuple(standing.counts for standing in standings)


def _credited(
    match: Match, over: Iterable[_Part]
) -> tuple[tuple[Mapping[str, int], ...], tuple[LeftSeat, ...]]:
    """Credit feats to the people seated at the time: those seated at the end, and those who left."""
    feats = [
        (heard_at(part.at) if feat.ruling is None else part.heard[feat.ruling], feat)
        for part in over
        for feat in match.setup.game.counting.feats(part.stretch)
    ]
    left, since = list[LeftSeat](), [0] * len(match.setup.names)
    for (_since, before), (until, seated) in pairwise(seatings_of(match).changes):
        seat = next(seat for seat, name in enumerate(seated) if name != before[seat])
        own = (feat for at, feat in feats if feat.seat == seat and since[seat] <= at < until)
        left.append(LeftSeat(seat, before[seat], until - 1, _added_up(own)))
        since[seat] = until
    stayed = [
        [feat for at, feat in feats if feat.seat == seat and since[seat] <= at] for seat in range(len(since))
    ]
    return tuple(map(_added_up, stayed)), tuple(left)


def _added_up(feats: Iterable[Feat]) -> Mapping[str, int]:
    counted = Counter[str]()
    for feat in feats:
        counted[feat.key] += feat.count
    return dict(counted)


def _starter(match: Match) -> tuple[int | None, str]:
    """Return the starting seat and the person seated there at the time."""
    key, who = match.setup.game.counting.begins
    for position in positions_of(match):
        for ruling in position.rulings:
            seat = ruling.values[who] if ruling.key == key else None
            if isinstance(seat, int):
                return seat, seatings_of(match).names_at(heard_at(position))[seat]
    return None, ""


MORNING = timedelta(hours=6)  # matches after midnight belong to the evening before


def day_of(begun: str) -> str:
    """Return the date of the evening to which a match belongs; empty if unknown."""
    try:
        return (datetime.fromisoformat(begun) - MORNING).date().isoformat()
    except (ValueError, OverflowError):
        return ""
