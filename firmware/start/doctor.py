"""`coyote doctor`: is everything there and well? Each finding is a line, and what is wrong has its remedy."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Literal

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.input_devices import InputDevices
from firmware.board.senses.plugged_in import Inputs, PluggedIn
from firmware.board.voices.drivers import SeatLamps, lamps_of
from firmware.board.voices.loudspeakers import UsedLoudspeaker
from firmware.board.voices.patterns import Light
from firmware.board.voices.speech import espeak_trouble
from firmware.board.voices.spi import DEVICES, FILES
from firmware.board_events import Edge
from firmware.cli.board import choose_board
from firmware.cli.cameras import CENTIMETRE, height_text
from firmware.language.board_troubles import trouble_text as board_said
from firmware.language.catalogues import languages
from firmware.language.lamp_checks import lamp_checks, lamp_name
from firmware.language.speaking import _, label_text, later
from firmware.language.troubles import error_text
from firmware.language.troubles import problem_text as sight_said
from firmware.parts.addresses import address
from firmware.parts.settings import same_camera_sentences
from firmware.parts.table_sound import loudspeaker_in_use
from firmware.start.board_at_start import named_board
from firmware.start.pi_packages import PiPackage, Source, pi_packages
from firmware.start.ports import PORT, table_port
from firmware.start.safe_start import left_out_sentences
from firmware.start.starting import is_raspberry
from firmware.state_folder import CHOSEN, state_directory
from firmware.storage.chosen import merge_choice, read_choice
from firmware.storage.configuration import (
    BoardSettings,
    CameraSettings,
    SettingsError,
    TableSettings,
    settings_in,
)
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly
from firmware.storage.memory import chosen_thrift, total_memory
from firmware.storage.places import configuration_path, journal_path
from firmware.storage.state_moving import older_folders, things_in
from firmware.storage.usb_buttons import read_usb_buttons
from firmware.storage.wired_board import NONE, WiredBoard, read_wired_board
from firmware.table.notices import button_name
from firmware.updates.service_folders import other_owner, service_state
from hardware.board.board import Board, Key, LedRing, keys
from hardware.board.header import DIGITS_SELECT, RING_SELECT
from hardware.board.lamps import all_lamps
from hardware.board.troubles import BoardError
from hardware.board.usb_box import UsbButtonList, seats_on, usb_boxes, which_is_which
from vision.table.calibration import NEEDED, Picture, Plates, calibrate, problems
from vision.table.camera import WARM
from vision.table.device_cameras import is_live, is_pi_camera, open_camera
from vision.table.framing import frame_picture, lens_for
from vision.table.optics import AIM, Millimetres, Optics, heights
from vision.table.thrift import SMALL
from vision.troubles import TroubleError

ROOM = 300_000_000
"""Bytes that have to be free: a season's journal, and the pictures that rulings rest on."""
HOT = 80.0
"""Degrees from which on a Pi slows itself down."""
BUILT = 2026
"""No clock is right that shows an earlier year."""
TURN = 20.0
"""Seconds to press a button in."""
WITH_NUMPY = ("cv2", "simplejpeg")
"""Packages that were built for one numpy, and fail with another."""

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
    "camera": _("camera"),
    "second camera": _("second camera"),
    "lens": _("lens"),
    "markers": _("markers"),
    "board": _("board"),
    "spi": "SPI",
    "usb": _("USB buttons"),
    "buttons": _("buttons"),
    "lamps": _("lamps"),
}

SOURCES: Mapping[Source, str] = {
    "none": later("{name} isn't installed, neither in the system nor in this environment"),
    "system": later("{name} {version} of the system ({place}), as this environment has none of its own"),
    "environment": later("{name} {version} of this environment ({place}), which comes before the system's"),
}
"""What is used for camera and pins, and why."""

State = Literal["well", "absent", "trouble"]


class Finding(Struct, frozen=True):
    """What was found out about a part; trouble has its remedy."""

    part: str
    state: State
    told: str
    remedy: str = ""


@click.command(
    "doctor",
    help=_("""Look at everything: camera, markers, buttons, lamps, sound, disk, clock, packages, power.

    Each finding is a line; what is wrong has its remedy, and ends this with 1. What a laptop doesn't have is
    absent, and no fault. Buttons and lamps are tried one by one, if the command is run at a terminal."""),
)
@click.option("--board", "profile", metavar="PROFILE", help=_("The board, if not the usual one."))
@click.option("--camera", help=_("The camera, if not the usual one."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object."))
@click.pass_context
def doctor(context: click.Context, /, profile: str | None, camera: str | None, *, as_json: bool) -> None:
    """Look at everything."""
    found: list[Finding] = []
    for finding in _findings(profile, camera, is_alone=as_json or not sys.stdin.isatty()):
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


def _findings(profile: str | None, camera: str | None, *, is_alone: bool) -> Iterator[Finding]:
    file, state = configuration_path(os.environ), state_directory(os.environ)
    settings, mistakes = _settings(file, state)
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
        "camera": lambda: sight(camera or eyes, settings, is_named=camera is not None),
        "second camera": lambda: second_sight(settings),
        "board": lambda: _board(profile, board, state, is_alone=is_alone),
        "usb": lambda: usb_findings(read_usb_buttons(state), InputDevices()),
    }
    for part, find in parts.items():
        yield from part_findings(part, find)


def part_findings(part: str, find: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Look at a part; an unforeseen error there is a finding too, so that the other parts are looked at."""
    try:
        yield from find()
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
        choice = state / CHOSEN
        return merge_choice(
            TableSettings() if left else settings_in(file), read_choice(choice), str(choice), languages()
        ), left
    except SettingsError as error:
        return TableSettings(), tuple(map(sight_said, error.mistakes))


# the machine


def packages() -> Iterator[Finding]:
    """Load what was built for one numpy, each in a process of its own: what doesn't fit may crash."""
    for name in WITH_NUMPY:
        loaded = _import_trouble(name)
        if "No module named" in loaded:
            if name == "cv2" or is_raspberry():
                told = _("{name} isn't installed").format(name=name)
                yield Finding("packages", "trouble", told, _("start ./run again: it installs what is missing"))
            continue
        remedy = _("reinstall it beside this numpy: pip install --force-reinstall {name}").format(name=name)
        if loaded:
            yield Finding("packages", "trouble", label_text(name, loaded), remedy)
        else:
            yield Finding("packages", "well", _("{name} and numpy agree").format(name=name))


def of_the_pi(found: Iterable[PiPackage]) -> Iterator[Finding]:
    """Say which packages for camera and pins are used, and why those."""
    for each in found:
        told = _(SOURCES[each.source]).format(name=each.name, version=each.version, place=each.place)
        if each.source == "none":
            yield Finding("packages", "trouble", told, _("start ./run at a terminal, and say yes"))
        else:
            yield Finding("packages", "well", told)


def _import_trouble(name: str) -> str:
    """Load a package elsewhere; say in a line what goes wrong."""
    program = [sys.executable, "-P", "-c", f"import numpy, {name}"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    return (done.stderr.strip().splitlines() or [f"{done.returncode}"])[-1] if done.returncode else ""


def folders(state: Path, home: Path) -> Iterator[Finding]:
    """Say where the table's things are looked for, and where else some lie."""
    owner = other_owner()
    if state == service_state():
        yield Finding("folder", "well", _("{folder}, as the service").format(folder=state))
    elif owner is not None:
        told = _("{folder}; but the table of this machine is {owner}'s").format(folder=state, owner=owner)
        yield Finding("folder", "trouble", told, f"sudo -u {owner} {shlex.join(sys.argv)}")
    else:
        yield Finding("folder", "well", str(state))
    for older in older_folders(home):
        if older != state and (names := ", ".join(sorted(things_in(older)))):
            told = _("not used, in {folder}: {names}").format(folder=older, names=names)
            remedy = _("table service moves what has no place there yet")
            yield Finding("folder", "absent", told, remedy)


def disk(folder: Path) -> Iterator[Finding]:
    """See whether there is room, and whether it may be used."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir():
        told = _("{folder} is no folder").format(folder=there)
        yield Finding("disk", "trouble", told, _("move it somewhere else: the table makes the folder"))
    if not os.access(there, os.W_OK):
        told = _("{folder} can't be written to").format(folder=there)
        yield Finding("disk", "trouble", told, _("give it to yourself: sudo chown"))
    free = shutil.disk_usage(there).free
    told = _("{free} MB free in {folder}").format(free=free // 1_000_000, folder=there)
    state: State = "well" if free >= ROOM else "trouble"
    yield Finding("disk", state, told, _("make room, or take a larger card") if free < ROOM else "")


def journal(file: Path) -> Finding:
    """Read the journal, if there is one."""
    if not file.exists() or file.stat().st_size == 0:
        return Finding("journal", "absent", _("none yet; it begins with the first match"))
    try:
        with open_readonly(file) as opened:
            count = len(opened.matches())
    except JournalError as error:
        return Finding("journal", "trouble", error_text(error), _("start the table: it mends what it can"))
    return Finding("journal", "well", _("matches: {count}").format(count=count))


def network(where: str) -> Finding:
    """See whether phones can come."""
    if "127.0.0.1" in where:
        told = _("none: phones can't come; coyote table wifi makes one")
        return Finding("network", "absent", told)
    return Finding("network", "well", where)


def clock(year: int) -> Finding:
    """See whether the clock can be right."""
    if year < BUILT:
        return Finding("clock", "trouble", str(year), _("let it into a network once, or set it: sudo date -s"))
    return Finding("clock", "well", str(year))


def power() -> Iterator[Finding]:
    """See how warm the machine is, and whether its supply is strong enough; both are told on a Pi."""
    zone = Path("/sys/class/thermal/thermal_zone0/temp")
    if zone.exists():
        yield warmth(int(zone.read_text(encoding="ascii")) / 1000)
    told = _throttle_flags()
    yield Finding("power", "absent", _("told on a Raspberry Pi only")) if told is None else supply(told)


def warmth(degrees: float) -> Finding:
    """Judge the temperature."""
    state: State = "well" if degrees < HOT else "trouble"
    return Finding(
        "temperature", state, f"{degrees:.0f} °C", "" if state == "well" else _("give it air, or a cooler")
    )


def supply(flags: int) -> Finding:
    """Judge what the firmware says of the supply: bit 0 too weak now, bit 16 too weak once since the start."""
    if flags & 1:
        return Finding("power", "trouble", _("the supply is too weak"), _("take the Pi's own supply and cable"))
    if flags & 1 << 16:
        told = _("the supply was too weak since the start")
        return Finding("power", "trouble", told, _("take the Pi's own supply and cable"))
    return Finding("power", "well", _("the supply is strong enough"))


def _throttle_flags() -> int | None:
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    done = subprocess.run([program, "get_throttled"], capture_output=True, text=True, check=False)  # noqa: S603
    _name, _equals, value = done.stdout.strip().partition("=")
    try:
        return int(value, 16)
    except ValueError:
        return None


def sound(used: UsedLoudspeaker | None, volume: int, *, is_table: bool) -> Finding:
    """See whether anything can be spoken and heard; a laptop need not."""
    silent = espeak_trouble()
    if silent is not None:
        return Finding("sound", "absent", board_said(silent))
    if used is not None and used.is_heard:
        return Finding("sound", "well", used.loudspeaker.name)
    if used is not None:
        told = _("{name}: whether something is plugged in can't be seen").format(name=used.loudspeaker.name)
        return Finding("sound", "absent", told, _("play a tune on the host's page, under Loudspeakers"))
    if not is_table or not volume:
        return Finding("sound", "absent", _("no loudspeaker"))
    return Finding("sound", "trouble", _("no loudspeaker"), _("plug one in, or set sound.volume to 0"))


def memory(total: int, small: bool | None) -> Finding:
    """Say how much memory there is, and what the camera's pictures make of it."""
    told = _("{total} MB").format(total=total // 1_000_000)
    if chosen_thrift(small) != SMALL:
        return Finding("memory", "well", told)
    words = _("pictures of the Pi's camera are three quarters as wide and high, fewer are held")
    return Finding("memory", "well", label_text(told, words))


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
    yield from _markers(picture, settings, NEEDED if optics is None else optics.needed)


def second_sight(settings: TableSettings) -> Iterator[Finding]:
    """Take a picture with the second camera, if there is one; it may hang aside, at any height."""
    second = settings.camera.second
    if second is None:
        yield Finding("second camera", "absent", _("none"))
        return
    if same := same_camera_sentences(settings.camera.name, second):
        yield Finding("second camera", "trouble", same[0], _("see what it says"))
        return
    for finding in sight(second, settings, is_named=False):
        if finding.part != "lens":
            yield replace(finding, part="second camera")


def lens(optics: Optics, apart: Millimetres, picture: Picture) -> Finding:
    """Say how high a lens belongs and whether it hangs there, or that it can't see a table so large."""
    told, between = label_text(optics.name, height_text(optics, apart)), heights(optics, apart)
    if between is None:
        return Finding("lens", "trouble", told, _("lay the plates closer together, or take another camera"))
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


def _markers(picture: Picture, settings: TableSettings, needed: float) -> Iterator[Finding]:
    across, down = (length / 2 for length in settings.camera.apart)
    plates = Plates(places=((-across, -down), (across, -down), (across, down), (-across, down)))
    wrong = problems(picture, None, plates, needed)
    for problem in wrong:
        told, _colon, remedy = sight_said(problem).partition(": ")
        yield Finding("markers", "trouble", told.rstrip(), remedy)
    if not wrong:
        found = calibrate(picture, plates)
        told = _("all four; they fit within {residual:.1f} mm")
        yield Finding("markers", "well", told.format(residual=0.0 if found is None else found.residual))


# the board


def _board(typed: str | None, settings: BoardSettings, state: Path, *, is_alone: bool) -> Iterator[Finding]:
    wired = named_board(typed, settings, read_wired_board(state) or WiredBoard())
    if wired.profile == NONE:
        yield Finding("board", "absent", _("none: phones say all"))
        return
    if is_raspberry() and not wired.profile:
        told = _("nobody has said which board is wired: no pin is driven")
        yield Finding("board", "trouble", told, _("say it: coyote table board"))
        return
    name, board = choose_board(wired.profile or None, settings.own_profiles)
    if board.dial is None:
        told = _("no dial: targets, cards and numbers are said on a phone")
        yield Finding("board", "absent", told)
    if not is_raspberry():
        yield Finding("board", "absent", _("no Raspberry Pi here: its pins are simulated"))
        return
    heard: SimpleQueue[Edge] = SimpleQueue()
    try:
        buttons = Buttons(board, heard.put)
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
        if is_alone:
            yield Finding("buttons", "absent", _("not tried: this isn't run at a terminal"))
        else:
            has_lamps = all(each.state == "well" for each in on_spi)
            yield from _try_board(board if has_lamps else replace(board, lamps=None), heard)
    finally:
        buttons.close()


def spi_findings(board: Board, devices: Path = DEVICES) -> Iterator[Finding]:
    """See whether the board's ring and digits can be written to."""
    selects = ((RING_SELECT, isinstance(board.lamps, LedRing)), (DIGITS_SELECT, board.max7219 is not None))
    for file in (devices / FILES[select] for select, is_used in selects if is_used):
        if not file.exists():
            told = _("{file} isn't there").format(file=file)
            remedy = _("switch SPI on: dtparam=spi=on in /boot/firmware/config.txt, then restart the computer")
            yield Finding("spi", "trouble", told, remedy)
        elif not os.access(file, os.W_OK):
            told = _("{file} can't be written to").format(file=file)
            yield Finding("spi", "trouble", told, _("let this user into the group spi"))
        else:
            yield Finding("spi", "well", str(file))


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
    """Name the buttons that are down before a press was asked for."""
    for key in buttons.held:
        told = _("{button} is down").format(button=button_name(key))
        yield Finding("buttons", "trouble", told, _("let it go, or look for wires that touch"))


def _try_board(board: Board, heard: "SimpleQueue[Edge]") -> Iterator[Finding]:
    for key in keys(board):
        click.echo(_("press: {button}").format(button=button_name(key)))
        yield _try_button(key, heard)
    lamps = lamps_of(board)
    if lamps is not None:
        try:
            yield from _try_lamps(board, lamps)
        finally:
            lamps.close()


def _try_button(key: Key, heard: "SimpleQueue[Edge]") -> Finding:
    """Wait for a press of one button; another one is named, as its wires are crossed."""
    until = monotonic() + TURN
    while monotonic() < until:
        try:
            edge = heard.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            break
        if not edge.is_down or edge.wire.role in {"a", "b"}:
            continue
        if edge.wire == key:
            return Finding("buttons", "well", button_name(key))
        told = _("{other} was heard instead of {button}")
        told = told.format(other=button_name(edge.wire), button=button_name(key))
        return Finding("buttons", "trouble", told, _("swap their wires: coyote print wiring"))
    told = _("{button} isn't heard").format(button=button_name(key))
    return Finding("buttons", "trouble", told, _("look at its two wires: coyote print wiring"))


def _try_lamps(board: Board, lamps: SeatLamps) -> Iterator[Finding]:
    """Light one lamp after the other, and ask."""
    for lamp in all_lamps(board):
        if lamp.seat is None:
            continue
        colour: Light = "red" if lamp.what == "red" else "green"
        lamps.show(tuple(colour if seat == lamp.seat else "" for seat in range(board.seats)))
        told = lamp_name(lamp)
        is_lit = click.confirm(_("Lit now? {lamp}").format(lamp=told), default=True)
        remedy = "" if is_lit else " ".join(lamp_checks(board, lamp))
        yield Finding("lamps", "well" if is_lit else "trouble", told, remedy)
