"""Shared setup of all tests: English texts, separate journals, and two tiers."""

import os
from random import SystemRandom

import pytest
from hypothesis import settings

from tests.tiers import ALL

os.environ["LANGUAGE"] = "en"  # must be set before the commands' texts are loaded
os.environ.pop("COYOTE_JOURNAL", None)
os.environ.pop("PYTHONUNBUFFERED", None)  # programs buffer their output, as they do for a user
# one test per core: OpenBLAS threads that wait for each other cost more time than they save
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# memory freed by one thread is available to the others; workers inherit this from the process that starts them
os.environ.setdefault("MALLOC_ARENA_MAX", "2")
# no deadlines, because a busy machine isn't a fault of the code; each commit gets the same examples
settings.register_profile("commit", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("release", deadline=None, print_blob=True)

pytest_plugins = ("tests.forgetting", "tests.open_connections", "tests.tidiness")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="all that a release needs, with new random examples")
    print_slowest = "print the 30 slowest setups, calls and teardowns"
    parser.addoption("--slowest", action="store_const", const=30, dest="durations", help=print_slowest)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tier's examples; a release draws new ones from a printed seed."""
    if not ALL:
        settings.load_profile("commit")
        return
    settings.load_profile("release")
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SystemRandom().randrange(2**32))


def pytest_report_header(config: pytest.Config) -> str | None:
    return f"repeat with --hypothesis-seed={config.getoption('--hypothesis-seed')}" if ALL else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if ALL:
        return
    left_out = [item for item in items if item.get_closest_marker("release")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("release")]
