"""All checks of the computer and the table's files, each with a finding and a remedy.

`coyote doctor` prints all of them, and its report contains them. The host's page shows those that suit a
running table, two of which run continuously.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import Literal
from urllib.parse import urlsplit

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.outputs.loudspeakers import UsedLoudspeaker
from firmware.board.outputs.speech import espeak_trouble
from firmware.language.speaking import Sentence, later, problem_sentence, say
from firmware.services.addresses import PORT, address, table_port
from firmware.services.power import run_command, why_failed
from firmware.services.table_sound import loudspeaker_in_use
from firmware.state_folder import other_owner, service_state
from firmware.storage.configuration import TableSettings
from firmware.storage.errors import JournalError
from firmware.storage.found_table import chosen_thrift, total_memory
from firmware.storage.journal import is_kept, open_readonly
from firmware.storage.state_copies import require_readable
from firmware.storage.state_place import StatePlace, closed_paths, cures
from firmware.storage.wired_board import is_raspberry
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract.words import Phrase, phrase
from vision.table.thrift import SMALL
from vision.troubles import Problem

Told = Sentence | str
MARKS = {"well": "+", "absent": "-", "trouble": "!"}


class Finding(Struct, frozen=True):
    """The result of a check, and its remedy if there is a problem."""

    state: Literal["well", "absent", "trouble"]
    told: Told
    remedy: Told = ""
    part: str = ""

    def line(self) -> str:
        remedy = f" -> {self.remedy}" if self.remedy else ""
        return f"{MARKS[self.state]} {labelled(Sentence(NAMES[self.part].one), self.told)}{remedy}"

    def row(self) -> dict[str, str]:
        return {name: str(getattr(self, name)) for name in ("part", "state", "told", "remedy")}


class Here(Struct, frozen=True):
    """The places to check: the table's files and settings, and the computer's root."""

    state: Path
    journal: Path
    settings: TableSettings = TableSettings()
    root: Path = Path("/")


Check = Callable[[Here], Finding | None]
"""A check; returns None if there is nothing to report."""


def well(told: Told, part: str = "") -> Finding:
    return Finding("well", told, part=part)


def absent(told: Told, remedy: Told = "", part: str = "") -> Finding:
    return Finding("absent", told, remedy, part)


def wrong(told: Told, remedy: Told, part: str = "") -> Finding:
    return Finding("trouble", told, remedy, part)


def split_remedy(sentence: str) -> tuple[str, str]:
    """Split a sentence from the remedy after its last colon; the remedy is empty if there is no colon."""
    told, colon, remedy = sentence.rpartition(": ")
    return (told.rstrip(), remedy) if colon else (sentence, "")


def wrong_by(sentence: str, part: str = "") -> Finding:
    """Report a sentence that ends with its remedy."""
    told, remedy = split_remedy(sentence)
    return wrong(told, remedy or say("see the message"), part)


def labelled(label: object, told: object) -> Sentence:
    """Put a label before a text, with the colon style of the reader's language."""
    return say("{label}: {told}", label=label, told=told)


def see(part: str, look: Callable[[], Iterable[Finding | None]]) -> Iterator[Finding]:
    """Run the checks of a part; an unexpected error becomes a finding, so that other parts run."""
    try:
        yield from (each if each.part else replace(each, part=part) for each in look() if each is not None)
    except click.Abort:
        raise
    except click.ClickException as error:
        yield wrong(error.format_message(), say("correct that in the configuration"), part)
    except Exception as error:  # noqa: BLE001 - whatever it is, a person wants to know of the other parts
        why: Told = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, OSError) and error.filename is not None:
            why = labelled(error.filename, error.strerror)
        yield wrong(why, say("see the message"), part)


def within(sentence: Sentence, *, is_inside: bool = True) -> Sentence:
    """Start a sentence in lower case, because it is part of a line."""
    return replace(sentence, is_inside=is_inside)


# packages

NEEDED = ("picamera2", "lgpio")
"""Packages that a Raspberry Pi needs; `pyproject.toml` lists them as the extra `pi`."""
WITH_NUMPY = ("cv2", "simplejpeg")  # packages built for one numpy, which fail with another
OWN = later("{name} {version} from this environment ({place}), which is used before the system's")
SYSTEMS = later("{name} {version} from the system ({place}), because this environment has none")


def numpys_package(name: str, _here: Here) -> Finding | None:
    """Import a package that was built for one version of numpy."""
    why, is_needed = _import_trouble(name), name == "cv2" or is_raspberry()
    if not why:
        return well(say("{name} and numpy agree", name=name))
    if "No module named" not in why:
        remedy = say("reinstall it for this numpy: pip install --force-reinstall {name}", name=name)
        return wrong(labelled(name, why), remedy)
    if not is_needed:
        return None
    remedy = say("start ./run again: it installs what is missing")
    return wrong(say("{name} isn't installed", name=name), remedy)


IMPORT_TIMEOUT = 120.0  # seconds for importing a package


def _import_trouble(name: str) -> str:
    """Import a package in a separate process, because a mismatch may crash; returns the error line."""
    program = [sys.executable, "-P", "-c", f"import numpy, {name}"]
    return why_failed(run_command(program, seconds=IMPORT_TIMEOUT))


def pis_package(name: str, _here: Here, prefix: Path | None = None) -> Finding | None:
    """Locate a package as Python would, in the environment first and then in the system."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        message = say("{name} isn't installed, neither in the system nor in this environment", name=name)
        return wrong(message, say("start ./run at a terminal, and answer yes"))
    file = Path(spec.origin).resolve()
    place = file.parent.parent if file.name == "__init__.py" else file.parent
    words = OWN if place.is_relative_to((prefix or Path(sys.prefix)).resolve()) else SYSTEMS
    try:
        its_version = version(name)
    except PackageNotFoundError:
        its_version = "?"
    return well(Sentence(words, {"name": name, "version": its_version, "place": place}))


# the table's files

MIN_FREE_BYTES = 300_000_000
"""Bytes that should be free: a season's journal, and the pictures behind rulings."""


def folder(here: Here) -> Finding:
    try:
        require_readable(here.state)
    except JournalError as error:
        return wrong_by(str(problem_sentence(error.problem)))
    owner = other_owner()
    if here.state == service_state():
        return well(say("{folder}, as the service", folder=here.state))
    if owner is None:
        return well(str(here.state))
    message = say("{folder}; but the table of this computer belongs to {owner}", folder=here.state, owner=owner)
    return wrong(message, f"sudo -u {owner} {shlex.join(sys.argv)}")


def disk(here: Here) -> Finding:
    there = next(each for each in (here.state, *here.state.parents) if each.exists())
    if not there.is_dir():
        return _unsaved(say("{folder} isn't a folder", folder=there), here, there, "unsaved folder")
    if not os.access(there, os.W_OK):
        why = "unsaved mode" if there in closed_paths(here.state, here.journal) else "unsaved rights"
        return _unsaved(say("{folder} can't be written to", folder=there), here, there, why)
    free = shutil.disk_usage(there).free
    message = say("{free} MB free in {folder}", free=free // 1_000_000, folder=there)
    remedy = say("free some space, or use a larger card")
    return well(message) if free >= MIN_FREE_BYTES else wrong(message, remedy)


def _unsaved(told: Sentence, here: Here, there: Path, why: str) -> Finding:
    """Report that nothing can be stored, with the first remedy from the host's page."""
    step, *_rest = cures(StatePlace(here.state, here.journal, there, here.journal, Problem(why)))
    return wrong(told, within(problem_sentence(step)))


def journal(here: Here) -> Finding:
    if not is_kept(here.journal):
        return absent(say("none yet: the first match creates it"))
    try:
        with open_readonly(here.journal) as opened:
            return well(say("matches: {count}", count=len(opened.matches())))
    except JournalError as error:
        remedy = say("start the table: it repairs what it can")
        return wrong(problem_sentence(error.problem), remedy)


# the computer

MIN_YEAR = 2026  # a clock with an earlier year is wrong
BOOT = "/boot/firmware"  # mount point of the boot partition on Raspberry Pi OS
COUNT_MEMORY = "cgroup_enable=memory"
"""Kernel option that overrides `cgroup_disable=memory` of a Pi's firmware, so that limits work."""


def dated(now: datetime) -> Finding:
    told = f"{now:%Y-%m-%d %H:%M}"
    if now.year >= MIN_YEAR:
        return well(told)
    return wrong(told, say("connect the computer to a network once, or set the clock: sudo date -s"))


def network(_here: Here) -> Finding:
    port = table_port()
    where = address(port or PORT)
    if "127.0.0.1" in where:
        return absent(say("none: phones can't connect; coyote table wifi creates one"))
    if port is None:
        return well(
            say("{host}; no table answers on port 80 or {port}", host=urlsplit(where).hostname, port=PORT)
        )
    return well(where)


def sound(here: Here) -> Finding:
    return heard(loudspeaker_in_use(here.state), is_wanted=is_raspberry() and here.settings.sound.volume > 0)


def heard(used: UsedLoudspeaker | None, *, is_wanted: bool) -> Finding:
    """Assess a loudspeaker; a laptop need not have one."""
    silent = espeak_trouble()
    if silent is not None:
        return absent(problem_sentence(silent))
    if used is not None and used.is_heard:
        return well(used.loudspeaker.name)
    if used is not None:
        message = say("{name}: can't detect whether something is plugged in", name=used.loudspeaker.name)
        return absent(message, say("play a tune on the host's page, under Loudspeakers"))
    message = say("no loudspeaker")
    return wrong(message, say("plug one in, or set sound.volume to 0")) if is_wanted else absent(message)


def memory(here: Here) -> Finding:
    message = say("{total} MB", total=total_memory() // 1_000_000)
    if chosen_thrift(here.settings.camera.small) != SMALL:
        return well(message)
    small = say("the Pi camera's pictures have three quarters of their width and height, fewer stay in memory")
    return well(labelled(message, small))


def bounds(here: Here) -> Finding:
    """Check whether a Pi's kernel counts memory; otherwise the service's limit has no effect."""
    counted = controllers(here.root)
    if not counted:
        return absent(say("not supported by this system"))
    if "memory" in counted:
        return well(say("the service's limit works"))
    message = say("the kernel doesn't count memory, so the service's limit has no effect")
    line = {"words": COUNT_MEMORY, "file": f"{BOOT}/cmdline.txt"}
    return wrong(message, say("add {words} to the end of the line in {file}, and restart the computer", **line))


def controllers(root: Path) -> tuple[str, ...]:
    return tuple(read_of(root / "sys/fs/cgroup/cgroup.controllers").split())


def radio(here: Here) -> Finding:
    """Check whether Wi-Fi is switched on; a wired table needs none."""
    wifi = next((each for each in radios(here.root) if each["type"] == "wlan"), None)
    if wifi is None:
        return absent(say("none on this computer"))
    if wifi["hard"] == "1":
        return absent(say("off: a switch of this computer disables it"), say("switch it on"))
    if wifi["soft"] == "1":
        remedy = "sudo raspi-config nonint do_wifi_country FR && sudo nmcli radio wifi on"
        return absent(say("off until its country is set"), remedy)
    return well(say("on"))


def radios(root: Path) -> tuple[dict[str, str], ...]:
    folders = sorted((root / "sys/class/rfkill").glob("rfkill*"))
    return tuple({name: read_of(each / name) for name in ("type", "soft", "hard")} for each in folders)


def pins(here: Here) -> Finding | None:
    """Check whether this user may use the pins: chip 4 on a Pi 5 with older kernels, else chip 0."""
    devices, model = here.root / "dev", here.root / "proc/device-tree/model"
    if not model.exists():
        return None
    names = ("gpiochip4", "gpiochip0") if read_of(model).startswith("Raspberry Pi 5") else ("gpiochip0",)
    chip = next((devices / name for name in names if (devices / name).exists()), None)
    if chip is None:
        message = say("{name} doesn't exist", name=devices / names[-1])
        return wrong(message, say("use Raspberry Pi OS (64-bit) of November 2025 or later"))
    if not os.access(chip, os.R_OK | os.W_OK):
        message = say("this user may not use {name}", name=chip)
        return wrong(message, "sudo usermod --append --groups gpio $USER")
    return well(str(chip))


def read_of(file: Path) -> str:
    """Return the text of a system file; empty if it can't be read."""
    try:
        return file.read_bytes().decode("utf-8", "replace").strip()
    except OSError:
        return ""


# power supply and temperature

HOT_DEGREES, HYSTERESIS = 80.0, 5.0
"""Degrees Celsius at which a Pi throttles, and the drop that ends the warning."""
WEAK, ONCE_WEAK = 1, 1 << 16
"""Firmware flags of undervoltage: now, and at some time since boot."""
WATCH_INTERVAL = 20.0  # seconds between checks of a running table
THERMOMETER = Path("/sys/class/thermal/thermal_zone0/temp")


def supply(flags: int | None) -> Finding:
    if flags is None:
        return absent(say("known only on a Raspberry Pi"))
    remedy = say("use the Pi's own power supply and cable")
    if flags & WEAK:
        return wrong(within(say("The power supply is too weak")), remedy)
    if flags & ONCE_WEAK:
        return wrong(say("the power supply was too weak at least once since the start"), remedy)
    return well(say("the power supply is strong enough"))


def throttle_flags() -> int | None:
    _name, _equals, value = run_command(("vcgencmd", "get_throttled")).stdout.strip().partition("=")
    try:
        return int(value, 16)
    except ValueError:
        return None


def temperature(_here: Here) -> Finding | None:
    hot = degrees()
    return None if hot is None else warmth(hot)


def warmth(hot: float) -> Finding:
    if hot < HOT_DEGREES:
        return well(f"{hot:.0f} °C", "temperature")
    message = say("The computer has {degrees} °C and slows down", degrees=round(hot))
    return wrong(within(message), say("improve its ventilation, or add a cooler"), "temperature")


def degrees(thermometer: Path = THERMOMETER) -> float | None:
    try:
        return int(thermometer.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None


def notice_of(name: NoticeKey, found: Finding) -> Notice:
    told = within(found.told, is_inside=False) if isinstance(found.told, Sentence) else found.told
    return Notice(name, {"told": told, "remedy": found.remedy})


class SupplyWatch:
    """Reports a weak supply or an overheated Pi for as long as it lasts, while the table runs."""

    def __init__(
        self,
        report: Callable[[NoticeKey, Notice | None], object],
        flags: Callable[[], int | None] = throttle_flags,
        hot: Callable[[], float | None] = degrees,
    ) -> None:
        self._report, self._flags, self._hot = report, flags, hot
        self._known, self._reported = self._flags() or 0, set[NoticeKey]()
        self._over = Event()
        self._thread = Thread(target=self._watch, name="supply", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def look(self) -> None:
        """Check once, and report changes."""
        flags, hot = self._flags() or 0, self._hot() or 0.0
        # a voltage dip may be shorter than the interval between checks
        is_weak, self._known = flags & WEAK or flags & ~self._known & ONCE_WEAK, flags
        least = HOT_DEGREES - HYSTERESIS if NoticeKey.TOO_HOT in self._reported else HOT_DEGREES
        self._tell(NoticeKey.WEAK_SUPPLY, supply(WEAK) if is_weak else None)
        self._tell(NoticeKey.TOO_HOT, warmth(hot) if hot >= least else None)

    def _tell(self, name: NoticeKey, found: Finding | None) -> None:
        if (found is None) == (name in self._reported):
            self._reported ^= {name}
            self._report(name, None if found is None else notice_of(name, found))

    def _watch(self) -> None:
        while not self._over.wait(WATCH_INTERVAL):
            self.look()


# all checks


def on_a_pi(check: Check, here: Here) -> Finding | None:
    return check(here) if is_raspberry() else None


CHECKS: Mapping[str, tuple[Check, ...]] = {
    "packages": (
        *(partial(numpys_package, name) for name in WITH_NUMPY),
        *(partial(on_a_pi, partial(pis_package, name)) for name in NEEDED),
    ),
    "folder": (folder,),
    "disk": (disk,),
    "journal": (journal,),
    "clock": (lambda _here: dated(datetime.now().astimezone()),),
    "power": (temperature, lambda _here: supply(throttle_flags())),
    "network": (network,),
    "sound": (sound,),
    "memory": (memory,),
    "bounds": (partial(on_a_pi, bounds),),
    "radio": (radio,),
    "pins": (partial(on_a_pi, pins),),
}
"""Checks for any computer, by part."""
WHILE_PLAYING = ("power", "disk", "clock", "sound")
"""Checks fast enough to run on a running table while a page renders."""
NAMES: Mapping[str, Phrase] = {
    **{
        each.one: each
        for each in (
            *(phrase("configuration"), phrase("packages"), phrase("folder"), phrase("disk"), phrase("journal")),
            *(phrase("clock"), phrase("temperature"), phrase("power"), phrase("network"), phrase("sound")),
            *(phrase("memory"), phrase("pins"), phrase("camera"), phrase("lens")),
            *(phrase("markers"), phrase("board"), phrase("buttons"), phrase("lamps")),
        )
    },
    "bounds": phrase("memory limit"),
    "radio": phrase("Wi-Fi"),
    "usb": phrase("USB buttons"),
    "spi": Phrase("SPI"),
}


def look_at(here: Here, parts: Iterable[str] = CHECKS) -> Iterator[Finding]:
    for part in parts:
        yield from see(part, partial(map, lambda check: check(here), CHECKS[part]))
