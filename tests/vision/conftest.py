"""What tests of vision share: a deck that was taught once, and little memory."""

from pathlib import Path

import pytest

from tests.hardware.twin.forgetting import forgetful
from tests.vision.process.live import DECK, teach_artwork

__all__ = ["forgetful"]


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / DECK)
