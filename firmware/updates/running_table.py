"""The table that runs as a service: which unit starts it, and how it is started anew without a password."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from firmware.updates.files import read_text
from firmware.updates.layout import Home
from firmware.updates.tools import UpdateError

SERVICE, GUARD = "coyote.service", "coyote-guard.service"


def installed_units(home: Home) -> tuple[Path, ...]:
    """Find the units that start a table from this checkout, the system's and the user's own."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    places = (Path("/etc/systemd/system", SERVICE), user / "systemd" / "user" / SERVICE)
    return tuple(unit for unit in places if f"{home.root}/" in read_text(unit))


def require_guard(home: Home) -> None:
    """Refuse an update where the service, as an older version installed it, couldn't go back by itself."""
    old = next((unit for unit in installed_units(home) if GUARD not in read_text(unit)), None)
    if old is not None:
        command = "sudo ./run table service" if _is_of_system(old) else "./run table service --user"
        told = "The service, as an older version installed it, can't go back by itself"
        raise UpdateError(f"{told}: {command}, then try again.")


def start_hint(home: Home) -> str:
    """Say how a version starts that nothing has started yet."""
    unit = next(iter(installed_units(home)), None)
    if unit is None:
        return "It starts with the next ./run."
    command = "sudo systemctl" if _is_of_system(unit) else "systemctl --user"
    return f"It starts with the service: {command} restart coyote."


def _is_of_system(unit: Path) -> bool:
    return unit.parts[1] == "etc"


def main_pid(home: Home) -> int | None:
    """Find the process of the service's table that runs from this checkout."""
    for scope in ((), ("--user",)):
        command = ("systemctl", *scope, "show", SERVICE, "--property=MainPID", "--value")
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            pid = int(subprocess.run(command, capture_output=True, check=False, timeout=10).stdout)
            if f"{home.root}/".encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    return None


def end_table(pid: int) -> None:
    """End the service's table: it runs as the user who updates, and systemd starts it again."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
