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
from pwd import getpwnam, getpwuid

import click
from msgspec import Struct

from firmware.cli.output import click_errors, write_output
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _
from firmware.updates.guard_file import GUARD as PACKED
from firmware.updates.layout import Home, home_of

NAME, GUARD = "coyote.service", "coyote-guard.service"
ROOT = "root"
GROUPS = ("gpio", "video", "render", "audio")
"""Groups that may use pins, cameras and sound."""
SYSTEM_ONLY = "# only where the system itself starts it"
CODE = Path(__file__).resolve().parents[2]
WANTED = f"Wants={GUARD}\nAfter={GUARD}\n"
"""By this the guard runs before each start of the table, also when it is started again."""


class Service(Struct, frozen=True):
    """Units by their files, and what makes them start."""

    files: Mapping[Path, str]
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
    home = home_of(CODE)
    if not dry_run:
        _require_caller(os.geteuid() == 0, user=user)
    owner = user_for({} if user else os.environ, home)
    service = user_service(os.environ, home) if user else system_service(os.environ, home, owner)
    if dry_run:
        click.echo("\n".join(f"# {file}\n{text}" for file, text in service.files.items()))
        click.echo("\n".join(shlex.join(command) for command in service.commands))
        return
    if home is not None:
        _lay_out_versions(home, owner)
    for file, text in service.files.items():
        with click_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_output(file, text.encode())
    for command in service.commands:
        _run(command)
    click.echo(_("The table runs as a service; how it is: {command}").format(command=_status(user)))


def _require_caller(is_root: bool, *, user: bool) -> None:
    """Refuse the wrong caller: a service of the system needs root, one of a user is never root's."""
    if is_root and user:
        raise click.ClickException(_("a service of yours alone is installed without sudo, and not for root"))
    if not is_root and not user:
        raise click.ClickException(_("this needs sudo: sudo {command}").format(command=shlex.join(sys.argv)))


def _status(user: bool) -> str:
    return "systemctl --user status coyote" if user else "systemctl status coyote"


def user_for(environ: Mapping[str, str], home: Home | None) -> str:
    """Choose as whom the service runs: as the user who called sudo or owns the checkout, never as root."""
    owner = getpwuid(home.root.stat().st_uid).pw_name if home else ROOT
    caller = environ.get("SUDO_USER") or getuser()
    user = owner if caller == ROOT else caller
    if user == ROOT:
        told = _("the table doesn't run as root: log in as the user who is to run it, then use sudo")
        raise click.ClickException(told)
    if home is not None and owner != user:
        told = _("{folder} belongs to {owner}, so {user} can't update it: sudo chown -R {user} {folder}")
        raise click.ClickException(told.format(folder=home.root, owner=owner, user=user))
    return user


def system_service(environ: Mapping[str, str], home: Home | None, user: str) -> Service:
    """Make a service of the system, run as an ordinary user."""
    groups = [group.gr_name for group in grp.getgrall()]
    texts = units(environ, home, "multi-user.target", user, groups)
    commands = (("systemctl", "daemon-reload"), ("systemctl", "enable", "--now", NAME))
    return Service({Path("/etc/systemd/system", name): text for name, text in texts.items()}, commands)


def user_service(environ: Mapping[str, str], home: Home | None) -> Service:
    """Make a service of this user, which also runs while no user is logged in."""
    texts = units(environ, home, "default.target", "", ())
    commands = (
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "--now", NAME),
        ("loginctl", "enable-linger"),
    )
    folder = Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user"
    return Service({folder / name: _without_system(text) for name, text in texts.items()}, commands)


def units(
    environ: Mapping[str, str], home: Home | None, target: str, user: str, there: Collection[str]
) -> dict[str, str]:
    """Fill in the units; systemd refuses groups that don't exist, and only a checkout has versions to guard."""
    language = {"en": "C.UTF-8"}.get(
        preferred_language(environ),
        f"{preferred_language(environ)}_{preferred_language(environ).upper()}.UTF-8",
    )
    program = Path(sys.executable).with_name("coyote") if home is None else home.link / ".venv/bin/coyote"
    words = {
        "command": f"{_quote_path(program)} run",
        "guard": "" if home is None else WANTED,
        "language": language,
        "user": user,
        "groups": " ".join(group for group in GROUPS if group in there),
        "target": target,
    }
    table = {NAME: _filled(NAME, words)}
    return table if home is None else {**table, GUARD: _filled(GUARD, {**words, **_guard_words(home)})}


def _guard_words(home: Home) -> dict[str, str]:
    command = f"/usr/bin/env python3 -I {_quote_path(home.versions / PACKED)} guard {_quote_path(home.root)}"
    return {"command": command, "versions": _quote_path(home.versions)}


def _filled(name: str, words: Mapping[str, str]) -> str:
    template = files("hardware").joinpath("systemd", name).read_text(encoding="utf-8")
    _head, body = template.split("\n\n", 1)
    return body.format(**words)


def _lay_out_versions(home: Home, owner: str) -> None:
    """Make the folder of the versions, as the user whose checkout it is."""
    command = (sys.executable, "-I", str(CODE / "firmware" / "updates"), "lay-out", str(home.root))
    other = {"user": owner, "group": getpwnam(owner).pw_gid, "extra_groups": ()} if os.geteuid() == 0 else {}
    done = subprocess.run(command, check=False, **other)  # type: ignore[call-overload] # noqa: S603 - our own
    if done.returncode != 0:
        raise click.ClickException(_("{folder} can't be made").format(folder=home.versions))


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
