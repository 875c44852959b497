"""What a service tells the process that started it, in systemd's way: that it is ready, alive or ending."""

import os
import socket
from contextlib import suppress

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
AGAIN = 75
"""How the program ends when it has to be started again, as others say "temporary failure"."""


def notify(state: str) -> None:
    """Tell it, if anybody wants to know; never wait for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
            way.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
