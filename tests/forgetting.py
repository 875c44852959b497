"""A plug-in of pytest: workers stay small, as scenes, cards and tables are forgotten once they take much."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest

HELD = Path("/proc/self/statm")
MUCH, MORE, WITHIN = 400, 40, 40
"""Megabytes that a worker may hold, that it must have grown by since it last forgot something, and that it may
hold beside that within a file, whose next test needs the same."""
OURS = ("hardware.twin.", "hardware.decks.", "tests.")
KEPT = pytest.StashKey[int]()


def megabytes() -> int:
    """Give what this process holds; only Linux tells."""
    return int(HELD.read_text(encoding="ascii").split()[1]) * 4096 >> 20 if HELD.exists() else 0


def _give_back() -> None:
    """Give back what is free now; to have each later picture given back, as a small Pi does, is slow."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _caches() -> Iterator["lru_cache[object]"]:
    """Find the caches of our modules; to look for them among all objects takes longer than many a test."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(OURS):
            yield from (each for each in vars(module).values() if isinstance(each, type(lru_cache(len))))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave alone what all tests need: no search for garbage goes through it again."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Forget frames, cards and decks once tests have left much: later ones would have to draw them again."""
    yield
    much = max(MUCH, item.config.stash.get(KEPT, 0) + MORE)
    much += WITHIN if nextitem is not None and nextitem.path == item.path else 0
    if megabytes() < much:
        return
    _give_back()
    if megabytes() < much:
        return
    for each in _caches():
        each.cache_clear()
    gc.collect()
    _give_back()
    item.config.stash[KEPT] = megabytes()
