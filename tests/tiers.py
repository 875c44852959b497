"""Two tiers of tests: those for each commit (`./test`), and all for a release (`./test --all`)."""

import os
import sys
from typing import TypeVar

import pytest

T = TypeVar("T")

# the tier is set before any test is imported; workers inherit it from the process that starts them
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["COYOTE_TIER"] = "release" if "--all" in sys.argv else "commit"
ALL = os.environ["COYOTE_TIER"] == "release"  # whether this run is a release's

release = pytest.mark.release
"""Marks a test that runs only for a release: `@release("why a commit can do without it")`."""
slow = pytest.mark.slow
"""Marks a test of more than two seconds in both tiers: `@slow("why it is worth them")`."""


def tiered(commit: T, release: T) -> T:
    """Choose an amount of work by the tier: `for seed in range(tiered(5, 500))`."""
    return release if ALL else commit
