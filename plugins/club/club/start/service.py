"""`coyote club service`: starts the hub with its machine, as an ordinary user, and after any failure."""

import os
import shlex
import sys
from importlib.resources import files
from pathlib import Path

import click

from firmware.cli.install_service import require_caller, run, user_for, write_for_system
from firmware.language.speaking import _

NAME = "coyote-club.service"
UNIT = Path("/etc/systemd/system", NAME)
FOLDER = Path("/var/lib/coyote-club")
"""The service's folder, which every command uses once it exists."""


def unit_text(user: str, program: Path, options: list[str]) -> str:
    command = [str(program), "club", "--folder", str(FOLDER), *options]
    # systemd gives percent and dollar signs a special meaning
    plain = shlex.join(command).replace("%", "%%").replace("$", "$$")
    text = (files("club") / "start" / NAME).read_text(encoding="utf-8")
    return text.format(user=user, command=plain, folder=FOLDER.name)


def install_service(options: list[str]) -> None:
    require_caller(os.geteuid() == 0, user=False)
    user = user_for(os.environ.get("SUDO_USER"), None)
    # without systemd, no unit file is left behind
    run(("systemctl", "--version"))
    write_for_system(UNIT, unit_text(user, Path(sys.executable).with_name("coyote"), options))
    run(("systemctl", "daemon-reload"))
    run(("systemctl", "enable", "--now", NAME))
    click.echo(
        _("The club runs as a service. Check it with {command}").format(command=f"systemctl status {NAME}")
    )
