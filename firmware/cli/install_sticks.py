"""`coyote install-sticks`: USB sticks are mounted when they are plugged in, for second copies."""

import os
import shlex
import subprocess
import sys
from getpass import getuser
from importlib.resources import files
from pathlib import Path

import click

from firmware.cli.output import write_output
from firmware.language.speaking import _

RULE = Path("/etc/udev/rules.d/99-coyote-sticks.rules")
RELOAD = ("udevadm", "control", "--reload")


@click.command(
    "install-sticks",
    help=_("""Have USB sticks mounted when they are plugged in, for second copies of what the table keeps.

    Needed on Raspberry Pi OS Lite; a desktop does it by itself. Remove the file to undo it.

    \b
    sudo coyote install-sticks"""),
)
@click.option("--dry-run", is_flag=True, help=_("Print the rule; change nothing."))
def install_sticks(*, dry_run: bool) -> None:
    """Write a rule for udev."""
    text = rule(os.environ.get("SUDO_USER") or getuser())
    if dry_run:
        click.echo(f"# {RULE}\n{text}", nl=False)
        return
    if os.geteuid() != 0:
        raise click.ClickException(_("this needs sudo: sudo {command}").format(command=shlex.join(sys.argv)))
    write_output(RULE, text.encode())
    try:
        subprocess.run(RELOAD, check=True)  # noqa: S603 - our own command
    except (OSError, subprocess.CalledProcessError) as error:
        told = _("{command} failed: {why}")
        raise click.ClickException(told.format(command=shlex.join(RELOAD), why=error)) from error
    click.echo(_("Sticks are mounted below /media from now on: plug one in, and choose it on the host's page."))


def rule(user: str) -> str:
    """Fill in the rule: what is on a stick belongs to the user as whom the table runs."""
    return files("hardware").joinpath("systemd", RULE.name).read_text(encoding="utf-8").format(user=user)
