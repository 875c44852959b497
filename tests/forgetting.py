"""A plug-in of pytest: workers stay small, as scenes, cards and tables are forgotten once they take much."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest

HELD = Path("/proc/self/statm")
MUCH, MORE = 400, 80
"""Megabytes that a worker may hold, and that it must have grown by since it last forgot something."""
OURS = ("hardware.twin.", "hardware.decks.", "tests.")
KEPT = pytest.StashKey[int]()


def megabytes() -> int:
    """Give what this process holds; only Linux tells."""
    return int(HELD.read_text(encoding="ascii").split()[1]) * 4096 >> 20 if HELD.exists() else 0


def _give_back() -> None:
    """Give back what is free now; to have each later picture given back, as a small Pi does, is slow."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True)
def forgetful(pytestconfig: pytest.Config) -> Iterator[None]:
    """Forget frames, cards and decks once a test has left much: later ones hardly need them."""
    yield
    if megabytes() < max(MUCH, pytestconfig.stash.get(KEPT, 0) + MORE):
        return
    caches = [each for each in gc.get_objects() if isinstance(each, type(lru_cache(len)))]
    for each in caches:
        if (each.__module__ or "").startswith(OURS):
            each.cache_clear()
    del caches
    gc.collect()
    _give_back()
    pytestconfig.stash[KEPT] = megabytes()
