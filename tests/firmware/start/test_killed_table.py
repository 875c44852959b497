"""A whole table that is killed while people play at it: what it had told them counts, once, and it goes on."""

from pathlib import Path
from random import Random

from tests.firmware.start.kill_figures import Figures
from tests.firmware.start.killed_table import House, Kill

KILLS: tuple[Kill, ...] = ("commit", "change", "starting", "camera")


def test_a_table_that_is_killed_at_any_moment_goes_on_with_all_that_it_had_told(tmp_path: Path) -> None:
    figures = Figures()
    house = House(tmp_path, Random(1), figures)
    for kill in KILLS:
        house.live(kill)
    house.close()
    assert figures.wrong == []
    assert not figures.is_broken
    assert figures.kills == dict.fromkeys(KILLS, 1)
    assert figures.counted > 0
    assert figures.told > figures.counted / 2
    assert len(figures.ready) == len(figures.pages) == len(KILLS) - 1
