"""Matches that are played by chance, moment by moment, for benches."""

from collections.abc import Iterator
from random import Random

from hardware.twin.player import any_answer
from referee.contract import Game
from referee.match import Match, Setup, begin, hear

BEGUN = "2026-05-01T20:15:00+02:00"


def play_by_chance(game: Game, names: tuple[str, ...], rng: Random) -> Iterator[Match]:
    """Give the moments of a match, one after the other, until nothing is asked any more."""
    moment = begin(Setup(game, game.rules.house(), names, begun=BEGUN))
    while isinstance(moment, Match):
        yield moment
        if not moment.asks:
            return
        moment = hear(moment, any_answer(moment.asks, moment.number, rng))
    raise RuntimeError(moment)
