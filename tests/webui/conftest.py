"""A room with a match of Coyote for three, and folders in memory: whoever is let in is synced to a disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.storage.scratch import scratch
from tests.webui.room import Room, match_of, room_with


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with scratch() as folder:
        # the folder itself is locked
        (folder / "state").mkdir()
        yield folder / "state"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path)
