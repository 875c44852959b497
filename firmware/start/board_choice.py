"""Choose the board to drive: the confirmed wired one, or a simulated one."""

from pathlib import Path

import click
from msgspec import Struct

from firmware.cli.board import choose_board, named_board, ring_sentence
from firmware.language.speaking import Sentence, say
from firmware.storage.configuration import BoardSettings
from firmware.storage.wired_board import NO_BOARD, WIRED_BOARD, WiredBoard
from hardware.board.board import Board


class BoardAtStart(Struct, frozen=True, eq=False):
    """The board to drive, the board named as wired, and a note for people about the difference."""

    board: Board
    wired: WiredBoard = WiredBoard()
    told: Sentence | None = None


def board_at_start(named: WiredBoard, settings: BoardSettings) -> BoardAtStart:
    """Return the board to drive: none before a person has confirmed one.

    Raises ClickException if its profile can't be used.
    """
    if not named.is_driven:
        return BoardAtStart(NO_BOARD, named, _sleep_sentence(named))
    name, board = choose_board(named.profile, settings.own_profiles)
    return BoardAtStart(board, named, ring_sentence(name, board))


def board_or_none(named: WiredBoard, settings: BoardSettings) -> BoardAtStart:
    """Return the board to drive; none if its profile can't be used."""
    try:
        return board_at_start(named, settings)
    except click.ClickException as error:
        told = say(
            "{why}: no pin is driven. Choose a board on the host's page (Board), or type: coyote table board",
            why=error.format_message(),
        )
        return BoardAtStart(NO_BOARD, named, told)


def wired_at_start(typed: str | None, settings: BoardSettings, state: Path) -> BoardAtStart:
    """Return the wired board to drive. Raises ClickException if a typed or configured profile can't be used.

    A board that was chosen on the page and is gone doesn't keep the table from starting.
    """
    stored = WIRED_BOARD.read(state)
    named = named_board(typed, settings, stored)
    choose = board_or_none if named is stored else board_at_start
    return choose(named, settings)


def wired_or_none(typed: str | None, settings: BoardSettings, state: Path) -> BoardAtStart:
    """Return the wired board to drive; none if its profile can't be used."""
    return board_or_none(named_board(typed, settings, WIRED_BOARD.read(state)), settings)


def simulated_board(typed: str | None, settings: BoardSettings) -> BoardAtStart:
    """Return the board of the simulated table. Raises ClickException if its profile can't be used."""
    name, board = choose_board(typed or settings.profile, settings.own_profiles)
    return BoardAtStart(board, told=ring_sentence(name, board))


def simulated_board_or_default(typed: str | None, settings: BoardSettings) -> BoardAtStart:
    """Return the board of the simulated table; the default board if its profile can't be used."""
    try:
        return simulated_board(typed, settings)
    except click.ClickException as error:
        told = say("{why}: the table starts with another board.", why=error.format_message())
        return BoardAtStart(choose_board(None)[1], told=told)


def _sleep_sentence(named: WiredBoard) -> Sentence:
    if named.stage == "trial":
        return say(
            "Buttons and lamps are off: {profile} was chosen as the board. Press its buttons, and "
            "confirm it on the host's page (Board).",
            profile=named.profile,
        )
    return say(
        "Buttons and lamps are off: choose the wired board on the host's page (Board), or with coyote "
        "table board."
    )
