"""`coyote bench idle`: what it counts comes to rest, and what a count means."""

import shutil
from pathlib import Path

import pytest

from firmware.benches.idle import PI_4, _cost, _lay_table
from firmware.benches.idle_parts import CAMERA, watch_still_table
from tests.firmware.conftest import Coyote
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL


def test_eyes_come_to_rest_on_a_table_that_is_noisy_in_bad_light(tmp_path: Path) -> None:
    _lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share))
    watch_still_table(str(tmp_path), "1")


def test_a_cost_is_what_the_longer_run_took_more() -> None:
    cost = _cost("eyes", (7_000_000, 7_000_000 + round(PI_4)), 20.0)
    assert (cost.millions, cost.percent) == (75.0, 5.0)


def test_without_valgrind_it_says_what_to_install(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    said = coyote("bench idle")
    assert said.code == 1
    assert "apt install valgrind" in said.err
