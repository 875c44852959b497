"""`coyote club service`: the hub starts with its machine, as an ordinary user, and again after any failure."""

import os
import pwd
import shlex
import subprocess
import sys
from getpass import getuser
from importlib.resources import files
from pathlib import Path
from shutil import which

import click

from firmware.language.speaking import _

NAME = "coyote-club.service"
UNIT = Path("/etc/systemd/system", NAME)
FOLDER = Path("/var/lib/coyote-club")
"""Where the service keeps its things, and where every command looks for them once they are there."""


def unit_text(user: str, program: Path, options: list[str]) -> str:
    command = [str(program), "club", "--folder", str(FOLDER), *options]
    # systemd reads a percent sign and a dollar as the beginning of something else
    plain = shlex.join(command).replace("%", "%%").replace("$", "$$")
    text = (files("club") / "start" / NAME).read_text(encoding="utf-8")
    return text.format(user=user, command=plain, folder=FOLDER.name)


def install_service(options: list[str]) -> None:
    user = os.environ.get("SUDO_USER") or getuser()
    if os.geteuid() != 0 or pwd.getpwnam(user).pw_uid == 0:
        raise click.ClickException(_("this needs sudo: sudo {command}").format(command=shlex.join(sys.argv)))
    if which("systemctl") is None:
        raise click.ClickException(
            _("{program} isn't here: sudo apt install {package}").format(program="systemctl", package="systemd")
        )
    UNIT.write_text(unit_text(user, Path(sys.executable).with_name("coyote"), options), encoding="utf-8")
    for command in (("systemctl", "daemon-reload"), ("systemctl", "enable", "--now", NAME)):
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - the system's own
        if done.returncode != 0:
            told = _("{command} failed: {why}").format(command=shlex.join(command), why=done.stderr.strip())
            raise click.ClickException(told)
    click.echo(_("The club runs as a service; how it is: {command}").format(command=f"systemctl status {NAME}"))
