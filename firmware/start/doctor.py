"""`coyote doctor`: check all parts of a table. Prints a line for each finding, with a remedy for a fault."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from errno import EACCES
from itertools import chain
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from firmware.board.inputs.buttons import Buttons
from firmware.board.inputs.usb_buttons import InputDevices, PluggedIn
from firmware.board.outputs.drivers import DEVICES, FILES
from firmware.cli.board import board_here, choose_board
from firmware.cli.cameras import CENTIMETRE, height_text, open_as_configured, take_picture
from firmware.cli.output import FILE
from firmware.language.catalogues import languages
from firmware.language.speaking import _, problem_sentence, problem_text, say, trouble_sentence
from firmware.services.checks import (
    Finding,
    Here,
    absent,
    labelled,
    look_at,
    see,
    well,
    within,
    wrong,
    wrong_by,
)
from firmware.services.power import run_command
from firmware.start.report import Draft, reporting
from firmware.start.safe_start import misplaced, spoilt, unused_sentences
from firmware.state_folder import CHOSEN, FOUND_TABLE, JOURNAL, configuration_path, state_directory
from firmware.storage import configuration as config
from firmware.storage.found_table import load_layout
from firmware.storage.wired_board import KEPT_BUTTONS, NONE, is_raspberry
from firmware.table.notices import button_name
from hardware.board.board import DIGITS_SELECT, RING_SELECT, Board, BoardError, LedRing, Trouble
from hardware.board.usb_box import UsbButtonList, seats_on, usb_boxes, which_is_which
from vision.pictures import Picture
from vision.table.calibration import calibrate
from vision.table.device_cameras import is_pi_camera
from vision.table.framing import denied_by_size, frame_picture, lens_for, sight_problems, tell_move
from vision.table.optics import better_camera, heights
from vision.table.plates import Millimetres
from vision.table.values import Optics
from vision.troubles import Problem, TroubleError

REPORT = Path("coyote-report.json")


@click.command(
    help=_("""Look at everything: camera, markers, buttons, lamps, sound, disk, clock, packages, power.

    Each finding is a line; what is wrong has its remedy, and ends this with 1. What a laptop doesn't have is
    absent, and no fault. Buttons and lamps are tried one by one, if the command is run at a terminal.

    --report writes what only a real Raspberry Pi can tell, and what you see of it, into one file for those who
    make the program. It names no person, place, network or computer.""")
)
@click.option("--board", "profile", metavar="PROFILE", help=_("The board, if not the usual one."))
@click.option("--camera", help=_("The camera, if not the usual one."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object."))
@click.option("--report", "is_report", is_flag=True, help=_("Write a report, too."))
@click.option(
    "-o",
    "--output",
    "file",
    type=FILE,
    default=REPORT,
    metavar="FILE",
    help=_("Where to write the report, instead of {file} here.").format(file=REPORT),
)
@click.pass_context
def doctor(
    context: click.Context,
    /,
    profile: str | None,
    camera: str | None,
    file: Path,
    *,
    as_json: bool,
    is_report: bool,
) -> None:
    here, configured = _read_settings(configuration_path(), state_directory())
    draft = Draft(is_wanted=is_report, is_alone=as_json or not sys.stdin.isatty())
    with reporting(file, draft) if is_report else nullcontext():
        for finding in chain(configured, look_around(here, profile, camera, draft)):
            draft.found.append(finding)
            if not as_json:
                click.echo(finding.line())
    if as_json:
        rows = [finding.row() for finding in draft.found]
        click.echo(msgspec.json.encode({"findings": rows}).decode())
    if any(finding.state == "trouble" for finding in draft.found):
        context.exit(1)


def look_around(here: Here, profile: str | None, camera: str | None, draft: Draft) -> Iterator[Finding]:
    eyes = here.settings.camera.name
    yield from look_at(here)
    aside = say("start the table, which sets it aside")
    spoilt_things = chain(misplaced(here.state, here.journal), spoilt(here.state))
    yield from see("folder", lambda: (wrong(told, aside) for _path, told in spoilt_things))
    yield from see("camera", lambda: sight(camera or eyes, here, draft, is_named=camera is not None))
    yield from see("camera", frame_findings)
    yield from see("board", lambda: _board(profile, here, draft))
    yield from see("usb", lambda: usb_findings(KEPT_BUTTONS.read(here.state), InputDevices()))


def _read_settings(file: Path, state: Path) -> tuple[Here, tuple[Finding, ...]]:
    settings, part = config.TableSettings(), "configuration"
    found = tuple(wrong_by(told, part) for told in unused_sentences(file, state))
    try:
        # an ignored configuration is read too, for the line of its mistake
        written = config.settings_in(file) if config.may_read(file) else settings
        usual = settings if found else written
        settings = config.merge_choice(usual, config.read_choice(state), str(state / CHOSEN), languages())
    except config.SettingsError as error:
        remedy = say("put that line right")
        found = tuple(wrong(problem_text(mistake), remedy, part) for mistake in error.mistakes)
    told = str(file) if file.exists() else say("as it comes")
    return Here(state, state_directory() / JOURNAL, settings), found or (well(told, part),)


# camera and markers


def sight(camera: str, here: Here, draft: Draft, *, is_named: bool) -> Iterator[Finding]:
    if is_pi_camera(camera) and not is_named and not is_raspberry():
        draft.camera_trouble = "no Raspberry Pi"
        yield absent(say("no Raspberry Pi here: the table is simulated"))
        return
    settings = here.settings.camera
    draft.look(camera, settings)
    try:
        picture, optics = take_picture(open_as_configured(camera, settings), camera)
    except TroubleError as error:
        yield wrong_by(problem_text(error.problem))
        return
    if picture is None:
        yield wrong_by(problem_text(Problem("over", {"camera": camera})))
        return
    yield well(f"{picture.shape[1]}x{picture.shape[0]}")
    apart = load_layout(here.state / FOUND_TABLE).apart or settings.apart
    if optics is not None:
        yield lens(lens_for(optics, (picture.shape[1], picture.shape[0])), apart, picture)
    problems = sight_problems(picture, optics, apart)
    yield from (wrong_by(problem_text(problem), "markers") for problem in problems)
    if not problems:
        yield fit(picture, apart)


def fit(picture: Picture, apart: Millimetres) -> Finding:
    """Return how well the four corner markers fit their distances."""
    if seen := denied_by_size(picture, apart):
        (across, down), (wide, high) = map(round, seen), map(round, apart)
        told = say(
            "they lie about {seen} mm apart, not {apart}", seen=f"{across} x {down}", apart=f"{wide} x {high}"
        )
        return wrong(told, say("find the table on the host's page, or by coyote table calibrate"), "markers")
    found = calibrate(picture, apart)
    residual = 0.0 if found is None else found.residual
    return well(say("all four; they fit within {residual:.1f} mm", residual=residual), "markers")


def lens(optics: Optics, apart: Millimetres, picture: Picture) -> Finding:
    between = height_text(optics, apart)
    if heights(optics, apart) is None:
        better = better_camera(optics, apart)
        closer = say("lay the plates closer together")
        if better is not None:
            closer = say("take a {camera}, or lay the plates closer together", camera=better.name)
        return wrong(labelled(optics.name, between), closer, "lens")
    framing = frame_picture(picture, optics, apart)
    move = next((each for each in framing.moves if each.way in {"raise", "lower"}), None)
    if move is None or framing.pose is None:
        return well(say("{told} cm above the table", told=labelled(optics.name, between)), "lens")
    told = say(
        "it hangs {height} cm above the table, and belongs {between} cm above it",
        height=round(framing.pose.height / CENTIMETRE),
        between=between,
    )
    return wrong(labelled(optics.name, told), within(problem_sentence(tell_move(move))), "lens")


# the board


def _board(typed: str | None, here: Here, draft: Draft) -> Iterator[Finding]:
    wired = board_here(typed, here.settings.board, here.state)
    if wired.profile == NONE:
        yield absent(say("none: phones say all"))
        return
    if is_raspberry() and not wired.profile:
        told = say("the wired board isn't chosen yet: no pin is driven")
        yield wrong(told, say("say it: coyote table board"))
        return
    name, board = choose_board(wired.profile or None, here.settings.board.own_profiles)
    if wired.profile:
        draft.note_board(name, board)
    if board.dial is None:
        yield absent(say("no dial: targets, cards and numbers are said on a phone"))
    if not is_raspberry():
        yield absent(say("no Raspberry Pi here: its pins are simulated"))
        return
    try:
        buttons = Buttons(board, draft.tries.hear)
    except BoardError as error:
        is_busy = error.trouble.key == "no pin"
        remedy = say("end the table: systemctl stop coyote") if is_busy else say("see what it says")
        yield wrong(trouble_sentence(error.trouble), remedy)
        return
    with closing(buttons):
        yield well(name)
        yield from _try_board(board, buttons, draft)


def _try_board(board: Board, buttons: Buttons, draft: Draft) -> Iterator[Finding]:
    """Report held buttons, then try the board at a terminal, without lamps that can't be driven."""
    for key in buttons.held:
        told = say("{button} is down", button=button_name(key))
        yield wrong(told, say("let it go, or look for wires that touch"), "buttons")
    on_spi = tuple(spi_findings(board))
    yield from on_spi
    if draft.is_alone:
        yield absent(say("not tried: this isn't run at a terminal"), part="buttons")
        return
    if any(each.state == "trouble" for each in on_spi):
        board = replace(board, lamps=None, max7219=None)
    yield from draft.tries.try_board(board)
    if draft.is_wanted:
        yield from draft.tries.watch(board)


def spi_findings(board: Board, devices: Path = DEVICES) -> Iterator[Finding]:
    selects = ((RING_SELECT, isinstance(board.lamps, LedRing)), (DIGITS_SELECT, board.max7219 is not None))
    for file in (devices / FILES[select] for select, is_used in selects if is_used):
        if not file.exists():
            yield wrong_by(str(trouble_sentence(Trouble("no spi", {"file": str(file)}))), "spi")
        elif not os.access(file, os.W_OK):
            refused = Trouble("spi refused", {"file": str(file), "why": os.strerror(EACCES)})
            yield wrong_by(str(trouble_sentence(refused)), "spi")
        else:
            yield well(str(file), "spi")


def usb_findings(buttons: UsbButtonList, inputs: InputDevices) -> Iterator[Finding]:
    plugged_in = PluggedIn(inputs)
    there = set(which_is_which(usb_boxes(buttons), plugged_in.look().values()).values())
    for box in usb_boxes(buttons):
        told = say("{box}, seats {seats}", box=box.name, seats=seats_on(box, buttons))
        if box in there:
            yield well(told)
        else:
            remedy = say("let this user into the group input") if plugged_in.is_denied else say("plug it in")
            yield wrong(told, remedy)


# frames lost since the computer started, as with a loose cable or one that is too long


LOST = r"frontend has timed out|Dequeue timer of|uvcvideo.*Non-zero status"
"""Log lines of libcamera, and of the kernel for a USB camera."""
SLOWEST = 20
"""Seconds for reading the system's log."""


def frame_findings() -> Iterator[Finding]:
    asked = ["journalctl", "--boot", "--quiet", "--no-pager", "--output=cat", f"--grep={LOST}"]
    if count := len(re.findall(LOST, run_command(asked, seconds=SLOWEST).stdout)):
        told = say("frames were lost since the computer started: {count} notes in the journal", count=count)
        yield wrong(told, say("push its cable in at both ends; a flat one is 50 cm at most"))
