"""A laboratory without simulation, and matches that bots played to the end."""

from collections.abc import Callable, Iterable, Mapping
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
    """Returns states without playing on, and records the requested work."""

    def __init__(self) -> None:
        self.plays = 0

    def chance(self, moment: int) -> Random:
        return Random(moment)

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


MOST_WORDS = 20


def count_words(texts: Iterable[str]) -> int:
    return sum(any(letter.isalnum() for letter in word) for text in texts for word in text.split())
