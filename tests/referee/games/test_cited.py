"""Rulings cite the rules that decided them: lines of play, in each game's `cited.txt`."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.referee.games.coup.script import play as play_coup
from tests.referee.games.coup_d_etat.script import dealt
from tests.referee.games.coyote.script import play_with_powers
from tests.referee.games.lines import Lines, read_lines
from tests.referee.games.plenty_coups.script import table as plenty_coups


def play_coup_d_etat(line: str, **house: Any) -> Lines:
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


ROWS = [
    pytest.param(game, *row.values, id=f"{game} {row.id}")
    for game in PLAYS
    for row in read_lines(__file__, f"{game}/cited")
]


@pytest.mark.parametrize(("game", "house", "line", "rules"), ROWS)
def test_rulings_cite_the_deciding_rules(game: str, house: dict[str, Any], line: str, rules: str) -> None:
    said, key = line.split("@ ")
    assert PLAYS[game](said, **house).cited(key) == rules.split()
