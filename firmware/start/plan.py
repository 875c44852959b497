"""The plan of a start: board, camera and settings, from options, settings and wiring."""

import os
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.outputs.speech import Sound
from firmware.cli.output import complain
from firmware.language.catalogues import languages, preferred_language
from firmware.language.speaking import Sentence, _, problem_text
from firmware.services.browser_camera import BrowserCamera
from firmware.services.table_sound import sound_of
from firmware.start.board_choice import (
    BoardAtStart,
    simulated_board,
    simulated_board_or_default,
    wired_at_start,
    wired_or_none,
)
from firmware.start.safe_start import Start, Suspect, left_out, unused_sentences
from firmware.state_folder import state_directory
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import CARDS_CHOICE, Kind
from firmware.storage.configuration import (
    CameraSettings,
    RunOptions,
    TableSettings,
    effective_settings,
    settings_in,
)
from firmware.storage.match_marks import may_go_on
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import KEPT_BUTTONS, NO_BOARD, NONE, WiredBoard, is_raspberry
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.board import Board
from hardware.board.usb_box import UsbButtonList, usb_seats
from referee.match import Match
from vision.table.camera_names import PHONE, PHONE_FRAMES, is_camera_name

ALONE = 4
"""Seats of a simulated table without named players: one person and three bots."""
DRAWN = "camera.bmp"
"""File in the working folder that contains the simulated camera's frame."""


class Plan(Struct, frozen=True, eq=False):
    """The choices that a start makes once, before it opens any part."""

    settings: TableSettings
    board: Board
    is_twin: bool
    factory: Any
    """gpiozero's pin factory; None for the Raspberry Pi's own."""
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

    is_pi: bool = True
    """Whether this is a Raspberry Pi, also if it simulates."""

    seen_by: str = ""
    """The real camera's name; `camera` is what the eyes open."""
    needs_eyes: bool = True
    """Whether the table restarts if its eyes don't start; not after the camera was left out."""
    is_chosen_by_options: bool = False
    """Whether options decided between real cards and the simulated table, so that pages offer no choice."""

    @property
    def has_pins(self) -> bool:
        """Whether a wired board can be driven; without one, phones, keys and USB buttons do everything."""
        return self.is_pi and not self.is_twin

    @property
    def kind(self) -> Kind:
        return "simulated" if self.is_twin else "real"

    @property
    def is_seen_by_browser(self) -> bool:
        """Whether the camera is a browser, whose frames the table's service stores."""
        return self.camera == browser_camera(self.folder)

    @property
    def seats(self) -> int:
        """Number of seats with buttons; at most four at a simulated board, for a short first match."""
        wired = min(self.board.seats or ALONE, ALONE) if self.is_twin else self.board.seats
        return max(wired, usb_seats(self.usb))

    def may_go_on(self, match: Match) -> bool:
        """Return whether this table may continue a stored match unasked."""
        return may_go_on(self.place.state, match, self.kind, is_raspberry=self.is_pi)


def is_simulated(wished: RunOptions, chosen: Kind | None, *, is_pi: bool) -> bool:
    """Return whether to simulate: the options decide, then the choice on the first page, then the computer."""
    if wished.twin:
        return True
    if wished.camera is None:
        return not is_pi if chosen is None else chosen == "simulated"
    # without a Raspberry Pi, an unknown name is reported with those that can be simulated
    return not is_pi and not is_camera_name(wished.camera)


def check_board(wished: RunOptions, *, is_pi: bool) -> None:
    """Raise UsageError if a board is named that this computer can't drive."""
    is_real = wished.camera is not None and is_camera_name(wished.camera) and not wished.twin
    if wished.profile not in (None, NONE) and is_real and not is_pi:
        raise click.UsageError(_("no Raspberry Pi here: a board can only be simulated, with --twin"))


def make_plan(wished: RunOptions, folder: Path, here: TablePlaces, how: Start, place: StatePlace) -> Plan:
    """Return the plan of this start; notes about the settings are printed and added to `how`."""
    unused = unused_sentences(here.configuration, here.state)
    configured = TableSettings() if unused else settings_in(here.configuration)
    choice = effective_settings(configured, here.state, languages())
    settings, notes = choice.settings, complain((*unused, *map(problem_text, choice.told)))
    how = replace(how, told=(*how.told, *notes))
    # setting up gpiozero looks like a Raspberry Pi later
    is_pi = is_raspberry()
    check_board(wished, is_pi=is_pi)
    is_twin = is_simulated(wished, CARDS_CHOICE.read(here.state).kind, is_pi=is_pi)
    if is_twin:
        simulate = simulated_board_or_default if how.with_defaults else simulated_board
        chosen = simulate(wished.profile, settings.board)
    elif is_pi:
        wire = wired_or_none if how.with_defaults else wired_at_start
        chosen = wire(wished.profile, settings.board, here.state)
    else:
        chosen = BoardAtStart(NO_BOARD)
    if chosen.told:
        click.echo(str(chosen.told), err=True)
    is_driven = is_pi and not is_twin
    if is_driven:
        # lgpio creates a file in its working folder
        os.environ.setdefault("LG_WD", str(folder))
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    factory, usb = None if is_driven else SimulatedPins(), KEPT_BUTTONS.read(here.state)
    board, wired, told = chosen.board, chosen.wired, chosen.told
    camera = camera_name(wished, settings.camera)
    return Plan(
        settings,
        board,
        is_twin,
        factory,
        folder,
        place,
        how,
        wired,
        told,
        usb,
        is_pi=is_pi,
        seen_by=camera,
        needs_eyes=not how.with_defaults and Suspect("camera", camera) not in left_out(here.state),
        is_chosen_by_options=wished.twin or wished.camera is not None,
    )


def camera_name(wished: RunOptions, settings: CameraSettings) -> str:
    """Return the name of the real camera: the option, else the setting."""
    return wished.camera or settings.name


def camera_of(plan: Plan, wished: RunOptions) -> str:
    """Return the camera that the eyes open; a simulated table has its own."""
    if plan.is_twin:
        return f"live:{plan.folder / DRAWN}"
    name = camera_name(wished, plan.settings.camera)
    return browser_camera(plan.folder) if name == PHONE else name


def browser_camera(folder: Path) -> str:
    """Return the camera whose frames a browser sends: the file that the table's service replaces."""
    return f"live:{folder / PHONE_FRAMES}"


def browser_camera_of(plan: Plan) -> BrowserCamera:
    """Return the service for a browser as the camera; it is inactive if the table has another one."""
    return BrowserCamera(plan.folder / PHONE_FRAMES if plan.is_seen_by_browser else None)


def sound_at(plan: Plan) -> Sound:
    return sound_of(plan.settings.sound, preferred_language(), state_directory())
