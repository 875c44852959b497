"""A laboratory without simulation, and matches that bots played to the end."""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from hardware.twin.dealer import deal_match
from referee.contract import Answer, Zone
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from tests.given import allowed
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match


class StillLaboratory:
    """Returns equal shares for all seats, and records the requested work."""

    def __init__(self) -> None:
        self.plays = 0

    def chance(self, moment: int) -> Random:
        return Random(moment)

    def play(
        self, state: object, places: Mapping[Zone, tuple[str, ...]], answer: Answer, players: str, seed: float
    ) -> tuple[float, ...]:
        del state, places, answer, players, seed
        self.plays += 1
        return (0.5,) * 14

    def play_until(
        self,
        state: object,
        places: Mapping[Zone, tuple[str, ...]],
        answer: Answer,
        is_over: Callable[[Any], bool],
        seed: float,
    ) -> object:
        del places, answer, is_over, seed
        self.plays += 1
        return state


@cache
def match_by_bots(name: str, rules: str, seats: int, seed: int = 1) -> Match:
    rng = Random(f"{name} {rules} {seats} {seed}")
    *_before, (table, answer) = moments_by_bots(deal_match(new_match(GAMES[name], rules, seats), rng), rng)
    return allowed(hear(table.match, answer))
