"""Waiting for what another thread or program does."""

from collections.abc import Callable
from time import monotonic, sleep

LONG = 30.0
"""Seconds that no test needs, but that a busy machine may take."""


def until(reached: Callable[[], bool]) -> None:
    """Wait for something to come true."""
    end = monotonic() + LONG
    while not reached():
        assert monotonic() < end, "it never came true"
        sleep(0.001)
