"""A companion whose camera fails while people play: it is told, nothing wrong is read, and the game goes on."""

from pathlib import Path

from tests.firmware.start.failing_cameras import Figures, sit_at_table
from tests.vision.table.faulty_camera import Fault

FAULTS: tuple[Fault, ...] = ("unplugged", "stuck", "half", "white")


def test_people_play_on_while_a_camera_fails_and_its_cards_are_read_when_it_is_well(tmp_path: Path) -> None:
    figures = Figures()
    with sit_at_table(tmp_path / "table", figures, "busy") as table:
        for fault in FAULTS:
            table.strike(fault)
    assert figures.wrong == []
    assert list(figures.back) == ["busy at the start", *FAULTS]
    assert figures.starts == 1
    assert figures.read >= len(figures.back)
    assert figures.phones.all
    assert figures.buttons.all
