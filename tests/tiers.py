"""Two tiers of tests: what each commit needs (`./test`), and all that a release needs (`./test --all`)."""

import os
from typing import TypeVar

import pytest

T = TypeVar("T")

ALL = "COYOTE_ALL_TESTS" in os.environ
"""Whether this run is a release's: `conftest.py` knows it from `--all`."""

release = pytest.mark.release
"""A test that only a release needs: `@release("why a commit can do without it")`."""
slow = pytest.mark.slow
"""A test of more than two seconds in both tiers: `@slow("why it is worth them")`."""


def tiered(commit: T, release: T) -> T:
    """Choose an amount of work by the tier: `for seed in range(tiered(5, 500))`."""
    return release if ALL else commit
