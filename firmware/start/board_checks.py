"""Checks of `coyote doctor` for the wired board, its buttons and lamps, SPI and USB buttons."""

import os
from collections.abc import Iterator
from contextlib import closing
from errno import EACCES
from pathlib import Path

from msgspec.structs import replace

from firmware.board.inputs.buttons import Buttons
from firmware.board.inputs.usb_buttons import InputDevices, PluggedIn
from firmware.board.outputs.drivers import DEVICES, DIGITS_FILE
from firmware.cli.board import board_here, choose_board, ring_sentence
from firmware.language.speaking import problem_sentence, say
from firmware.services.checks import Finding, Here, absent, well, wrong, wrong_by
from firmware.start.report import Draft
from firmware.storage.cards_choice import CARDS_CHOICE
from firmware.storage.wired_board import NONE, is_raspberry
from firmware.table.notices import button_name
from hardware.board.board import Board, BoardError
from hardware.board.usb_box import UsbButtonList, seats_on, usb_boxes, which_is_which
from vision.troubles import Problem


def board_findings(typed: str | None, here: Here, draft: Draft) -> Iterator[Finding]:
    """Check the typed board, or the wired one; at a terminal, a person tests its parts."""
    wired = board_here(typed, here.settings.board, here.state)
    if wired.profile == NONE:
        yield absent(say("none: phones do everything"))
        return
    if not is_raspberry() and CARDS_CHOICE.read(here.state).kind == "real":
        yield absent(say("no Raspberry Pi here: phones, keys and USB buttons do everything"))
        return
    if is_raspberry() and not wired.profile:
        yield wrong(say("no board is chosen: no pin is driven"), say("choose it: coyote table board"))
        return
    name, board = choose_board(wired.profile or None, here.settings.board.own_profiles)
    if wired.profile:
        draft.note_board(name, board)
    if (ring := ring_sentence(name, board)) is not None:
        yield absent(ring)
    if board.dial is None:
        yield absent(say("no dial: numbers are chosen on a phone"))
    if not is_raspberry():
        yield absent(say("no Raspberry Pi here: its pins are simulated"))
        return
    try:
        buttons = Buttons(board, draft.tries.hear)
    except BoardError as error:
        is_busy = error.trouble.key == "no pin"
        remedy = say("stop the table: systemctl stop coyote") if is_busy else say("see the message")
        yield wrong(problem_sentence(error.trouble), remedy)
        return
    with closing(buttons):
        yield well(name)
        yield from _tried_findings(board, buttons, draft)


def _tried_findings(board: Board, buttons: Buttons, draft: Draft) -> Iterator[Finding]:
    """Report held buttons, then test the board at a terminal, without digits that can't be driven."""
    for key in buttons.held:
        remedy = say("release it, or look for wires that touch")
        yield wrong(say("{button} is pressed", button=button_name(key)), remedy, "buttons")
    on_spi = tuple(spi_findings(board))
    yield from on_spi
    if draft.is_alone:
        yield absent(say("not tested: this needs a terminal"), part="buttons")
        return
    if any(each.state == "trouble" for each in on_spi):
        board = replace(board, max7219=None)
    yield from draft.tries.try_board(board)
    if draft.is_wanted:
        yield from draft.tries.watch(board)


def spi_findings(board: Board, devices: Path = DEVICES) -> Iterator[Finding]:
    if board.max7219 is None:
        return
    file = devices / DIGITS_FILE
    if not file.exists():
        yield wrong_by(str(problem_sentence(Problem("no spi", {"file": str(file)}))), "spi")
    elif not os.access(file, os.W_OK):
        refused = Problem("spi refused", {"file": str(file), "why": os.strerror(EACCES)})
        yield wrong_by(str(problem_sentence(refused)), "spi")
    else:
        yield well(str(file), "spi")


def usb_findings(buttons: UsbButtonList, inputs: InputDevices) -> Iterator[Finding]:
    plugged_in = PluggedIn(inputs)
    there = set(which_is_which(usb_boxes(buttons), plugged_in.look().values()).values())
    denied = say("add this user to the group input")
    for box in usb_boxes(buttons):
        message = say("{box}, seats {seats}", box=box.name, seats=seats_on(box, buttons))
        remedy = denied if plugged_in.is_denied else say("plug it in")
        yield well(message) if box in there else wrong(message, remedy)
