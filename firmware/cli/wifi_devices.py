"""What NetworkManager and the radio say: which device there is, what it does now, and what it can't do."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct

from firmware.language.speaking import _, label_text, system_text

OLDEST = (1, 28)
"""The first NetworkManager that keeps phones apart."""
SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin"
"""Where programs are that an ordinary user's PATH may not name."""
NEEDED = {"nmcli": "network-manager", "systemd-run": "systemd", "dnsmasq": "dnsmasq-base"}
"""Programs, and the Debian packages that have them."""


class WifiDevice(Struct, frozen=True):
    """A Wi-Fi device, the connection that it has now, and whether it is an access point by that."""

    name: str
    connection: str | None
    is_access_point: bool


def require_programs() -> None:
    """Refuse in a line where something is missing that an access point needs."""
    for program, package in NEEDED.items():
        if find_program(program) is None:
            told = _("{program} isn't here: sudo apt install {package}")
            raise click.ClickException(told.format(program=program, package=package))
    found = re.search(r"(\d+)\.(\d+)", ask("nmcli", "--version"))
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST:
        told = _("NetworkManager {version} can't keep phones apart: it has to be {oldest} or newer")
        raise click.ClickException(told.format(version=_dotted(version), oldest=_dotted(OLDEST)))


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def find_program(name: str) -> str | None:
    """Find a program of the system."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SYSTEM_PATH}")


def find_wifi() -> WifiDevice:
    """Find the Wi-Fi device, and what it does now."""
    rows = (line.split(":") for line in ask("nmcli", "-t", "-f", "DEVICE,TYPE", "device").splitlines())
    name = next((row[0] for row in rows if row[1:] == ["wifi"]), None)
    if name is None:
        raise click.ClickException(_("NetworkManager knows of no Wi-Fi here: switch it on, or plug a stick in"))
    said = ask("nmcli", "-t", "-f", "UUID,DEVICE", "connection", "show", "--active")
    active = (line.split(":") for line in said.splitlines())
    connection = next((row[0] for row in active if row[1:] == [name]), None)
    return WifiDevice(name, connection, connection is not None and is_access_point("uuid", connection))


def is_access_point(by: str, name: str) -> bool:
    """Return whether a connection makes an access point."""
    return ask("nmcli", "-g", "802-11-wireless.mode", "connection", "show", by, name).strip() == "ap"


def may_not_isolate() -> bool:
    """Return whether a radio's driver doesn't say that it can keep phones apart."""
    program = find_program("iw")
    return program is None or "set_bss" not in ask(program, "phy")


def ask(*command: str) -> str:
    """Ask a program; one that fails has said nothing."""
    try:
        done = run_program(command)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def run_program(command: Sequence[str], reads: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program, in plain English, with what it reads."""
    environ = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(  # noqa: S603 - our own commands
        command, input=reads, capture_output=True, text=True, check=False, env=environ
    )


STDIN = "-"
LONGEST = 200


def read_password(given: str = STDIN) -> str:
    """Read the password from a file that only the caller can read, or have it typed."""
    if given != STDIN:
        said = _password_in(Path(given))
    elif sys.stdin.isatty():
        said = str(click.prompt(_("Password of the Wi-Fi"), hide_input=True))
    else:
        said = sys.stdin.readline(LONGEST)
    password = said.rstrip("\r\n")
    if not 8 <= len(password) <= 63 or not password.isascii() or not password.isprintable():
        raise click.UsageError(_("a Wi-Fi's password has 8 to 63 plain letters"))
    return password


def _password_in(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            if os.fstat(opened.fileno()).st_mode & 0o077:
                told = _("others can read {file}: chmod 600 {file}")
                raise click.ClickException(told.format(file=shlex.quote(str(file))))
            return opened.readline(LONGEST)
    except OSError as error:
        raise click.ClickException(label_text(str(file), system_text(error))) from error
