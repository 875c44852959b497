"""Matches of Coyote and Coup at a given moment."""

from msgspec.structs import replace

from referee.contract import Answer, Option, Value
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin, hear
from tests.given import allowed

NAMES = ("Ana", "Bo", "Chloé", "Dan")


def new_match(house: House | None = None, seats: int = 4) -> Match:
    return allowed(begin(Setup(COYOTE, house or House(), NAMES[:seats])))


def after(match: Match, *answers: tuple[str, Value, int | None]) -> Match:
    """Continue a match by answers, each as ask, value and seat."""
    for ask, value, seat in answers:
        match = allowed(hear(match, Answer(match.number, ask, value, seat)))
    return match


def begun_at(match: Match, when: str) -> Match:
    return replace(match, setup=replace(match.setup, begun=when))


def open_round(house: House | None = None, seats: int = 4) -> Match:
    return after(new_match(house, seats), ("opener", Option("opens", seat=0), None))


def bidden(*numbers: int, house: House | None = None, seats: int = 4) -> Match:
    match = open_round(house, seats)
    for place, number in enumerate(numbers):
        match = after(match, ("announce", number, place % seats))
    return match


def call_moments(number: int = 20, cards: tuple[str, ...] = ("10", "5", "4", "3")) -> tuple[Match, Match]:
    """Let seat 0 bid and seat 1 call. Returns the moments of the call and of the verdict."""
    call = after(bidden(number), ("turn", Option("coyote"), 1))
    return call, after(call, ("reveal", cards, None))


def new_coup(seats: int = 4) -> Match:
    return allowed(begin(Setup(COUP, COUP.rules.settings["rule text"], NAMES[:seats])))


def coup(*answers: tuple[str, Value, int | None], seats: int = 4) -> Match:
    """Return a match of Coup opened by seat 0, after further answers."""
    return after(new_coup(seats), ("opener", Option("opens", seat=0), None), *answers)
