"""Polling for changes by other threads, other processes and the kernel."""

from collections.abc import Callable
from time import monotonic, sleep

TEST_TIMEOUT = 600.0  # seconds before an expected change fails; more than any busy machine needs
POLL_INTERVAL = 0.01  # seconds between checks


def came(
    is_there: Callable[[], object],
    is_on: Callable[[], bool] = lambda: True,
    seconds: float = TEST_TIMEOUT,
    look: float = POLL_INTERVAL,
) -> bool:
    """Wait until `is_there` is true; return False at the timeout or when `is_on` is false."""
    end = monotonic() + seconds
    while not is_there():
        if monotonic() > end or not is_on():
            return False
        sleep(look)  # there is no notification, so poll
    return True


def until(is_there: Callable[[], object], what: str = "it never came") -> None:
    assert came(is_there), what
