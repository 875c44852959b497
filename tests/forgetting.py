"""A pytest plug-in that limits the memory of workers: large caches of scenes, cards and tables are cleared."""

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
"""Megabytes: a worker's limit, its least growth since the last clearing, and an extra allowance within a file,
because the next test needs the same caches."""
NEW_OBJECTS = 20_000  # objects created before a search for garbage
OURS = ("hardware.twin.", "hardware.decks.", "tests.")
KEPT = pytest.StashKey[int]()
CACHE: type = type(lru_cache(len))


def megabytes() -> int:
    """Return this process's memory in megabytes; 0 on systems other than Linux."""
    return int(HELD.read_text(encoding="ascii").split()[1]) * 4096 >> 20 if HELD.exists() else 0


def _give_back() -> None:
    """Return free memory to the system, once; doing so for each picture, as a small Pi does, is slow."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _caches() -> Iterator["lru_cache[object]"]:
    """Yield the caches of our modules; a search among all objects would take longer than many tests."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(OURS):
            yield from (each for each in vars(module).values() if isinstance(each, CACHE))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude the collected tests and modules from garbage collection, because all tests need them."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
    # tests create many lasting objects; searches took 7 % of the time of tests without pictures
    gc.set_threshold(NEW_OBJECTS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Clear the caches above a memory limit only, because later tests would have to draw the cards again."""
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
