"""Looking back: what a match came to, round by round, and what many matches say of their players. Pure.

Only the answers that stand count. A match is seen as a spectator sees it: by public views and rulings.
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
from referee.match import Match, Position, log, positions_of
from referee.record import Fault
from referee.seatings import heard_at, seatings_of

COUNTED = 4
"""To be raised whenever a match is summed up in another way: what was kept of older sums is then of no use."""


class Round(Struct, frozen=True):
    """A round: how each seat stood after it, what a chart shows beside that, and what was ruled in it."""

    number: int
    counts: tuple[Mapping[str, int], ...]
    points: Mapping[str, int]
    rulings: tuple[Ruling, ...]
    names: tuple[str, ...]  # who sat at the table in the end of the round
    is_over: bool = True
    heard: tuple[int, ...] = ()
    """For each ruling the moment at which its answer was heard."""


class LeftSeat(Struct, frozen=True):
    """A person who left a seat in the running match: at which answer, and what that person had done by then."""

    seat: int
    name: str
    answer: int
    feats: Mapping[str, int] = {}


class Summary(Struct, frozen=True, omit_defaults=True):
    """What a match came to; of seats, the first is seat 0."""

    game: str
    names: tuple[str, ...]
    edition: str = ""
    house: Mapping[str, tuple[str, ...]] = {}
    """The house rules that aren't as the rule book has them, each with its values in words."""
    begun: str = ""
    ended: str = ""  # when the last entry was made, if that was noted
    rounds: int = 0
    starter: int | None = None
    began: str = ""  # who sat at that seat then
    places: tuple[int, ...] = ()
    counts: tuple[Mapping[str, int], ...] = ()
    feats: tuple[Mapping[str, int], ...] = ()
    """What those did who sit at the seats in the end; what others did there before stands with them."""
    left: tuple[LeftSeat, ...] = ()  # who left in the running match, the first one first
    camera: CameraReadings | None = None
    winners: tuple[int, ...] | None = None  # None as long as the match isn't decided
    is_ended_early: bool = False

    @property
    def credited(self) -> tuple[tuple[int, str, Mapping[str, int]], ...]:
        """List who sat at each seat, first to last, each once, with what that person did there."""
        stays = [(gone.seat, gone.name, gone.feats) for gone in self.left]
        stays += [
            (seat, name, feats) for seat, (name, feats) in enumerate(zip(self.names, self.feats, strict=True))
        ]
        done = dict[tuple[int, str], Counter[str]]()
        for seat, name, feats in sorted(stays, key=lambda stay: stay[0]):
            done.setdefault((seat, name), Counter()).update(feats)
        return tuple((*who, dict(counted)) for who, counted in done.items())


class JournalMatch(Struct, frozen=True):
    """A match of a journal: its number; what it came to, and what is wrong with it, once it has been read."""

    number: int
    summary: Summary | None = None
    fault: Fault | None = None


class PlayerFigures(Struct, frozen=True):
    """How a player did in a game, or in all games together: then no game is named and no feat counted."""

    name: str
    game: str
    played: int  # finished matches in which this player sat at the end
    won: int
    feats: Mapping[str, int] = {}

    @property
    def share(self) -> float | None:
        """The share of matches won; None for who left all matches before their end."""
        return self.won / self.played if self.played else None


class DeckReadings(Struct, frozen=True):
    """How the camera has read a deck: in all matches, and on the last day on which it was played with."""

    game: str
    edition: str
    overall: CameraReadings
    day: str
    last_day: CameraReadings


class ForgottenPlayer(Struct, frozen=True):
    """The name that replaced a forgotten player's, and in how many matches."""

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
    """Add up what players did in finished matches: over all games, then by game; most wins first."""
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
            # it counts for who did it; the match is that of who played it to its end
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
    """Add up what the camera has read of each deck, open matches too; decks that it never read are left out."""
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


def name_key(name: str) -> str:
    return name.casefold()


class _Part(NamedTuple):
    """A round: its stretch, where the game stood after it, when the answers were heard, whether it is over."""

    stretch: Stretch
    at: Position
    heard: tuple[int, ...]
    is_over: bool


def _parts(match: Match) -> Iterator[_Part]:
    """Cut a match into rounds."""
    game = match.setup.game
    positions = positions_of(match)
    at = positions[0]
    before = seen = game.shown.view(at.state, None)
    told = [(0, ruling) for ruling in at.rulings]

    def part(now: Any, *, is_over: bool) -> _Part:
        rulings, heard = tuple(ruling for _at, ruling in told), tuple(heard for heard, _ruling in told)
        return _Part(Stretch(before, rulings, now), at, heard, is_over)

    for at in positions[1:]:
        now, heard = game.shown.view(at.state, None), heard_at(at)
        if game.counting.ends(Stretch(seen, at.rulings, now)):
            ending, opening = split_rulings(game, at.rulings)
            told += [(heard, ruling) for ruling in ending]
            yield part(now, is_over=True)
            before, told = now, [(heard, ruling) for ruling in opening]
        else:
            told += [(heard, ruling) for ruling in at.rulings]
        seen = now
    if told:
        yield part(seen, is_over=match.decided is not None)


def split_rulings(game: Game, rulings: tuple[Ruling, ...]) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """Split what ends a round from what opens the next one."""
    keys = [ruling.key for ruling in rulings]
    place = min((keys.index(key) for key in game.counting.opens if key in keys), default=len(keys))
    return rulings[:place], rulings[place:]


def _counts(game: Game, at: Position) -> tuple[Mapping[str, int], ...]:
    standings = sorted(game.rules.standings(at.state), key=lambda standing: standing.seat)
    return tuple(standing.counts for standing in standings)


def _credited(
    match: Match, over: Iterable[_Part]
) -> tuple[tuple[Mapping[str, int], ...], tuple[LeftSeat, ...]]:
    """Credit what was done to who sat there then: to those who sit there in the end, and to those who left."""
    feats = [
        (_heard_at(part, feat), feat) for part in over for feat in match.setup.game.counting.feats(part.stretch)
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


def _heard_at(part: _Part, feat: Feat) -> int:
    return heard_at(part.at) if feat.ruling is None else part.heard[feat.ruling]


def _added_up(feats: Iterable[Feat]) -> Mapping[str, int]:
    counted = Counter[str]()
    for feat in feats:
        counted[feat.key] += feat.count
    return dict(counted)


def _starter(match: Match) -> tuple[int | None, str]:
    """Return the seat that began, and who sat there then."""
    key, who = match.setup.game.counting.begins
    for position in positions_of(match):
        for ruling in position.rulings:
            seat = ruling.values[who] if ruling.key == key else None
            if isinstance(seat, int):
                return seat, seatings_of(match).names_at(heard_at(position))[seat]
    return None, ""


MORNING = timedelta(hours=6)  # an evening lasts into the small hours


def day_of(begun: str) -> str:
    """Name the day of the evening to which a match belongs; nothing if it isn't known."""
    try:
        return (datetime.fromisoformat(begun) - MORNING).date().isoformat()
    except (ValueError, OverflowError):
        return ""
