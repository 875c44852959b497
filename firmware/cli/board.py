"""`coyote board`: which board is wired, and saying which one it is."""

import os
from pathlib import Path

import click

from firmware.cli.boards import choose_board, fault_names, list_boards
from firmware.cli.output import click_errors
from firmware.language.speaking import _
from firmware.state_folder import state_directory
from firmware.storage.board_faults import read_board_faults
from firmware.storage.configuration import settings_in
from firmware.storage.places import configuration_path
from firmware.storage.usb_buttons import read_usb_buttons
from firmware.storage.wired_board import NONE, WiredBoard, keep_wired_board, read_wired_board
from hardware.board.usb_box import seats_on, usb_boxes

SAID = {
    "unknown": _("Nobody has said which board is wired: no pin is driven."),
    "trial": _("{profile} is being tried on the host page: no pin is driven."),
    "assumed": _("Nobody has said which board is wired: it runs as {profile}, as before."),
    "confirmed": _("{profile} is wired."),
}


@click.command(
    "board",
    help=_("""Which board is wired; with a PROFILE (full, six, minimal, ring, one of yours, or none): say it.

    No pin is driven before that was said, here or on the host page (Board)."""),
)
@click.argument("profile", required=False, metavar="[PROFILE]")
def board(profile: str | None) -> None:
    """Tell or say which board is wired."""
    state = state_directory(os.environ)
    with click_errors():
        own = settings_in(configuration_path(os.environ)).board.own_profiles
        if profile is None:
            _tell(state, own)
            return
        if profile != NONE:
            choose_board(profile, own)
        keep_wired_board(state, WiredBoard(profile, "confirmed"))
    told = _("{profile} is driven from the next start on. With the table ended, coyote doctor tries it.")
    click.echo(told.format(profile=profile))


def _tell(state: Path, own: Path | None) -> None:
    wired = read_wired_board(state) or WiredBoard()
    click.echo(SAID[wired.stage].format(profile=wired.profile))
    if faults := fault_names(read_board_faults(state, wired.profile)):
        click.echo(_("Played without: {names}").format(names=", ".join(faults)))
    buttons = read_usb_buttons(state)
    for box in usb_boxes(buttons):
        told = _("Seats {seats} have buttons by USB, on {box}.")
        click.echo(told.format(box=box.name, seats=seats_on(box, buttons)))
    names = ", ".join((*list_boards(own), NONE))
    click.echo(_("Say which one it is: coyote board PROFILE, one of {names}.").format(names=names))
