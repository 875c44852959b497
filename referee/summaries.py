"""Looking back: what a match came to, round by round, and what many matches say of their players. Pure.

Only the answers that stand count. A match is seen as a spectator sees it: by public views and rulings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from msgspec import Struct

from referee.camera_readings import CameraReadings, add_readings, readings_in
from referee.contract import Game, Ruling, Stretch
from referee.house_rules import changed_house_rules, values_of
from referee.match import Match, Position, SitDown, Step, log, moments, positions_of
from referee.record import Fault

COUNTED = 3
"""To be raised whenever a match is summed up in another way: what was kept of older sums is then of no use."""


class Round(Struct, frozen=True):
    """A round: how each seat stood after it, what a chart shows beside that, and what was ruled in it."""

    number: int
    counts: tuple[Mapping[str, int], ...]
    points: Mapping[str, int]
    rulings: tuple[Ruling, ...]
    names: tuple[str, ...]
    is_over: bool = True


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
    places: tuple[int, ...] = ()
    counts: tuple[Mapping[str, int], ...] = ()
    feats: tuple[Mapping[str, int], ...] = ()
    left: tuple[LeftSeat, ...] = ()  # who left in the running match, the first one first
    camera: CameraReadings | None = None
    winners: tuple[int, ...] | None = None  # None as long as the match isn't decided
    is_ended_early: bool = False


class JournalMatch(Struct, frozen=True):
    """A match of a journal: its number; what it came to, and what is wrong with it, once it has been read."""

    number: int
    summary: Summary | None = None
    fault: Fault | None = None


class PlayerFigures(Struct, frozen=True):
    """How a player did in a game, or in all games together: then no game is named and no feat counted."""

    name: str
    game: str
    played: int
    won: int
    feats: Mapping[str, int] = {}


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

    def told(number: int, stretch: Stretch, at: Position, is_over: bool) -> Round:
        points, names = game.counting.points(stretch), names_when(seatings, at)
        return Round(number, _counts(game, at), points, stretch.rulings, names, is_over)

    return tuple(told(number, *each) for number, each in enumerate(_stretches(match), 1))


Seatings = tuple[tuple[int, tuple[str, ...]], ...]
"""From which moment on who sat at the table, the latest first."""


def seatings_of(match: Match) -> Seatings:
    return tuple(
        (moment.number, moment.setup.names)
        for moment in moments(match)
        if isinstance(moment.entry, SitDown) or moment.before is None
    )


def names_when(seatings: Seatings, at: Position) -> tuple[str, ...]:
    """Give who sat at the table when the answer was heard that led to a position."""
    return next(names for since, names in seatings if since <= _heard_at(at))


def summary_of(match: Match) -> Summary:
    setup, outcome, entries = match.setup, match.decided, log(match)
    readings = readings_in(entries)
    over = [(stretch, at) for stretch, at, is_over in _stretches(match) if is_over]
    standings = {standing.seat: standing for standing in setup.game.rules.standings(match.state)}
    return Summary(
        game=setup.game.name,
        names=setup.names,
        edition=getattr(setup.house, "edition", ""),
        house={name: values_of(setup.house, name) for name in changed_house_rules(setup.game, setup.house)},
        begun=setup.begun,
        ended=entries[-1].at if entries else "",
        rounds=len(over),
        starter=_starter(match),
        places=tuple(standings[seat].place for seat in range(len(setup.names))),
        counts=_counts(setup.game, match.position),
        feats=_feats(match, [stretch for stretch, _at in over]),
        left=_left(match, over),
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
            feats.setdefault((name_key(name), summary.game), Counter()).update(_own_feats(summary, seat))
        for gone in summary.left if summary.winners is not None else ():
            # it counts for who did it; the match is that of who played it to its end
            feats.setdefault((name_key(gone.name), summary.game), Counter()).update(gone.feats)
    figures = [
        PlayerFigures(names[who], game, count, won[who, game], dict(feats.get((who, game), {})))
        for (who, game), count in played.items()
    ]
    return tuple(sorted(figures, key=lambda each: (each.game, -each.won, -each.played, name_key(each.name))))


def _own_feats(summary: Summary, seat: int) -> Counter[str]:
    own = Counter(summary.feats[seat])
    for gone in summary.left:
        own.subtract(gone.feats if gone.seat == seat else {})
    return own


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


def _stretches(match: Match) -> Iterator[tuple[Stretch, Position, bool]]:
    """Cut a match into rounds; each comes with where the game stood after it, and whether it is over."""
    game = match.setup.game
    positions = positions_of(match)
    at = positions[0]
    before = seen = game.shown.view(at.state, None)
    told = list(at.rulings)
    for at in positions[1:]:
        now = game.shown.view(at.state, None)
        if game.counting.ends(Stretch(seen, at.rulings, now)):
            ending, opening = split_rulings(game, at.rulings)
            yield Stretch(before, (*told, *ending), now), at, True
            before, told = now, list(opening)
        else:
            told += at.rulings
        seen = now
    if told:
        yield Stretch(before, tuple(told), seen), at, match.decided is not None


def split_rulings(game: Game, rulings: tuple[Ruling, ...]) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """Split what ends a round from what opens the next one."""
    keys = [ruling.key for ruling in rulings]
    place = min((keys.index(key) for key in game.counting.opens if key in keys), default=len(keys))
    return rulings[:place], rulings[place:]


def _counts(game: Game, at: Position) -> tuple[Mapping[str, int], ...]:
    standings = sorted(game.rules.standings(at.state), key=lambda standing: standing.seat)
    return tuple(standing.counts for standing in standings)


def _feats(match: Match, stretches: Iterable[Stretch]) -> tuple[Mapping[str, int], ...]:
    counted = [Counter[str]() for _name in match.setup.names]
    for stretch in stretches:
        for feat in match.setup.game.counting.feats(stretch):
            counted[feat.seat][feat.key] += feat.count
    return tuple(dict(each) for each in counted)


def _left(match: Match, over: Sequence[tuple[Stretch, Position]]) -> tuple[LeftSeat, ...]:
    left, since = list[LeftSeat](), dict[int, int]()
    for (until, seated), (_since, before) in list(pairwise(seatings_of(match)))[::-1]:
        seat = next(seat for seat, name in enumerate(seated) if name != before[seat])
        done = [stretch for stretch, at in over if since.get(seat, 0) <= _heard_at(at) < until]
        left.append(LeftSeat(seat, before[seat], until - 1, _feats(match, done)[seat]))
        since[seat] = until
    return tuple(left)


def _heard_at(at: Position) -> int:
    return at.heard_at if isinstance(at, Step) else 0


def _starter(match: Match) -> int | None:
    key, who = match.setup.game.counting.begins
    for position in positions_of(match):
        for ruling in position.rulings:
            seat = ruling.values[who] if ruling.key == key else None
            if isinstance(seat, int):
                return seat
    return None


MORNING = timedelta(hours=6)  # an evening lasts into the small hours


def day_of(begun: str) -> str:
    """Name the day of the evening to which a match belongs; nothing if it isn't known."""
    try:
        return (datetime.fromisoformat(begun) - MORNING).date().isoformat()
    except (ValueError, OverflowError):
        return ""
