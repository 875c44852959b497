"""The folders of the system's service: the user as whom it runs sees the same, from any terminal.

systemd gives the state to that user and names it to the service alone; a command that the same user types has
to find it by itself.
"""

import os
from collections.abc import Mapping
from pathlib import Path

NAME = "coyote-table"
ROOT = Path("/")
"""Where the system's folders begin."""
PLACES: Mapping[str, str] = {
    "STATE_DIRECTORY": "var/lib",
    "CONFIGURATION_DIRECTORY": "etc",
    "LOGS_DIRECTORY": "var/log",
}
"""Where systemd keeps what it names to a service by these variables."""


def service_folder(variable: str) -> Path | None:
    """Find a folder of the system's service, if that is this user's own."""
    folder = ROOT / PLACES[variable] / NAME
    is_ours = owner_of(service_state()) == os.geteuid()
    return folder if is_ours and folder.is_dir() else None


def service_state() -> Path:
    """Give the folder in which the system's service keeps its state, whether it is there or not."""
    return ROOT / PLACES["STATE_DIRECTORY"] / NAME


def owner_of(folder: Path) -> int | None:
    """Give the user whose a folder is, if it is there."""
    try:
        return folder.stat().st_uid
    except OSError:
        return None
