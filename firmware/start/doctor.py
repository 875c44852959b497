"""`coyote doctor`: is everything there and well? Each finding is a line, and what is wrong has its remedy."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from errno import EACCES
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.input_devices import InputDevices
from firmware.board.senses.plugged_in import Inputs, PluggedIn
from firmware.board.voices.spi import DEVICES, FILES
from firmware.cli.board import board_here, choose_board
from firmware.cli.cameras import CENTIMETRE, height_text
from firmware.cli.output import FILE
from firmware.language.board_troubles import trouble_text as board_said
from firmware.language.catalogues import languages
from firmware.language.speaking import _, label_text
from firmware.language.troubles import problem_text as sight_said
from firmware.parts.addresses import PORT, address, table_port
from firmware.parts.table_sound import loudspeaker_in_use
from firmware.start.board_tries import BoardTries
from firmware.start.machine import (
    Finding,
    bounds,
    clock,
    disk,
    folders,
    journal,
    memory,
    network,
    of_the_pi,
    packages,
    pi_packages,
    pins,
    power,
    radio,
    sound,
)
from firmware.start.reporting import reporting
from firmware.start.safe_start import left_out_sentences
from firmware.state_folder import CHOSEN, state_directory
from firmware.storage.configuration import (
    BoardSettings,
    CameraSettings,
    SettingsError,
    TableSettings,
    merge_choice,
    read_choice,
    settings_in,
)
from firmware.storage.eyes_settings import chosen_thrift, total_memory
from firmware.storage.places import configuration_path, journal_path
from firmware.storage.wired_board import KEPT_BUTTONS, MODEL, NONE, is_raspberry
from firmware.table.notices import button_name
from hardware.board.board import Board, BoardError, LedRing
from hardware.board.header import DIGITS_SELECT, RING_SELECT
from hardware.board.usb_box import UsbButtonList, seats_on, usb_boxes, which_is_which
from vision.table.calibration import calibrate
from vision.table.camera import WARM
from vision.table.device_cameras import is_live, is_pi_camera, open_camera
from vision.table.framing import frame_picture, lens_for, sight_problems
from vision.table.optics import AIM, Millimetres, Optics, better_camera, heights
from vision.table.plates import Picture, Plates
from vision.troubles import TroubleError

REPORT = Path("coyote-report.json")

PARTS: Mapping[str, str] = {
    "configuration": _("configuration"),
    "packages": _("packages"),
    "folder": _("folder"),
    "disk": _("disk"),
    "journal": _("journal"),
    "clock": _("clock"),
    "temperature": _("temperature"),
    "power": _("power"),
    "network": _("network"),
    "sound": _("sound"),
    "memory": _("memory"),
    "bounds": _("bounds"),
    "radio": _("Wi-Fi"),
    "pins": _("pins"),
    "camera": _("camera"),
    "lens": _("lens"),
    "markers": _("markers"),
    "board": _("board"),
    "spi": "SPI",
    "usb": _("USB buttons"),
    "buttons": _("buttons"),
    "lamps": _("lamps"),
}


@click.command(
    "doctor",
    help=_("""Look at everything: camera, markers, buttons, lamps, sound, disk, clock, packages, power.

    Each finding is a line; what is wrong has its remedy, and ends this with 1. What a laptop doesn't have is
    absent, and no fault. Buttons and lamps are tried one by one, if the command is run at a terminal.

    --report writes what only a real Raspberry Pi can tell, and what you see of it, into one file for those who
    make the program. It names no person, place, network or computer."""),
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
    """Look at everything."""
    is_alone, tries = as_json or not sys.stdin.isatty(), BoardTries()
    read = settings, _mistakes = _settings(configuration_path(os.environ), state_directory(os.environ))
    written: AbstractContextManager[list[Finding]] = nullcontext([])
    if is_report:
        written = reporting(file, (profile, camera), settings, tries, is_alone=is_alone)
    with written as found:
        for finding in _findings((profile, camera), read, tries, is_alone=is_alone, is_report=is_report):
            found.append(finding)
            if not as_json:
                click.echo(_line(finding))
    if as_json:
        click.echo(msgspec.json.encode({"findings": found}).decode())
    if any(finding.state == "trouble" for finding in found):
        context.exit(1)


def _line(finding: Finding) -> str:
    mark = {"well": "+", "absent": "-", "trouble": "!"}[finding.state]
    remedy = f" -> {finding.remedy}" if finding.remedy else ""
    return f"{mark} {label_text(PARTS[finding.part], finding.told)}{remedy}"


def _findings(
    typed: tuple[str | None, str | None],
    read: tuple[TableSettings, tuple[str, ...]],
    tries: BoardTries,
    *,
    is_alone: bool,
    is_report: bool,
) -> Iterator[Finding]:
    file, state = configuration_path(os.environ), state_directory(os.environ)
    (profile, camera), (settings, mistakes) = typed, read
    for mistake in mistakes:
        yield Finding("configuration", "trouble", mistake, _("put that line right"))
    if not mistakes:
        yield Finding("configuration", "well", str(file) if file.exists() else _("as it comes"))
    eyes, board = settings.camera.name, settings.board
    parts: Mapping[str, Callable[[], Iterable[Finding]]] = {
        "packages": lambda: (*packages(), *of_the_pi(pi_packages() if is_raspberry() else ())),
        "folder": lambda: folders(state, Path.home()),
        "disk": lambda: disk(state),
        "journal": lambda: [journal(journal_path(os.environ))],
        "clock": lambda: [clock(datetime.now(UTC).year)],
        "power": power,
        "network": lambda: [network(address(table_port() or PORT))],
        "sound": lambda: [sound(loudspeaker_in_use(state), settings.sound.volume, is_table=is_raspberry())],
        "memory": lambda: [memory(total_memory(), settings.camera.small)],
        "bounds": lambda: [bounds()] if is_raspberry() else (),
        "radio": lambda: [radio()],
        "pins": lambda: [pins(_model())] if MODEL.exists() and is_raspberry() else (),
        "camera": lambda: sight(camera or eyes, settings, is_named=camera is not None),
        "board": lambda: _board(profile, board, state, None if is_alone else tries, is_watched=is_report),
        "usb": lambda: usb_findings(KEPT_BUTTONS.read(state), InputDevices()),
    }
    for part, find in parts.items():
        yield from part_findings(part, find)


def _model() -> str:
    return MODEL.read_text(encoding="utf-8", errors="replace")


def part_findings(part: str, find: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Look at a part; an unforeseen error there is a finding too, so that the other parts are looked at."""
    try:
        yield from find()
    except click.Abort:
        raise
    except click.ClickException as error:
        yield Finding(part, "trouble", error.format_message(), _("put that right in the configuration"))
    except OSError as error:
        told = label_text(str(error.filename), str(error.strerror))
        yield Finding(part, "trouble", told, _("see what it says"))
    except Exception as error:  # noqa: BLE001 - whatever it is, a person wants to know of the other parts
        why = " ".join(str(error).split()) or type(error).__name__
        yield Finding(part, "trouble", why, _("see what it says"))


def _settings(file: Path, state: Path) -> tuple[TableSettings, tuple[str, ...]]:
    """Read the settings as a table would that starts now; and what is wrong with them."""
    try:
        left = left_out_sentences(file, state)
        settings = TableSettings() if left else settings_in(file)
        return merge_choice(settings, read_choice(state), str(state / CHOSEN), languages()), left
    except SettingsError as error:
        return TableSettings(), tuple(map(sight_said, error.mistakes))


# camera and markers


def sight(camera: str, settings: TableSettings, *, is_named: bool) -> Iterator[Finding]:
    """Take a picture, and look for the markers in it."""
    if is_pi_camera(camera) and not is_named and not is_raspberry():
        yield Finding("camera", "absent", _("no Raspberry Pi here: the table is simulated"))
        return
    try:
        picture, optics = _picture(camera, settings.camera)
    except TroubleError as error:
        yield Finding("camera", "trouble", sight_said(error.problem), _("see what it says"))
        return
    yield Finding("camera", "well", f"{picture.shape[1]}x{picture.shape[0]}")
    if optics is not None:
        yield lens(lens_for(optics, (picture.shape[1], picture.shape[0])), settings.camera.apart, picture)
    yield from _markers(picture, settings, optics)


def lens(optics: Optics, apart: Millimetres, picture: Picture) -> Finding:
    """Say how high a lens belongs and whether it hangs there, or that it can't see a table so large."""
    told, between = label_text(optics.name, height_text(optics, apart)), heights(optics, apart)
    if between is None:
        better = better_camera(optics, apart)
        remedy = (
            _("lay the plates closer together")
            if better is None
            else _("take a {camera}, or lay the plates closer together").format(camera=better.name)
        )
        return Finding("lens", "trouble", told, remedy)
    pose = frame_picture(picture, optics, apart).pose
    wrong = "" if pose is None else _wrong_height(pose.height, *between)
    if not wrong:
        return Finding("lens", "well", _("{told} cm above the table").format(told=told))
    remedy = _("hang it {between} cm above the table").format(between=height_text(optics, apart))
    return Finding("lens", "trouble", label_text(optics.name, wrong), remedy)


def _wrong_height(height: float, low: float, high: float) -> str:
    """Say why a height won't do; what is allowed for aiming is no fault yet."""
    least, most = low / AIM, high * AIM
    if height > most:
        words, limit = _("it hangs {height} cm high; above {limit} cm cards are too small to be read"), most
    elif height < least:
        words, limit = _("it hangs {height} cm high; below {limit} cm not all markers are seen"), least
    else:
        return ""
    return words.format(height=round(height / CENTIMETRE), limit=round(limit / CENTIMETRE))


def _picture(camera: str, sight: CameraSettings) -> tuple[Picture, Optics | None]:
    source = open_camera(camera, sight.mains, chosen_thrift(sight.small))
    try:
        shown = source.picture()
        for _number in range(WARM if is_live(camera) else 0):
            shown = source.picture()
        optics = source.optics()
    finally:
        source.close()
    if shown is None:
        raise TroubleError("over", camera=camera)
    return shown, optics


def _markers(picture: Picture, settings: TableSettings, optics: Optics | None) -> Iterator[Finding]:
    across, down = (length / 2 for length in settings.camera.apart)
    plates = Plates(places=((-across, -down), (across, -down), (across, down), (-across, down)))
    wrong = sight_problems(picture, optics, plates)
    yield from (_found_wrong("markers", sight_said(problem)) for problem in wrong)
    if not wrong:
        found = calibrate(picture, plates)
        told = _("all four; they fit within {residual:.1f} mm")
        yield Finding("markers", "well", told.format(residual=0.0 if found is None else found.residual))


# the board


def _board(
    typed: str | None, settings: BoardSettings, state: Path, tries: BoardTries | None, *, is_watched: bool
) -> Iterator[Finding]:
    wired = board_here(typed, settings, state)
    if wired.profile == NONE:
        yield Finding("board", "absent", _("none: phones say all"))
        return
    if is_raspberry() and not wired.profile:
        told = _("the wired board isn't chosen yet: no pin is driven")
        yield Finding("board", "trouble", told, _("say it: coyote table board"))
        return
    name, board = choose_board(wired.profile or None, settings.own_profiles)
    if board.dial is None:
        told = _("no dial: targets, cards and numbers are said on a phone")
        yield Finding("board", "absent", told)
    if not is_raspberry():
        yield Finding("board", "absent", _("no Raspberry Pi here: its pins are simulated"))
        return
    try:
        buttons = Buttons(board, (tries or BoardTries()).hear)
    except BoardError as error:
        is_busy = error.trouble.key == "no pin"
        remedy = _("end the table: systemctl stop coyote") if is_busy else _("see what it says")
        yield Finding("board", "trouble", board_said(error.trouble), remedy)
        return
    try:
        yield Finding("board", "well", name)
        yield from _stuck_buttons(buttons)
        on_spi = tuple(spi_findings(board))
        yield from on_spi
        if tries is None:
            yield Finding("buttons", "absent", _("not tried: this isn't run at a terminal"))
            return
        if not all(each.state == "well" for each in on_spi):
            board = replace(board, lamps=None, max7219=None)
        yield from tries.try_board(board)
        if is_watched:
            yield from tries.watch(board)
    finally:
        buttons.close()


def spi_findings(board: Board, devices: Path = DEVICES) -> Iterator[Finding]:
    """See whether the board's ring and digits can be written to."""
    selects = ((RING_SELECT, isinstance(board.lamps, LedRing)), (DIGITS_SELECT, board.max7219 is not None))
    for file in (devices / FILES[select] for select, is_used in selects if is_used):
        if not file.exists():
            yield _found_wrong("spi", board_said(BoardError("no spi", file=str(file)).trouble))
        elif not os.access(file, os.W_OK):
            refused = BoardError("spi refused", file=str(file), why=os.strerror(EACCES))
            yield _found_wrong("spi", board_said(refused.trouble))
        else:
            yield Finding("spi", "well", str(file))


def _found_wrong(part: str, sentence: str) -> Finding:
    """Part a sentence from the remedy that ends it."""
    told, _colon, remedy = sentence.partition(": ")
    return Finding(part, "trouble", told.rstrip(), remedy)


def usb_findings(buttons: UsbButtonList, inputs: Inputs) -> Iterator[Finding]:
    """See whether the boxes are plugged in whose buttons are known."""
    plugged_in = PluggedIn(inputs)
    there = set(which_is_which(usb_boxes(buttons), plugged_in.look().values()).values())
    for box in usb_boxes(buttons):
        told = _("{box}, seats {seats}").format(box=box.name, seats=seats_on(box, buttons))
        remedy = _("let this user into the group input") if plugged_in.is_denied else _("plug it in")
        is_there = box in there
        yield Finding("usb", "well" if is_there else "trouble", told, "" if is_there else remedy)


def _stuck_buttons(buttons: Buttons) -> Iterator[Finding]:
    for key in buttons.held:
        told = _("{button} is down").format(button=button_name(key))
        yield Finding("buttons", "trouble", told, _("let it go, or look for wires that touch"))
