"""Matches that are played on their own."""

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import Game
from referee.match import Match, Setup, begin, enter
from tests.given import allowed

NAMES = ("=Ana", "Bo", "Chloé <b>")


def play_match(
    game: Game,
    names: tuple[str, ...] = NAMES,
    seed: int = 0,
    moments: int = 10**6,
    house: Struct | None = None,
) -> Match:
    setup = Setup(
        game, house or next(iter(game.rules.settings.values())), names, begun="2026-01-02T20:00:00+01:00"
    )
    match, rng = begin(setup), Random(seed)
    assert isinstance(match, Match)
    while match.asks and match.number < moments:
        answer = any_answer(match.asks, match.number, rng)
        match = allowed(enter(match, replace(answer, at=f"2026-01-02T21:{match.number % 60:02}:00+01:00")))
    return match
