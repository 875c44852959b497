"""Kills and full disks: the old version or the new one, never none. The long run is tests/trust/updates.py."""

from pathlib import Path

import pytest

from tests.firmware.updates.faults import Fault, Kind
from tests.firmware.updates.interrupted import Interrupter, Scene
from tests.firmware.updates.small_releases import Upstream


@pytest.fixture
def interrupter(place: Path, first_release: Upstream) -> Interrupter:
    return Interrupter(place, first_release)


def test_an_update_that_is_broken_off_leaves_the_old_version_or_the_new_one(interrupter: Interrupter) -> None:
    few: tuple[tuple[Scene, Kind, float], ...] = (
        ("first update", "kill", 0.6),
        ("update", "full", 0.5),
        ("last start", "kill all", 0.5),
    )
    for scene, kind, where in few:
        at = max(1, round(len(interrupter.deeds(scene)) * where))
        struck = interrupter.strike(scene, Fault(kind, at))
        assert struck.wrong == "", struck
