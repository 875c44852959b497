"""Rulings cite the rules that decided them: lines of play, in each game's `cited.txt`."""

from collections.abc import Callable

import pytest

from tests.referee.games.coup.script import play as play_coup
from tests.referee.games.coup_d_etat.script import dealt
from tests.referee.games.coyote.script import play_with_powers
from tests.referee.games.lines import Lines, read_lines
from tests.referee.games.plenty_coups.script import table as plenty_coups


def play_coup_d_etat(line: str, **house: object) -> Lines:
    return dealt(**house).plays(line)


def play_coyote(line: str, box: str, seats: int = 4) -> Lines:
    return play_with_powers(box, line, seats)


def play_plenty_coups(line: str) -> Lines:
    return plenty_coups().plays(line)


PLAYS: dict[str, Callable[..., Lines]] = {
    "coup": play_coup,
    "coup_d_etat": play_coup_d_etat,
    "coyote": play_coyote,
    "plenty_coups": play_plenty_coups,
}


@pytest.mark.parametrize("game", PLAYS)
def test_rulings_cite_the_deciding_rules(game: str) -> None:
    for row in read_lines(__file__, f"{game}/cited"):
        house, said, rules = row.values
        line, key = said.split("@ ")
        assert PLAYS[game](line, **house).cited(key) == rules.split(), said
