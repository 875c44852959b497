"""The table that runs as a service: where it keeps its things, how it is started anew without a password."""

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware.updates.files import read_text
from firmware.updates.layout import Home
from firmware.updates.tools import UpdateError

SERVICE, GUARD = "coyote.service", "coyote-guard.service"
KEPT = ("STATE_DIRECTORY", "CONFIGURATION_DIRECTORY", "LANG", "LANGUAGE")
"""What a service's table is told of its surroundings, and the check has to know, too."""


@dataclass(frozen=True)
class Service:
    """A table that systemd looks after."""

    pid: int
    environ: Mapping[str, str] = field(default_factory=dict)

    def start_anew(self) -> None:
        """End it: it runs as the user who updates, and systemd starts it again."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)


def unit_files(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """Name the places where the service may be installed."""
    user = Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return (Path("/etc/systemd/system", SERVICE), user / "systemd" / "user" / SERVICE)


def installed_units(home: Home, places: tuple[Path, ...]) -> tuple[Path, ...]:
    """Find the units that start a table from this checkout."""
    return tuple(unit for unit in places if f"{home.root}/" in read_text(unit))


def require_guard(home: Home, places: tuple[Path, ...]) -> None:
    """Refuse an update where the service, as an older version installed it, couldn't go back by itself."""
    old = next((unit for unit in installed_units(home, places) if GUARD not in read_text(unit)), None)
    if old is not None:
        command = "sudo ./run table service" if _is_of_system(old) else "./run table service --user"
        told = "The service, as an older version installed it, can't go back by itself"
        raise UpdateError(f"{told}: {command}, then try again.")


def start_hint(home: Home, places: tuple[Path, ...]) -> str:
    """Say how a version starts that nothing has started yet."""
    unit = next(iter(installed_units(home, places)), None)
    if unit is None:
        return "It starts with the next ./run."
    command = "sudo systemctl" if _is_of_system(unit) else "systemctl --user"
    return f"It starts with the service: {command} restart coyote."


def _is_of_system(unit: Path) -> bool:
    return unit.parts[1] == "etc"


def find_service(home: Home) -> Service | None:
    """Find the service's table that runs from this checkout."""
    for scope in ((), ("--user",)):
        pid = _main_pid(scope)
        if pid and f"{home.root}/" in _command_of(pid):
            return Service(pid, _environ_of(pid))
    return None


def _main_pid(scope: tuple[str, ...]) -> int:
    command = ("systemctl", *scope, "show", SERVICE, "--property=MainPID", "--value")
    with suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10).stdout.strip()
        return int(said) if said.isdecimal() else 0
    return 0


def _command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return ""


def _environ_of(pid: int) -> dict[str, str]:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
        pairs = (line.partition("=") for line in lines)
        return {name: value for name, _sign, value in pairs if name in KEPT}
    return {}
