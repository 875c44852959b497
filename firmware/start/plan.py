"""The plan of a start: what the table drives and reads, from options, settings and wiring."""

import os
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.outputs.speech import Sound
from firmware.cli.output import complain
from firmware.language.catalogues import languages, preferred_language
from firmware.language.speaking import Sentence, problem_text
from firmware.services.browser_camera import BrowserCamera
from firmware.services.table_sound import sound_of
from firmware.start.board_choice import (
    BoardAtStart,
    simulated_board,
    simulated_board_or_default,
    wired_at_start,
    wired_or_none,
)
from firmware.start.safe_start import Start, unused_sentences, went_back_sentences
from firmware.state_folder import state_directory
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import (
    BoardSettings,
    RunOptions,
    TableSettings,
    effective_settings,
    gone_in,
    settings_in,
)
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import KEPT_BUTTONS, WiredBoard, is_raspberry
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.board import Board
from hardware.board.usb_box import UsbButtonList, usb_seats
from vision.table.phone_frames import PHONE_FRAMES

ALONE = 4
"""Seats of a simulated table without named players: one person and three bots."""
PHONE = "phone"
"""Name of the camera that is a browser, a phone's or this computer's."""
DRAWN = "camera.bmp"
"""File in the working folder that contains the simulated camera's frame."""


class Plan(Struct, frozen=True, eq=False):
    """The choices that a start makes once, before it opens any part."""

    settings: TableSettings
    board: Board
    is_twin: bool
    factory: Any
    """gpiozero's pin factory; None for the default one."""
    folder: Path
    """Folder for files that needn't survive a restart."""
    place: StatePlace
    """Where the state is stored, and why it isn't on disk."""
    how: Start = Start()
    wired: WiredBoard = WiredBoard()
    """The board named as wired; `board` is the one that is driven."""
    board_told: Sentence | None = None
    """Note about the board for people, until the host has confirmed one."""
    usb: UsbButtonList = ()
    """Buttons by USB that the host has assigned."""
    slowness: float = 1.0
    """How many times as long as a Raspberry Pi this machine takes."""
    camera: str = ""

    @property
    def seats(self) -> int:
        """Number of seats with buttons; at most four at a simulated board, for a short first match."""
        wired = min(self.board.seats, ALONE) if self.is_twin else self.board.seats
        return max(wired, usb_seats(self.usb))


def make_plan(wished: RunOptions, folder: Path, here: TablePlaces, how: Start, place: StatePlace) -> Plan:
    """Return the plan of this start; notes about the settings are printed and added to `how`."""
    settings, notes = _read_settings(here)
    how = replace(how, told=(*how.told, *went_back_sentences(here.state), *notes))
    is_twin = wished.twin or not is_raspberry()
    if is_twin:
        chosen = _choose_simulated(wished, settings.board, how)
    else:
        chosen = _choose_wired(wished, settings.board, here.state, how)
    if chosen.told:
        click.echo(str(chosen.told), err=True)
    if not is_twin:
        _set_up_gpiozero(folder)
    factory, usb = SimulatedPins() if is_twin else None, KEPT_BUTTONS.read(here.state)
    return Plan(settings, chosen.board, is_twin, factory, folder, place, how, chosen.wired, chosen.told, usb)


def _read_settings(here: TablePlaces) -> tuple[TableSettings, tuple[str, ...]]:
    """Return the effective settings, and printed notes about ignored ones."""
    unused = unused_sentences(here.configuration, here.state)
    configured = TableSettings() if unused else settings_in(here.configuration)
    choice = effective_settings(configured, here.state, languages())
    gone = () if unused else gone_in(here.configuration)
    return choice.settings, complain((*unused, *map(problem_text, (*gone, *choice.told))))


def _choose_simulated(wished: RunOptions, settings: BoardSettings, how: Start) -> BoardAtStart:
    choose = simulated_board_or_default if how.with_defaults else simulated_board
    return choose(wished.profile, settings)


def _choose_wired(wished: RunOptions, settings: BoardSettings, state: Path, how: Start) -> BoardAtStart:
    choose = wired_or_none if how.with_defaults else wired_at_start
    return choose(wished.profile, settings, state)


def _set_up_gpiozero(folder: Path) -> None:
    # lgpio creates a file in its working folder
    os.environ.setdefault("LG_WD", str(folder))
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")


def camera_of(plan: Plan, wished: RunOptions) -> str:
    """Return the camera's name: the option, else the setting; a simulated table has its own."""
    if plan.is_twin:
        return f"live:{plan.folder / DRAWN}"
    name = wished.camera or plan.settings.camera.name
    return f"live:{plan.folder / PHONE_FRAMES}" if name == PHONE else name


def browser_camera_of(plan: Plan) -> BrowserCamera:
    """Return the service for a browser as the camera; it is inactive if the table has another one."""
    file = plan.folder / PHONE_FRAMES
    return BrowserCamera(file if plan.camera == f"live:{file}" else None)


def sound_at(plan: Plan) -> Sound:
    return sound_of(plan.settings.sound, preferred_language(), state_directory())
