"""What `coyote doctor` finds out about the machine itself: packages, folders, power, memory, radio, pins."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from msgspec import Struct

from firmware.board.voices.loudspeakers import UsedLoudspeaker
from firmware.board.voices.speech import espeak_trouble
from firmware.cli.first_boot import BOOT, MEMORY
from firmware.language.board_troubles import trouble_text as board_said
from firmware.language.speaking import _, label_text, later
from firmware.language.troubles import error_text
from firmware.parts.power import HOT, ONCE_WEAK, WEAK, degrees, throttle_flags
from firmware.state_folder import other_owner
from firmware.storage.errors import JournalError
from firmware.storage.eyes_settings import chosen_thrift
from firmware.storage.journal import is_kept, open_readonly
from firmware.storage.state_moving import older_folders, things_in
from firmware.storage.wired_board import is_raspberry
from firmware.updates.service_folders import service_state
from vision.table.thrift import SMALL

Source = Literal["none", "system", "environment"]

NEEDED = ("picamera2", "lgpio")
"""What a Raspberry Pi needs; `pyproject.toml` names it as the extra `pi`."""


class PiPackage(Struct, frozen=True):
    """A package as Python would import it."""

    name: str
    source: Source
    version: str = ""
    place: str = ""


def pi_packages(prefix: Path | None = None) -> tuple[PiPackage, ...]:
    """Find each package: what lies in the environment comes before what lies in the system."""
    return tuple(_find_package(name, prefix or Path(sys.prefix)) for name in NEEDED)


def _find_package(name: str, prefix: Path) -> PiPackage:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return PiPackage(name, "none")
    place = Path(spec.origin).resolve()
    is_own = place.is_relative_to(prefix.resolve())
    folder = place.parent.parent if place.name == "__init__.py" else place.parent
    return PiPackage(name, "environment" if is_own else "system", _version(name), str(folder))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


ROOM = 300_000_000
"""Bytes that have to be free: a season's journal, and the pictures that rulings rest on."""
BUILT = 2026
"""No clock is right that shows an earlier year."""
WITH_NUMPY = ("cv2", "simplejpeg")
"""Packages that were built for one numpy, and fail with another."""
CONTROLLERS = Path("/sys/fs/cgroup/cgroup.controllers")
RADIOS = Path("/sys/class/rfkill")
DEVICES = Path("/dev")

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
    if not is_kept(file):
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
    hot = degrees()
    if hot is not None:
        yield warmth(hot)
    told = throttle_flags()
    yield Finding("power", "absent", _("told on a Raspberry Pi only")) if told is None else supply(told)


def warmth(hot: float) -> Finding:
    """Judge the temperature."""
    state: State = "well" if hot < HOT else "trouble"
    return Finding(
        "temperature", state, f"{hot:.0f} °C", "" if state == "well" else _("give it air, or a cooler")
    )


def supply(flags: int) -> Finding:
    """Judge what the firmware says of the supply."""
    if flags & WEAK:
        return Finding("power", "trouble", _("the supply is too weak"), _("take the Pi's own supply and cable"))
    if flags & ONCE_WEAK:
        told = _("the supply was too weak since the start")
        return Finding("power", "trouble", told, _("take the Pi's own supply and cable"))
    return Finding("power", "well", _("the supply is strong enough"))


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


def bounds(controllers: Path = CONTROLLERS) -> Finding:
    """See whether the kernel counts memory: where it doesn't, the service's bound holds nothing back."""
    if not controllers.exists():
        return Finding("bounds", "absent", _("this system has none"))
    if "memory" in controllers.read_text(encoding="ascii").split():
        return Finding("bounds", "well", _("the service's bound on memory holds"))
    told = _("the kernel doesn't count memory, so that the service's bound doesn't hold")
    remedy = _("write {words} at the end of the line in {file}, and start again")
    return Finding("bounds", "trouble", told, remedy.format(words=MEMORY, file=f"{BOOT}/cmdline.txt"))


def radio(folder: Path = RADIOS) -> Finding:
    """See whether the Wi-Fi is switched on; a table with a network cable needs none."""
    for each in sorted(folder.glob("rfkill*")):
        if _word(each / "type") != "wlan":
            continue
        if _word(each / "hard") == "1":
            return Finding("radio", "absent", _("off, by a switch of this computer"), _("switch it on"))
        if _word(each / "soft") == "1":
            remedy = "sudo raspi-config nonint do_wifi_country FR && sudo nmcli radio wifi on"
            return Finding("radio", "absent", _("off: as long as no country is said, it stays so"), remedy)
        return Finding("radio", "well", _("on"))
    return Finding("radio", "absent", _("none here"))


def pins(model: str, devices: Path = DEVICES) -> Finding:
    """See whether the pins can be had by this user: gpiozero opens chip 4 on a Pi 5, where there is one."""
    names = ("gpiochip4", "gpiochip0") if model.startswith("Raspberry Pi 5") else ("gpiochip0",)
    chip = next((devices / name for name in names if (devices / name).exists()), None)
    if chip is None:
        told = _("{name} isn't there").format(name=devices / names[-1])
        return Finding("pins", "trouble", told, _("use Raspberry Pi OS, 64-bit, from November 2025 on"))
    if not os.access(chip, os.R_OK | os.W_OK):
        told = _("{name} isn't for this user").format(name=chip)
        return Finding("pins", "trouble", told, "sudo usermod --append --groups gpio $USER")
    return Finding("pins", "well", str(chip))


def _word(file: Path) -> str:
    return file.read_text(encoding="ascii").strip()
