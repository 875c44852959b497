"""Which board a start drives: one that a person has named; before that, none."""

import click
from msgspec import Struct

from firmware.board.voices.spi import spi_file
from firmware.cli.board import choose_board
from firmware.language.speaking import _
from firmware.storage.configuration import BoardSettings
from firmware.storage.wired_board import NO_BOARD, NONE, WiredBoard
from hardware.board.board import Board, Boards
from hardware.board.header import INTERFACES, RING_SELECT
from hardware.board.uses import known_pins


class BoardAtStart(Struct, frozen=True, eq=False):
    """The board that is driven, which one is said to be wired, and what people have to know about that."""

    board: Board
    wired: WiredBoard = WiredBoard()
    told: str = ""


def named_board(typed: str | None, settings: BoardSettings, wired: WiredBoard) -> WiredBoard:
    """Find which board is meant: as it was typed, as it was said on the page, as it was configured."""
    if typed is not None:
        return WiredBoard(typed, "confirmed")
    if wired.stage != "unknown" or settings.profile is None:
        return wired
    return WiredBoard(settings.profile, "confirmed")


def board_at_start(named: WiredBoard, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    """Give the board to drive; where it can't be had, a start with defaults drives none."""
    if not named.is_driven:
        return BoardAtStart(NO_BOARD, named, _sleep_sentence(named))
    if named.profile == NONE:
        return BoardAtStart(NO_BOARD, named)
    try:
        board = choose_board(named.profile, settings.own_profiles)[1]
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = _(
            "{why}: no pin is driven. Choose a board on the host page (Board), or type: coyote table board"
        )
        return BoardAtStart(NO_BOARD, named, told.format(why=error.format_message()))
    return BoardAtStart(board, named, _assumed_sentence(named) if named.stage == "assumed" else "")


def simulated_board(typed: str | None, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    """Give the board that a twin simulates: the first one, if none is named."""
    try:
        return BoardAtStart(choose_board(typed or settings.profile, settings.own_profiles)[1])
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = _("{why}: the table starts with another board.").format(why=error.format_message())
        return BoardAtStart(choose_board(None)[1], told=told)


def probed_pins(boards: Boards) -> tuple[int, ...]:
    """List the pins to listen to; those of SPI are its own where it is switched on."""
    taken = INTERFACES["spi"] if spi_file(RING_SELECT).exists() else frozenset[int]()
    return tuple(gpio for gpio in known_pins(boards) if gpio not in taken)


def first_profile(settings: BoardSettings) -> str:
    """Name the profile that a table drove before anybody was asked."""
    try:
        return choose_board(settings.profile, settings.own_profiles)[0]
    except click.ClickException:
        return ""


def _sleep_sentence(named: WiredBoard) -> str:
    if named.stage == "trial":
        told = _(
            "Buttons and lamps sleep: {profile} was chosen as the board. Press its buttons, and confirm it on "
            "the host page (Board)."
        )
        return told.format(profile=named.profile)
    return _(
        "Buttons and lamps sleep: nobody has said which board is wired. Choose it on the host page (Board), or "
        "type: coyote table board"
    )


def _assumed_sentence(named: WiredBoard) -> str:
    told = _(
        "Nobody has said which board is wired: it runs as {profile}, as before. Confirm it on the host page "
        "(Board), or type: coyote table board {profile}"
    )
    return told.format(profile=named.profile)
