"""Fixtures of vision tests: a deck taught once, and smaller rendered tables."""

from pathlib import Path

import pytest

from tests.hardware.twin.levels import random_scene
from tests.vision import rendered_tables
from tests.vision.photographs import smaller
from tests.vision.process.live import DECK, teach_artwork


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / DECK)


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Render tables in smaller pictures, to save time and memory."""
    monkeypatch.setattr(
        rendered_tables, "random_scene", lambda *options: smaller(random_scene(*options), (1352, 1014))
    )
