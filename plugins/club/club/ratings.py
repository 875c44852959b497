"""Ratings by results alone: Plackett–Luce for many players (openskill), per game and edition; pure.

Ratings start from zero and are updated by each match, so they can be recomputed at any time with the same
result. An unknown player counts as a newcomer in each match.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

CERTAIN = 3.0  # standard deviations subtracted for a conservative rating
Kind = tuple[str, str]  # a game and its edition


class RatedMatch(Struct, frozen=True):
    """A finished match: the place of each seat, and the people seated, if known to the club."""

    number: int
    game: str
    edition: str
    people: Sequence[int | None]
    places: Sequence[int]


class Rating(Struct, frozen=True):
    """A person's estimated skill."""

    mean: float
    spread: float
    matches: int = 0
    won: int = 0

    @property
    def at_least(self) -> float:
        return self.mean - CERTAIN * self.spread


Ratings = Mapping[tuple[Kind, int], Rating]
NO_RATINGS: Ratings = {}


MODEL = PlackettLuce()
NEWCOMER = Rating(MODEL.mu, MODEL.sigma)  # the rating of an unknown player


def rate(before: Ratings, matches: Iterable[RatedMatch]) -> Ratings:
    """Update ratings by further matches, in the club's order."""
    ratings = dict(before)
    for match in matches:
        if len(match.people) > 1 and any(person is not None for person in match.people):
            ratings |= _rate_match(ratings, match)
    return ratings


def _rate_match(ratings: Ratings, match: RatedMatch) -> Ratings:
    kind = match.game, match.edition
    before = [NEWCOMER if who is None else ratings.get((kind, who), NEWCOMER) for who in match.people]
    teams = [[MODEL.create_rating([each.mean, each.spread])] for each in before]
    rated = MODEL.rate(teams, ranks=[float(place) for place in match.places])
    return {
        (kind, who): Rating(team[0].mu, team[0].sigma, had.matches + 1, had.won + (place == 1))
        for who, team, had, place in zip(match.people, rated, before, match.places, strict=True)
        if who is not None
    }


class RatingBook:
    """Cached ratings: new matches are added; any other change recomputes everything."""

    def __init__(self) -> None:
        self._known: tuple[tuple[RatedMatch, ...], Ratings] = ((), NO_RATINGS)

    def ratings(self, matches: Sequence[RatedMatch]) -> Ratings:
        known, ratings = self._known
        whole = tuple(matches)
        is_longer = whole[: len(known)] == known
        ratings = rate(ratings, whole[len(known) :]) if is_longer else rate(NO_RATINGS, whole)
        self._known = whole, ratings
        return ratings
