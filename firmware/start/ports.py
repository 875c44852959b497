"""By which port phones come: the one that a browser takes by itself where a service may, else 8000."""

from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from firmware.parts.addresses import UNSAID

PORT = 8000
"""The port that anybody may take."""
STATUS = Path("/proc/self/status")
NET_BIND_SERVICE = 10
"""Linux's number of the capability to take a port below 1024."""
PATIENCE = 2.0
"""Seconds that another port is listened to."""


def ports_to_try(wished: int | None, scheme: str, *, may_take_low: bool) -> tuple[int, ...]:
    """Give the ports in the order in which they are tried; one that was wished for is the only one."""
    if wished is not None:
        return (wished,)
    return (UNSAID[scheme], PORT) if may_take_low else (PORT,)


def may_take_low_ports(status: Path = STATUS) -> bool:
    """Tell whether this program was given the capability; root has it anyway, and isn't a service."""
    with suppress(OSError, ValueError):
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("CapAmb:"):
                return bool(int(line.split()[1], 16) >> NET_BIND_SERVICE & 1)
    return False


def table_port(ports: Sequence[int] = (UNSAID["http"], PORT)) -> int | None:
    """Find the port by which a table on this machine answers; None if none does."""
    return next((port for port in ports if _is_table(port)), None)


def _is_table(port: int) -> bool:
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request("HEAD", "/static/icon.svg")
        return line.getresponse().getheader("Server") == "coyote"
    except (OSError, HTTPException):
        return False
    finally:
        line.close()
