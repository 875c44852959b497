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
    """Tell how many times as much time this machine needs, by the seconds of processor that loading took."""
    return max(1.0, loading / LOADED)


def more_time(slowness: float) -> str:
    """Ask for so many times the time, so that a slow start isn't taken for one that hangs."""
    return f"{EXTEND}={slowness * STARTING * 1e6:.0f}\n{WATCH}={slowness * WATCHDOG * 1e6:.0f}"


def time_asked(told: str) -> tuple[float, float] | None:
    """Read how many seconds a start may still take, and a sign of life then, if that is what was told."""
    asked = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    if {EXTEND, WATCH} != asked.keys():
        return None
    return int(asked[EXTEND]) / 1e6, int(asked[WATCH]) / 1e6


def notify(state: str) -> None:
    """Tell it, if anybody wants to know; never wait for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
            way.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
