"""`coyote table board`: the wired board; also the choice of a board for other commands."""

from collections.abc import Sequence
from pathlib import Path

import click

from firmware.cli.output import click_errors, say_all
from firmware.language.speaking import Sentence, _, problem_text, say
from firmware.services.table_board import fault_names
from firmware.state_folder import configuration_path, state_directory
from firmware.storage import wired_board
from firmware.storage.configuration import BoardSettings, settings_in
from firmware.storage.wired_board import NONE, WiredBoard
from hardware.board.board import Board, BoardError, Boards, UndrivenRing
from hardware.board.checks import troubles
from hardware.board.usb_box import seats_on, usb_boxes

SAID = {
    "unknown": _("No board is chosen yet: no pin is driven."),
    "trial": _("{profile} is being tested on the host's page: no pin is driven."),
    "confirmed": _("{profile} is wired."),
    NONE: _("No board is wired: phones do everything."),
}


@click.command(
    help=_("""Show the wired board, or choose it: fab, two, one of yours, or none.

    No pin is driven before you have chosen a board, here or on the host's page (Board).""")
)
@click.argument("profile", required=False, metavar="[PROFILE]")
def board(profile: str | None) -> None:
    state = state_directory()
    with click_errors():
        settings = settings_in(configuration_path()).board
        if profile is None:
            _tell(state, settings, (*list_boards(settings.own_profiles), NONE))
            return
        if ring := ring_sentence(*choose_board(profile, settings.own_profiles)):
            click.echo(str(ring))
        wired_board.WIRED_BOARD.keep(state, WiredBoard(profile, "confirmed"))
    message = _("{profile} is used from the next start on. To test it, stop the table and run: coyote doctor")
    none = _("From the next start on, no pin is driven: phones do everything.")
    click.echo(none if profile == NONE else message.format(profile=profile))


def _tell(state: Path, settings: BoardSettings, known: Sequence[str]) -> None:
    wired = board_here(None, settings, state)
    click.echo(SAID[NONE if wired.profile == NONE else wired.stage].format(profile=wired.profile))
    if faults := fault_names(wired_board.read_board_faults(state, wired.profile)):
        click.echo(_("Not in use: {names}").format(names=", ".join(map(str, faults))))
    buttons, message = wired_board.KEPT_BUTTONS.read(state), _("Seats {seats} have USB buttons, on {box}.")
    say_all(message.format(box=box.name, seats=seats_on(box, buttons)) for box in usb_boxes(buttons))
    message = _("Choose it: coyote table board PROFILE, one of {names}.")
    click.echo(message.format(names=", ".join(known)))


def board_here(typed: str | None, settings: BoardSettings, state: Path) -> WiredBoard:
    return named_board(typed, settings, wired_board.WIRED_BOARD.read(state))


def named_board(typed: str | None, settings: BoardSettings, wired: WiredBoard) -> WiredBoard:
    """Return the board to use: from the command line, the page or the configuration."""
    profile = settings.profile if typed is None and wired.stage == "unknown" else typed
    return wired if profile is None else WiredBoard(profile, "confirmed")


def list_boards(file: Path | None) -> Boards:
    try:
        with click_errors(file):
            return wired_board.read_profiles(file)
    except BoardError as error:
        raise click.ClickException(problem_text(error.trouble)) from error


def ring_sentence(name: str, board: Board) -> Sentence | None:
    """Return a note about a ring of LEDs in an owner's board, for which no pin is driven."""
    if not isinstance(board.lamps, UndrivenRing):
        return None
    return say("{profile} has a ring of LEDs, which isn't supported: no pin is driven for it.", profile=name)


def choose_board(profile: str | None, file: Path | None = None) -> tuple[str, Board]:
    """Return a profile by its name, by default the first one; invalid boards are refused."""
    try:
        with click_errors(file):
            name, board = wired_board.find_board(profile, file)
    except BoardError as error:
        kind = click.UsageError if error.trouble.key == "no such profile" else click.ClickException
        raise kind(problem_text(error.trouble)) from error
    if wrong := troubles(board):
        raise click.ClickException(_("; ").join(map(problem_text, wrong)))
    return name, board
