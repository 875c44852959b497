"""The user of the screen's own browser, which runs without a desktop and can't read the table's secrets."""

from contextlib import suppress
from pathlib import Path
from pwd import getpwnam

SCREEN_USER = "coyote-kiosk"
CONNECTIONS = Path("/proc/net")
"""Linux's lists of connections, each with the user who opened it."""


def is_screen_user(port: int, own_port: int) -> bool:
    """Return whether the screen's user opened the local connection from `port` to our own port."""
    with suppress(KeyError, OSError):
        return _users(port, own_port) == {getpwnam(SCREEN_USER).pw_uid}
    return False


def _users(port: int, own_port: int) -> set[int]:
    """Return everybody with such a connection; several may use the same port at different addresses."""
    rows = [
        row.split() for name in ("tcp", "tcp6") for row in (CONNECTIONS / name).read_text().splitlines()[1:]
    ]
    wanted = f"{port:04X}", f"{own_port:04X}"
    return {int(row[7]) for row in rows if (row[1].split(":")[1], row[2].split(":")[1]) == wanted}
