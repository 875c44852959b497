"""A whole table whose eyes are stopped while people play; `test_supervisor` stops the companion."""

from pathlib import Path

from tests.firmware.start.stopped_table import Figures, Stopped


def test_eyes_that_are_stopped_are_replaced_while_the_game_goes_on(tmp_path: Path) -> None:
    figures = Figures()
    stopped = Stopped(tmp_path, 1, figures)
    stopped.stop("eyes")
    stopped.close()
    assert figures.wrong == []
    assert figures.kept.wrong == []
    assert list(figures.again) == ["eyes"]
    assert figures.kept.counted > 0
