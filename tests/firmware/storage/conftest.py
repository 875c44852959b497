"""Use folders in memory if possible: storage syncs the disk after each step."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware.state_folder import JOURNAL
from firmware.storage.files import MEMORY


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table" / JOURNAL
