"""What tests of vision share: a deck that was taught once."""

from pathlib import Path

import pytest

from tests.vision.process.live import DECK, teach_artwork


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / DECK)
