"""What a start makes of what is wired, wished for and chosen: the plan of a table."""

import os
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.voices.drivers import spi_file
from firmware.board.voices.speech import Sound
from firmware.cli.board import choose_board, first_profile, named_board
from firmware.cli.output import complain
from firmware.language.catalogues import languages, preferred_language
from firmware.language.speaking import Sentence, problem_text, say
from firmware.parts.finding import Home
from firmware.parts.table_sound import sound_of
from firmware.start.safe_start import Start, unused_sentences, went_back_sentences
from firmware.state_folder import FOUND_TABLE, state_directory
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import (
    BoardSettings,
    RunOptions,
    TableSettings,
    effective_settings,
    gone_in,
    settings_in,
)
from firmware.storage.found_table import divide_table, load_layout
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import KEPT_BUTTONS, NO_BOARD, NONE, WiredBoard, is_raspberry, wired_at_start
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.board import INTERFACES, RING_SELECT, Board, Boards
from hardware.board.usb_box import UsbButtonList, usb_seats
from hardware.board.uses import known_pins
from referee.contract import TableLayout
from vision.table.zones import Zones


class BoardAtStart(Struct, frozen=True, eq=False):
    """The board that is driven, which one is said to be wired, and what people have to know about that."""

    board: Board
    wired: WiredBoard = WiredBoard()
    told: Sentence | None = None


def board_at_start(named: WiredBoard, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    if not named.is_driven:
        return BoardAtStart(NO_BOARD, named, _sleep_sentence(named))
    if named.profile == NONE:
        return BoardAtStart(NO_BOARD, named)
    try:
        board = choose_board(named.profile, settings.own_profiles)[1]
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = say(
            "{why}: no pin is driven. Choose a board on the host page (Board), or type: coyote table board",
            why=error.format_message(),
        )
        return BoardAtStart(NO_BOARD, named, told)
    assumed = say(
        "The wired board isn't chosen yet: it runs as {profile}, as before. Confirm it on the host page "
        "(Board), or type: coyote table board {profile}",
        profile=named.profile,
    )
    return BoardAtStart(board, named, assumed if named.stage == "assumed" else None)


def simulated_board(typed: str | None, settings: BoardSettings, *, with_defaults: bool = False) -> BoardAtStart:
    try:
        return BoardAtStart(choose_board(typed or settings.profile, settings.own_profiles)[1])
    except click.ClickException as error:
        if not with_defaults:
            raise
        told = say("{why}: the table starts with another board.", why=error.format_message())
        return BoardAtStart(choose_board(None)[1], told=told)


def probed_pins(boards: Boards) -> tuple[int, ...]:
    """List the pins to listen to; those of SPI are its own where it is switched on."""
    taken = INTERFACES["spi"] if spi_file(RING_SELECT).exists() else frozenset[int]()
    return tuple(gpio for gpio in known_pins(boards) if gpio not in taken)


def _sleep_sentence(named: WiredBoard) -> Sentence:
    if named.stage == "trial":
        return say(
            "Buttons and lamps sleep: {profile} was chosen as the board. Press its buttons, and confirm it on "
            "the host page (Board).",
            profile=named.profile,
        )
    return say(
        "Buttons and lamps sleep: the wired board isn't chosen yet. Choose it on the host page (Board), or "
        "type: coyote table board"
    )


ALONE = 4  # seats of a twin for which no names are given: a person, and bots
DRAWN = "camera.bmp"  # what a twin's camera shows, in the folder for what needn't survive


class Plan(Struct, frozen=True, eq=False):
    """What the table is made of."""

    settings: TableSettings
    board: Board
    is_twin: bool
    factory: Any
    folder: Path  # for what needn't survive
    place: StatePlace  # where the state is, and why it isn't saved, if it isn't
    how: Start = Start()
    wired: WiredBoard = WiredBoard()  # which board is said to be wired; what is driven is `board`
    board_told: Sentence | None = None
    """What people have to know about that, until the host has said which one is wired."""
    usb: UsbButtonList = ()  # whose buttons by USB there are
    slowness: float = 1.0  # how many times as much time as a Pi this machine needs
    camera: str = ""

    @property
    def seats(self) -> int:
        """Give the number of seats that have buttons; a twin's first match has few, whatever is simulated."""
        wired = min(self.board.seats, ALONE) if self.is_twin else self.board.seats
        return max(wired, usb_seats(self.usb))


def make_plan(
    wished: RunOptions, folder: Path, here: TablePlaces, how: Start, place: StatePlace, *, has_played: bool
) -> Plan:
    """Decide what the table drives and reads, from what is wired, configured and chosen."""
    left = unused_sentences(here.configuration, here.state)
    configured = TableSettings() if left else settings_in(here.configuration)
    choice = effective_settings(configured, here.state, languages())
    gone, settings = () if left else gone_in(here.configuration), choice.settings
    told = complain((*left, *map(problem_text, (*gone, *choice.told))))
    told = (*how.told, *went_back_sentences(here.state), *told)
    is_twin = wished.twin or not is_raspberry()
    if is_twin:
        chosen = simulated_board(wished.profile, settings.board, with_defaults=how.with_defaults)
    else:
        wired = wired_at_start(here.state, first_profile(settings.board), has_played=has_played)
        named = named_board(wished.profile, settings.board, wired)
        chosen = board_at_start(named, settings.board, with_defaults=how.with_defaults)
    if chosen.told:
        click.echo(str(chosen.told), err=True)
    if not is_twin:
        # lgpio makes a file in the folder that it works in
        os.environ.setdefault("LG_WD", str(folder))
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    factory, usb = SimulatedPins() if is_twin else None, KEPT_BUTTONS.read(here.state)
    how, board = replace(how, told=told), chosen.board
    return Plan(settings, board, is_twin, factory, folder, place, how, chosen.wired, chosen.told, usb)


def home_of(plan: Plan) -> Home:
    camera = plan.settings.camera
    file = plan.folder / FOUND_TABLE if plan.is_twin else state_directory() / FOUND_TABLE
    return file, lambda layout, parting: divide_table(layout, parting, camera.apart, mat=camera.mat)


def zones_of(plan: Plan, parting: TableLayout) -> Zones:
    file, parted = home_of(plan)
    return parted(load_layout(file), parting)


def camera_of(plan: Plan, wished: RunOptions) -> str:
    """Name the camera: the one that is wished for, or configured; the twin has its own."""
    return f"live:{plan.folder / DRAWN}" if plan.is_twin else wished.camera or plan.settings.camera.name


def sound_at(plan: Plan) -> Sound:
    return sound_of(plan.settings.sound, preferred_language(), state_directory())
