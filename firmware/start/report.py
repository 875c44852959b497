"""The report of `coyote doctor --report`: facts about a real Raspberry Pi, in a file that a bench can replay.

It contains only the fields below. None identifies a person or a place: no names of people, computers or
networks, no addresses, serial numbers or paths.
"""

import fcntl
import os
import platform
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec
from msgspec import Meta, Struct

from firmware.cli.cameras import in_time, open_as_configured
from firmware.cli.output import STDOUT, write_output
from firmware.language.speaking import _
from firmware.services.checks import Finding, controllers, degrees, radios, read_of, throttle_flags
from firmware.services.power import run_command
from firmware.start.board_tries import BoardTries, PressTold, Seen
from firmware.storage.configuration import CameraSettings
from firmware.storage.wired_board import is_raspberry
from hardware.board.board import Board, our_boards
from vision.files import read_json
from vision.table.camera_facts import CameraFacts, Name, Plain, Told
from vision.table.camera_names import is_pi_camera
from vision.table.device_cameras import PiCamera
from vision.troubles import TroubleError

FORMAT: Literal[1] = 1
LARGEST = 2_000_000
"""Bytes of a report that are accepted."""

ListView = Annotated[tuple[Told, ...], Meta(max_length=20)]


class FindingTold(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding of `coyote doctor`; its text only if it can't name a person or a place."""

    part: Name
    state: Literal["well", "absent", "trouble"]
    told: Annotated[str, Meta(max_length=500)] = ""


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole report; missing fields are listed first."""

    format: Literal[1]
    absent: Annotated[tuple[Name, ...], Meta(max_length=50)]
    computer: Told
    packages: Told
    memory: Told
    """In kilobytes, from the kernel."""
    chips: ListView
    """The GPIO chips, with their permissions."""
    radios: ListView
    power: tuple[Told, Told]
    """Supply and temperature, before and after the other checks."""
    camera: CameraFacts | None
    camera_trouble: Name
    profile: Name
    board: Board | None
    presses: Annotated[tuple[PressTold, ...], Meta(max_length=50)]
    checklist: Annotated[dict[Name, Seen], Meta(max_length=50)]
    findings: Annotated[tuple[FindingTold, ...], Meta(max_length=200)]


def read_report(file: Path) -> Report:
    """Read an untrusted report. Raises OSError with the reason if it isn't one."""
    return read_json(file, Report, LARGEST)


def write_report(**parts: Any) -> bytes:
    """Return a report as indented JSON, with the list of missing fields."""
    told = {**parts, **parts["computer"], **parts["power"][1]}
    del told["camera_trouble"]
    absent = tuple(name for name, value in told.items() if value is None or value in ("", (), {}))
    report = Report(FORMAT, absent, **parts)
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


COMPUTERS = frozenset({"clock", "power", "temperature", "memory", "bounds", "radio", "pins"})
HARMLESS = COMPUTERS | {"lens", "markers", "spi", "buttons", "lamps"}
"""Parts whose findings never name a person or a place."""


def tell_finding(finding: Finding) -> FindingTold:
    """Return a finding without its remedy, which names folders, and without text that may name a person."""
    told = str(finding.told)
    is_size = finding.part == "camera" and re.fullmatch(r"\d+x\d+", told) is not None
    is_harmless = is_size or finding.part in HARMLESS
    return FindingTold(finding.part, finding.state, told[:500] if is_harmless else "")


# the computer

KERNEL_WORD = re.compile(
    r"(?:cgroup_(?:disable|enable|memory)|cma|coherent_pool|console|consoleblank|dwc_otg\.lpm_enable|fsck\.repair"
    r"|numa|numa_policy|psi|quiet|rfkill\.default_state|rootfstype|rootwait|splash|swiotlb"
    r"|snd_bcm2835\.enable_\w{1,20})(?:=[\w,.:@-]{0,24})?",
    re.ASCII,
)
"""Kernel options that are reported; others are only counted."""
PYTHONS = ("gpiozero", "lgpio", "picamera2", "opencv-python-headless", "opencv-python", "numpy", "coyote-table")
DEBIANS = ("gpiozero", "lgpio", "picamera2", "libcamera", "opencv")
SYSTEMS = (*(f"python3-{name}" for name in DEBIANS), "libcamera-ipa", "raspi-firmware", "rpi-eeprom")
MEMORY = ("MemTotal", "MemAvailable", "SwapTotal", "CmaTotal", "CmaFree")
CHIP_INFO, CHIP_BYTES = 0x8044B401, 68
"""The request of linux/gpio.h for a chip's name, label and number of lines, and its size in bytes."""


def computer_facts(root: Path = Path("/")) -> Mapping[str, Any]:
    """Return the report's fields about the computer; missing facts are empty."""
    proc, words = root / "proc", read_of(root / "proc/cmdline").split()
    kept, revision = (
        tuple(filter(KERNEL_WORD.fullmatch, words))[:16],
        proc / "device-tree/system/linux,revision",
    )
    computer: dict[str, Plain] = {
        "model": _found(r"Raspberry Pi [\w .+-]{1,60}", proc / "device-tree/model"),
        "revision": revision.read_bytes().hex().lstrip("0")[:80] if revision.exists() else "",
        "command_line": kept,
        "words_left_out": len(words) - len(kept),
        "system": _found(r'(?<=PRETTY_NAME=")[\w ./()+-]{1,60}', root / "etc/os-release"),
        "image": _found(r"\d{4}-\d\d-\d\d", root / "etc/rpi-issue"),
        "kernel": platform.release()[:80],
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "cgroups": controllers(root)[:16],
    }
    memory = re.findall(r"^(\w+): +(\d+) kB$", read_of(proc / "meminfo"), re.MULTILINE)
    return {
        "computer": computer,
        "packages": _packages(),
        "memory": {name: int(value) for name, value in memory if name in MEMORY},
        "chips": tuple(map(_chip, sorted((root / "dev").glob("gpiochip[0-9]*")))),
        "radios": radios(root),
    }


def power_facts(root: Path = Path("/")) -> Told:
    monitors = (root / "sys/class/hwmon").glob("hwmon*")
    low = [_found(r"\d", each / "in0_lcrit_alarm") for each in monitors if "rpi_volt" in read_of(each / "name")]
    return {
        "throttled": throttle_flags(),
        "under_voltage": "".join(low[:1]),
        "degrees": degrees(root / "sys/class/thermal/thermal_zone0/temp"),
    }


def _packages() -> Told:
    found: Told = {}
    for name in PYTHONS:
        with suppress(PackageNotFoundError):
            found[name] = version(name)[:80]
    if (program := shutil.which("dpkg-query")) is not None:
        # exits with 1 if a package isn't installed
        asked = [program, "-W", "-f", "${Package} ${Version}\\n", *SYSTEMS]
        found |= dict(re.findall(r"^(\S+) (\S{1,80})$", run_command(asked).stdout, re.MULTILINE))
    return found


def _chip(device: Path) -> Told:
    named: Told = {"name": device.name, "leads_to": device.readlink().name if device.is_symlink() else ""}
    told, group = bytes(CHIP_BYTES), ""
    if not device.exists():
        # a dangling link
        return named
    mode = f"{device.stat().st_mode & 0o777:o}"
    with suppress(KeyError):
        group = device.group()
    with suppress(OSError), device.open("rb", buffering=0) as opened:
        told = fcntl.ioctl(opened, CHIP_INFO, told)
    return named | {
        "label": told[32:64].rstrip(b"\0").decode("ascii", "replace"),
        "lines": int.from_bytes(told[64:], "little"),
        "mode": mode,
        "group": group if group in {"root", "gpio", "dialout"} else "another",
        "is_ours": os.access(device, os.R_OK | os.W_OK),
    }


def _found(pattern: str, file: Path) -> str:
    found = re.search(pattern, read_of(file), re.ASCII)
    return found[0] if found else ""


# collecting the facts


class Draft:
    """The facts that `coyote doctor` collects, with or without a report."""

    def __init__(self, *, is_wanted: bool, is_alone: bool) -> None:
        # without a terminal, nobody tries the board
        self.is_wanted, self.is_alone = is_wanted, is_alone
        self.found, self.tries = list[Finding](), BoardTries()
        self.camera: CameraFacts | None = None
        self.camera_trouble, self.profile = "not tried", ""
        self.board: Board | None = None

    def note_board(self, name: str, board: Board) -> None:
        self.profile, self.board = name if our_boards().get(name) == board else "own", board

    def look(self, camera: str, sight: CameraSettings) -> None:
        """Collect facts about the Raspberry Pi's camera in the table's mode, even if it gives no picture."""
        self.camera_trouble = "" if is_pi_camera(camera) else "not the Pi's own"
        if self.camera_trouble or not self.is_wanted:
            return
        try:
            source = open_as_configured(camera, sight)
            self.camera = in_time(partial(_facts_of, source), camera) if isinstance(source, PiCamera) else None
        except TroubleError as error:
            self.camera_trouble = error.problem.key


def _facts_of(source: PiCamera) -> CameraFacts:
    with closing(source):
        return source.facts()


@contextmanager
def reporting(file: Path, draft: Draft) -> Iterator[None]:
    """Write the report at once, to fail early, and again at the end, also after an error."""
    computer, before = computer_facts(), power_facts()

    def write() -> None:
        report = write_report(
            **computer,
            power=(before, power_facts()),
            camera=draft.camera,
            camera_trouble=draft.camera_trouble,
            profile=draft.profile,
            board=draft.board,
            presses=tuple(draft.tries.presses),
            checklist=draft.tries.seen,
            findings=tuple(map(tell_finding, draft.found)),
        )
        write_output(file, report)

    if file != STDOUT:
        write()
    try:
        yield
        if not draft.is_alone and is_raspberry():
            draft.tries.remember()
    finally:
        write()
        if file != STDOUT:
            told = _("{file} is written. Please attach it to a new issue on the project's page.")
            click.echo(told.format(file=file), err=True)
