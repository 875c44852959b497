"""Moments of matches for pictures; random matches are played until they occur."""

from collections.abc import Callable
from functools import cache
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Board
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.showing import board_of
from referee.verdicts import last_verdict, reveal_of
from tests.given import allowed
from tests.referee.tables import after_any

LONG = tuple(f"Anne-Élisabeth {number}" for number in range(6))
NAMES = ("Ana", "Bo", "Chloé", "Dédé", "Eve", "Maximilienne", *LONG)


class Moment(Struct, frozen=True):
    """A moment for a picture: its game, number of players, and condition."""

    name: str
    game: str
    seats: int
    fits: Callable[[Match, Board], bool]
    setting: str = ""
    boxes: int = 0  # number of boxes, if that is a house rule
    after: int = -1  # number of the last moment that is too early


def has_row(key: str, cards: int = 0) -> Callable[[Match, Board], bool]:
    return lambda _match, board: any(row.key == key and len(row.faces) >= cards for row in board.cards)


def is_headed(key: str) -> Callable[[Match, Board], bool]:
    return lambda _match, board: board.headline is not None and board.headline.key == key


def is_claimed(count: int) -> Callable[[Match, Board], bool]:
    return lambda _match, board: sum(row.claimed_by is not None for row in board.cards) == count


def is_asked(key: str) -> Callable[[Match, Board], bool]:
    return lambda match, _board: any(ask.key == key for ask in match.asks)


def has_trail(length: int, number: int = 0) -> Callable[[Match, Board], bool]:
    return lambda _match, board: len(board.trail) >= length and (board.number or 0) >= number


def is_over(match: Match, _board: Board) -> bool:
    return match.outcome is not None


def is_first(match: Match, _board: Board) -> bool:
    return match.number == 0


def is_called(_match: Match, board: Board) -> bool:
    return any(fact.key == "call" for fact in board.facts)


def is_caught(_match: Match, board: Board) -> bool:
    return any(row.claimed_by is not None and row.struck for row in board.cards)


def is_decided(key: str, headline: str) -> Callable[[Match, Board], bool]:
    def fits(match: Match, board: Board) -> bool:
        verdict = last_verdict(match)
        return verdict is not None and verdict.key == key and is_headed(headline)(match, board)

    return fits


def is_revealed(key: str) -> Callable[[Match, Board], bool]:
    return lambda match, _board: (reveal := reveal_of(match)) is not None and reveal.key == key


MOMENTS = (
    Moment("begin", "coyote", 5, is_first, "gigamic"),
    Moment("bid", "coyote", 5, has_trail(4, 12), "gigamic"),
    Moment("call", "coyote", 5, is_called, "gigamic"),
    Moment("count", "coyote", 5, has_row("counted", 5), "gigamic"),
    Moment("won", "coyote", 5, is_over, "gigamic"),
    Moment("six", "coyote", 6, has_trail(3), "gigamic"),
    Moment("all-join", "coyote", 12, is_first, "oliphante", boxes=2),
    Moment("all", "coyote", 12, has_trail(3), "oliphante", boxes=2),
    Moment("turn", "coup", 4, is_headed("purse"), after=30),
    Moment("claim", "coup", 4, is_claimed(1)),
    Moment("block", "coup", 4, is_claimed(2)),
    Moment("caught", "coup", 4, is_caught),
    Moment("decided", "coup", 4, is_decided("not-shown-lost", "purse")),
    Moment("won", "coup", 4, is_over),
    Moment("trick", "coup-d-etat", 4, has_row("trick", 3)),
    Moment("attempt", "coup-d-etat", 4, is_headed("coup")),
    Moment("dominos", "coup-d-etat", 4, has_row("hearts", 3)),
    Moment("won", "coup-d-etat", 4, is_over),
    Moment("display", "plenty-coups", 4, is_asked("take"), after=60),
    Moment("raid", "plenty-coups", 4, is_headed("raid"), after=60),
    Moment("repelled", "plenty-coups", 4, is_revealed("raided")),
    Moment("winter", "plenty-coups", 4, is_headed("winter")),
    Moment("won", "plenty-coups", 4, is_over),
    Moment("place", "ogallala", 4, has_row("middle"), after=150),
    Moment("won", "ogallala", 4, is_over),
)


@cache
def find_match(moment: Moment) -> Match:
    game = GAMES[moment.game]
    house = game.rules.settings[moment.setting] if moment.setting else next(iter(game.rules.settings.values()))
    house = replace(house, boxes=moment.boxes) if moment.boxes else house
    for number in range(200):
        rng = Random(f"{moment.game} {number}")
        match = allowed(begin(Setup(game, house, NAMES[: moment.seats], begun="2026-11-21T20:00:00+00:00")))
        while not _has_come(moment, match) and match.outcome is None:
            match = after_any(match, rng)
        if _has_come(moment, match):
            return match
    raise AssertionError(f"{moment.name} of {moment.game} never came")


def _has_come(moment: Moment, match: Match) -> bool:
    return match.number > moment.after and moment.fits(match, board_of(match))


def match_at(name: str) -> Match:
    return find_match(next(each for each in MOMENTS if f"{each.game}-{each.name}" == name))
