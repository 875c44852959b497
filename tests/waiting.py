"""Waiting for what other threads, other processes and the kernel do without telling anybody."""

from collections.abc import Callable
from time import monotonic, sleep

TEST_TIMEOUT = 600.0  # seconds that anything may take that has to come: more than on any busy machine
POLL_INTERVAL = 0.01  # seconds between two looks


def came(
    is_there: Callable[[], object],
    is_on: Callable[[], bool] = lambda: True,
    seconds: float = TEST_TIMEOUT,
    look: float = POLL_INTERVAL,
) -> bool:
    """Wait for something that has to come, for as long as it still may; tell whether it did."""
    end = monotonic() + seconds
    while not is_there():
        if monotonic() > end or not is_on():
            return False
        sleep(look)  # nothing tells when it comes: it is looked for again and again
    return True


def until(is_there: Callable[[], object], what: str = "it never came") -> None:
    assert came(is_there), what
