"""systemd's notify protocol: ready, alive and stopping messages of the service."""

import os
import socket
from contextlib import suppress

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
STARTING, WATCHDOG = 60.0, 6.0
"""Seconds for the start, and then between watchdog messages, as in the systemd unit."""
LOADED = 5.0
"""CPU seconds of loading the program on a Pi 4; slower machines get more time."""
EXTEND, WATCH = "EXTEND_TIMEOUT_USEC", "WATCHDOG_USEC"
AGAIN = 75
"""Exit code that requests a restart (EX_TEMPFAIL, "temporary failure")."""


def slowness_of(loading: float) -> float:
    """Return the machine's slowness factor from the CPU seconds of loading; at least 1."""
    return max(1.0, loading / LOADED)


def more_time(slowness: float) -> str:
    """Request a longer start timeout for a slow machine."""
    return f"{EXTEND}={slowness * STARTING * 1e6:.0f}"


def ready(slowness: float) -> str:
    """Return the ready message; slow machines request a longer watchdog interval.

    Only now, because systemd counts from the request, and a start sends no watchdog messages.
    """
    return READY if slowness == 1 else f"{WATCH}={slowness * WATCHDOG * 1e6:.0f}\n{READY}"


def is_sign_of_life(told: str) -> bool:
    """Return whether a message reports that the table is ready or alive."""
    return not {READY, ALIVE}.isdisjoint(told.splitlines())


def notify(state: str) -> None:
    """Send a message to systemd, if it listens; never blocks."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
            way.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
