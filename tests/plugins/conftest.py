"""A shared process that runs the plug-in tests' commands."""

from collections.abc import Iterator

import pytest

from tests.plugins.installed import FORKS


@pytest.fixture(scope="session", autouse=True)
def _forks() -> Iterator[None]:
    yield
    FORKS.close()
