"""A laboratory that plays nothing on, and matches that bots have played to their end."""

from collections.abc import Mapping
from functools import cache
from random import Random

from hardware.twin.dealer import deal_match
from hardware.twin.playouts import answer_by_bots, next_table
from referee.contract import Answer, Game, Zone
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from tests.referee.tables import new_match


class StillLaboratory:
    """Gives each seat the same share, and notes the work that was asked for."""

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


@cache
def match_by_bots(name: str, rules: str, seats: int, seed: int = 1) -> Match:
    game: Game = GAMES[name]
    match, rng = new_match(game, rules, seats), Random(f"{name} {rules} {seats} {seed}")
    table = deal_match(match, rng)
    while table.match.asks:
        truth, answer = answer_by_bots(table, rng)
        heard = hear(match, answer)
        assert isinstance(heard, Match), (heard, answer)
        match, table = heard, next_table(table, truth, answer, rng)
    return match
