"""Choosing a board for a command: what is wrong with it is told in one line."""

from pathlib import Path

import click

from firmware.cli.output import click_errors
from firmware.language.board_troubles import trouble_text
from firmware.language.lamp_checks import lamp_name
from firmware.language.speaking import _
from firmware.storage.board_faults import BoardFaults
from firmware.storage.board_files import find_board, read_profiles
from firmware.table.notices import button_name
from hardware.board.board import Board, Boards
from hardware.board.checks import troubles
from hardware.board.troubles import BoardError


def list_boards(file: Path | None) -> Boards:
    """Give our profiles, or those of a file; what is wrong with it is told in one line."""
    try:
        with click_errors(file):
            return read_profiles(file)
    except BoardError as error:
        raise click.ClickException(trouble_text(error.trouble)) from error


def choose_board(profile: str | None, file: Path | None = None) -> tuple[str, Board]:
    """Give a profile by its name, the first one if none is named; it must be fit to be built."""
    try:
        with click_errors(file):
            name, board = find_board(profile, file)
    except BoardError as error:
        kind = click.UsageError if error.trouble.key == "no such profile" else click.ClickException
        raise kind(trouble_text(error.trouble)) from error
    wrong = troubles(board)
    if wrong:
        raise click.ClickException(_("; ").join(trouble_text(trouble) for trouble in wrong))
    return name, board


def fault_names(faults: BoardFaults) -> tuple[str, ...]:
    """Name the buttons and lamps that are given up."""
    return (*map(button_name, faults.dead), *map(lamp_name, faults.dark))
