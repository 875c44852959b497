"""`coyote table screen`: show the table's screen in full size on this computer."""

import os
import shlex
from pathlib import Path
from shutil import which
from time import sleep

import click
from platformdirs import user_data_path

from firmware.cli.install_service import has_display, screen_command
from firmware.cli.output import click_errors
from firmware.language.speaking import _
from firmware.services.addresses import DEFAULT_PORTS, PORT, table_port
from firmware.start.own_browser import local_address, own_address, write_forwarding
from firmware.state_folder import LINKS, named_folder, state_directory
from firmware.storage.people.links_file import read_links

PORTS = (DEFAULT_PORTS["http"], PORT, DEFAULT_PORTS["https"])
POLL_INTERVAL = 1.0
"""Seconds between checks whether the table runs."""


@click.command(
    help=_("""Show the table's screen on this computer, full screen; confirm it once on the host's page.

    On a desktop, Chromium shows it. Without a desktop, cage starts Chromium. To start the screen with the
    computer: sudo coyote table service --screen""")
)
@click.option("--port", type=click.IntRange(1, 65535), help=_("The table's port, if not the usual one."))
@click.option("--dry-run", is_flag=True, help=_("Print the command without running it."))
def kiosk(*, port: int | None, dry_run: bool) -> None:
    if os.geteuid() == 0 and not dry_run:
        raise click.ClickException(_("a browser doesn't run as root: run this without sudo"))
    profile = profile_folder()
    command = screen_command(which, profile, has_desktop=has_display())
    if dry_run:
        click.echo(shlex.join((*command, screen_address(port or PORT))))
        return
    with click_errors(profile):
        profile.mkdir(mode=0o700, parents=True, exist_ok=True)
    ports = PORTS if port is None else (port,)
    found = table_port(ports)
    if found is None:
        click.echo(_("Waiting for the table ..."))
    while found is None:
        sleep(POLL_INTERVAL)
        found = table_port(ports)
    evening, address = read_links(state_directory() / LINKS), screen_address(found)
    if evening is not None:
        with click_errors(profile):
            address = write_forwarding(
                profile / "screen.html", own_address(found, evening.secret, "/here?to=screen")
            )
    os.execv(command[0], [*command, address])  # noqa: S606 - our own command


def profile_folder() -> Path:
    return (named_folder("STATE_DIRECTORY") or user_data_path("coyote-kiosk")) / "browser"


def screen_address(port: int) -> str:
    """Return the address of the screen page; its fragment makes the page ask the host for approval."""
    return local_address(port, "/screen#ask")
