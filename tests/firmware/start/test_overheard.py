"""No log and no output tells a secret: no card that wasn't shown, nothing that lets people in."""

from pathlib import Path
from random import Random

import pytest

from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.firmware.start.overheard import cards_in_log, secrets_written
from tests.firmware.start.safely import free_port


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_log_names_no_card_that_was_not_shown(game: Game, tmp_path: Path) -> None:
    assert cards_in_log(game, Random(game.name), tmp_path) == set()
    assert (tmp_path / "log.jsonl").read_text(encoding="utf-8").count('"what":"moment"') > 5


def test_a_table_writes_down_nothing_that_lets_people_in(tmp_path: Path) -> None:
    with free_port() as taken:
        port = int(taken.getsockname()[1])
    found, learnt = secrets_written(tmp_path / "home", port)
    assert found == []
    assert learnt > 1
