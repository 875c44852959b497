"""What tests of vision share: a deck that was taught once, and little memory."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.twin.rendering import lens, lights, renderer, surfaces
from tests.vision.process.live import DECK, render_scene, teach_artwork
from vision.table.thrift import give_back_memory

MUCH = 400_000_000
"""Bytes above which a worker gives back what it can do without."""


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / DECK)


@pytest.fixture(scope="module", autouse=True)
def forgetful_twin() -> Iterator[None]:
    """Forget frames, cards and tables once they take much: the next module hardly needs them."""
    yield
    held = Path("/proc/self/statm")
    if not held.exists() or int(held.read_text(encoding="ascii").split()[1]) * 4096 < MUCH:
        return
    render_scene.cache_clear()
    for module in (lens, lights, renderer, surfaces):
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()
    gc.collect()
    give_back_memory()
