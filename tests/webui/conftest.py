"""A room with a match of Coyote for three."""

from pathlib import Path

import pytest

from tests.webui.room import Room, match_of, room_with


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path)
