"""Run the whole program with all its processes under faults; tests/trust repeats this for longer."""

from pathlib import Path
from random import Random

import pytest

from tests.firmware.start.dark_starts import FILLING, UNSAVED, DarkFigures, DarkStart, run_dark_start
from tests.firmware.start.failing_cameras import Figures as CameraFigures
from tests.firmware.start.failing_cameras import start_camera_table
from tests.firmware.start.killed_table import STOPS, Figures, Kill, Stop, StruckTable
from tests.firmware.start.offline import play_offline
from tests.firmware.start.safely import Case, cases, try_case
from tests.tiers import release, slow, tiered
from tests.vision.table.faulty_camera import Fault

STRIKES: tuple[Kill | Stop, ...] = tiered(
    ("commit", "eyes"), ("commit", "change", "starting", "camera", "below", *STOPS, "clock")
)
FAULTS: tuple[Fault, ...] = tiered(("half",), ("unplugged", "stuck", "half", "white"))
(OTHERS,) = (world for world in UNSAVED if world.name == "the folder is another user's")
BROKEN = {"etc/coyote.toml: no such board", "state/journal.sqlite3: a pipe"}


@slow("a table that is killed at any moment of play goes on with all that it had told, once")
def test_continues_after_kills_and_stops(tmp_path: Path) -> None:
    figures = Figures()
    house = StruckTable(tmp_path, Random(1), figures)
    for strike in STRIKES:
        house.live(strike)
    house.close()
    assert figures.wrong == []
    assert sum(figures.strikes.values()) == len(STRIKES)
    assert figures.counted > 0
    assert figures.told > figures.counted / 2


@slow("each camera's fault is told, nothing wrong is read, and people play on meanwhile")
def test_continues_while_the_camera_fails(tmp_path: Path) -> None:
    figures = CameraFigures()
    with start_camera_table(tmp_path / "table", figures, "busy") as table:
        for fault in FAULTS:
            table.strike(fault)
    assert figures.wrong == []
    assert list(figures.back) == ["busy at the start", *FAULTS]
    assert figures.starts == 1
    assert figures.read >= len(figures.back)
    assert figures.phones


@slow("starts the program in folders that only a started program meets")
@pytest.mark.parametrize(
    "world",
    [
        pytest.param(FILLING, marks=release("loop and storage do so at each commit (`table/test_writer.py`)")),
        pytest.param(OTHERS, marks=slow("a table starts in memory, and again as it was killed")),
    ],
    ids=lambda world: world.name,
)
def test_play_continues_where_nothing_can_be_saved(world: DarkStart, tmp_path: Path) -> None:
    if why := world.needs():
        pytest.skip(why)
    figures = DarkFigures()
    run_dark_start(tmp_path, world, Random(1), figures)
    assert figures.wrong == []
    assert figures.answers > 0


@release("a table starts three times; `test_safe_start.py` has the rules, `test_supervisor.py` the restarts")
def test_starts_with_broken_files_and_reports_them(tmp_path: Path) -> None:
    broken = [case for case in cases() if case.name in BROKEN]
    both = Case("all that breaks", "at once", lambda home: [case.do(home) for case in broken])
    what = try_case(both, tmp_path / "home")
    assert (len(broken), what.wrong, what.starts) == (2, (), 3)


@slow("a table plays without a network, and asks for none")
def test_plays_offline(tmp_path: Path) -> None:
    played = play_offline(tmp_path, answers=2)
    assert played.answers >= 2
    # the audit hook works: it logs at least the look-up of the table's own address
    assert any("192.0.2.1" in line for line in played.heard)
    assert played.far == ()
