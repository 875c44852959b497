"""What a service tells the process that started it, in systemd's way: that it is ready, alive or ending."""

import os
import socket
from contextlib import suppress

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
STARTING, WATCHDOG = 60.0, 6.0
"""Seconds that a start may take, and then the time to each sign of life; as in the systemd unit."""
LOADED = 5.0
"""Seconds of processor that loading the program takes on a Pi 4, about; what takes longer is slower in all."""
EXTEND, WATCH = "EXTEND_TIMEOUT_USEC", "WATCHDOG_USEC"
AGAIN = 75
"""How the program ends when it has to be started again, as others say "temporary failure"."""


def slowness_of(loading: float) -> float:
    """Return how many times as long this machine needs, by the seconds of processor that loading took."""
    return max(1.0, loading / LOADED)


def more_time(slowness: float) -> str:
    """Ask for so many times the time to start, so that a slow start isn't taken for one that hangs."""
    return f"{EXTEND}={slowness * STARTING * 1e6:.0f}"


def ready(slowness: float) -> str:
    """Say that the start is over; a slow machine asks for more time to each sign of life.

    Not before: systemd counts from the moment at which it is asked, while a start may say nothing yet.
    """
    return READY if slowness == 1 else f"{WATCH}={slowness * WATCHDOG * 1e6:.0f}\n{READY}"


def is_sign_of_life(told: str) -> bool:
    """Whether this says that the table is up, or that it lives."""
    return not {READY, ALIVE}.isdisjoint(told.splitlines())


def notify(state: str) -> None:
    """Send a state to systemd, if it listens; never wait for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
            way.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
