"""Bots play one match of each game."""

from pathlib import Path

import pytest

from tests.long.alone import play


@pytest.mark.parametrize("seed", [174, 186, 27, 28, 30])
def test_bots_alone_never_stall(tmp_path: Path, seed: int) -> None:
    # the games come in turn
    played = play(seed, tmp_path)
    assert (played.end, played.hangs, played.fault) == ("over", (), "")
    assert played.mischief or played.moments < 50
