"""A room with a match of Coyote for three, and folders in memory, because admissions are synced to disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.storage.files import scratch
from firmware.storage.journal import Journal, open_journal
from tests.webui.fakes import FakeTwin
from tests.webui.room import Room, match_of, room_with
from tests.webui.server.hostile import Table, table_with_fakes


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with scratch() as folder:
        # lock the folder itself
        (folder / "state").mkdir()
        yield folder / "state"


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with scratch() as memory:
        folder = memory / "state"
        folder.mkdir()
        with open_journal(folder / "journal.sqlite3") as opened:
            yield table_with_fakes(folder, opened.journal)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        yield opened.journal


@pytest.fixture
def twin() -> FakeTwin:
    return FakeTwin()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path)
