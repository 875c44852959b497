"""`coyote install-service`: the table starts with the machine, and again after any failure."""

import grp
import os
import shlex
import subprocess
import sys
from collections.abc import Collection, Mapping
from getpass import getuser
from importlib.resources import files
from pathlib import Path

import click
from msgspec import Struct

from firmware.cli.output import click_errors, write_output
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _

NAME = "coyote.service"
GROUPS = ("gpio", "video", "render", "audio")
"""Groups that may use pins, cameras and sound."""
SYSTEM_ONLY = "# only where the system itself starts it"


class Service(Struct, frozen=True):
    """A unit, where it goes, and what makes it start."""

    file: Path
    text: str
    commands: tuple[tuple[str, ...], ...]


@click.command(
    "install-service",
    help=_("""Start the table with the machine: write a unit for systemd, and enable it.

    Without --user it is a service of the system, to be installed with sudo; it runs as you.

    \b
    sudo coyote install-service
    coyote install-service --user"""),
)
@click.option("--user", is_flag=True, help=_("A service of yours alone: no sudo, and less protection."))
@click.option("--dry-run", is_flag=True, help=_("Print the unit and the commands; change nothing."))
def install_service(*, user: bool, dry_run: bool) -> None:
    """Install the service."""
    service = user_service(os.environ) if user else system_service(os.environ)
    if dry_run:
        click.echo(f"# {service.file}\n{service.text}")
        click.echo("\n".join(shlex.join(command) for command in service.commands))
        return
    if not user and os.geteuid() != 0:
        raise click.ClickException(_("this needs sudo: sudo {command}").format(command=shlex.join(sys.argv)))
    with click_errors(service.file):
        service.file.parent.mkdir(parents=True, exist_ok=True)
    write_output(service.file, service.text.encode())
    for command in service.commands:
        _run(command)
    click.echo(_("The table runs as a service; how it is: {command}").format(command=_status(user)))


def _status(user: bool) -> str:
    return "systemctl --user status coyote" if user else "systemctl status coyote"


def system_service(environ: Mapping[str, str]) -> Service:
    """Make a service of the system, run as the user who called sudo."""
    user = environ.get("SUDO_USER") or getuser()
    groups = [group.gr_name for group in grp.getgrall()]
    text = unit(environ, "multi-user.target", user, groups)
    commands = (("systemctl", "daemon-reload"), ("systemctl", "enable", "--now", NAME))
    return Service(Path("/etc/systemd/system", NAME), text, commands)


def user_service(environ: Mapping[str, str]) -> Service:
    """Make a service of this user, which also runs while no user is logged in."""
    text = _without_system(unit(environ, "default.target", "", ()))
    commands = (
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "--now", NAME),
        ("loginctl", "enable-linger"),
    )
    home = Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return Service(home / "systemd" / "user" / NAME, text, commands)


def unit(environ: Mapping[str, str], target: str, user: str, there: Collection[str]) -> str:
    """Fill in the unit; systemd refuses groups that don't exist."""
    template = files("hardware").joinpath("systemd", NAME).read_text(encoding="utf-8")
    groups = " ".join(group for group in GROUPS if group in there)
    language = {"en": "C.UTF-8"}.get(
        preferred_language(environ),
        f"{preferred_language(environ)}_{preferred_language(environ).upper()}.UTF-8",
    )
    command = f"{_quote_path(Path(sys.executable).with_name('coyote'))} run"
    _head, body = template.split("\n\n", 1)
    return body.format(command=command, language=language, user=user, groups=groups, target=target)


def _quote_path(path: Path) -> str:
    """Write a path as systemd reads it."""
    plain = str(path).replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"' if " " in plain else plain


def _without_system(text: str) -> str:
    """Leave out what only the system can give a service."""
    return "\n\n".join(part for part in text.split("\n\n") if not part.startswith(SYSTEM_ONLY))


def _run(command: tuple[str, ...]) -> None:
    try:
        subprocess.run(command, check=True)  # noqa: S603 - our own commands
    except (OSError, subprocess.CalledProcessError) as error:
        told = _("{command} failed: {why}")
        raise click.ClickException(told.format(command=shlex.join(command), why=error)) from error
