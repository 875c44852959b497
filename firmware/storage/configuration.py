"""The settings of a table: its configuration, with separate errors for each mistake, and the host's choices.

The configuration is a person's own TOML file and is never written. The host's choices on the page are stored in
a small file beside the journal and override it.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import fields

from firmware.state_folder import CHOSEN, SOUND_CARD
from firmware.storage.files import Kept
from hardware.twin.strengths import Strength
from vision.files import make_folder, read_small
from vision.troubles import Problem

Length = Annotated[float, Meta(ge=20.0, le=10_000.0)]  # millimetres on a table
PARTS = ("camera", "sound")  # the sections of the configuration that the host may change


class SettingsError(Exception):
    """A configuration with mistakes."""

    def __init__(self, *mistakes: Problem) -> None:
        self.mistakes = mistakes
        super().__init__(*mistakes)


def unusable_file(file: Path | str, why: object) -> SettingsError:
    return SettingsError(Problem("bad settings", {"file": str(file), "why": str(why)}))


class BoardSettings(Struct, frozen=True):
    """The wired board: a built-in profile, or one from a file."""

    profile: str | None = None
    file: str | None = None

    @property
    def own_profiles(self) -> Path | None:
        return None if self.file is None else Path(self.file)


OWN_CAMERAS = ("unicam", "rp1-cfe")
"""Kernel names of cameras on a flat cable: up to a Pi 4, and on a Pi 5."""


def usual_camera(root: Path = Path("/")) -> str:
    """Return the default camera: a USB camera on a Raspberry Pi that has no other one."""
    with suppress(OSError, UnicodeError):
        if (root / "proc/device-tree/model").read_text(encoding="utf-8").startswith("Raspberry Pi"):
            listed = (root / "sys/class/video4linux").glob("video*")
            seen = {each: (each / "name").read_text() for each in listed}
            usb = [int(each.name.removeprefix("video")) for each in seen if "/usb" in str(each.resolve())]
            if usb and not any(name.startswith(OWN_CAMERAS) for name in seen.values()):
                return f"usb:{min(usb)}"
    return "pi"


class CameraSettings(Struct, frozen=True):
    """The camera, and the division of the table."""

    name: str = field(default_factory=usual_camera)
    mat: bool = False
    """Whether the printed mat is on the table; without it, every seat gets a part of the table."""
    apart: tuple[Length, Length] = (844.0, 556.0)
    """Distance between the markers' centres in millimetres, across and down."""
    mains: Literal[50, 60] = 50  # mains frequency in hertz, at which lamps flicker
    small: bool | None = None
    """Whether to store fewer and smaller pictures; None decides by the computer's memory."""


class SoundSettings(Struct, frozen=True):
    """Volume, speed of speech and quiet hours (from, to)."""

    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    speed: Annotated[int, Meta(ge=80, le=450)] = 165
    quiet: tuple[time, time] | None = None


class Play(Struct, frozen=True):
    """Defaults for a match: game, players and house rules."""

    game: str = "coyote"
    seats: tuple[str, ...] = ()
    house: Mapping[str, str] = {}


class CopyFolder(Struct, frozen=True):
    """Folder for second copies: on another disk, or on the network."""

    folder: str | None = None


class PageSettings(Struct, frozen=True):
    """How pages are served."""

    https: bool = False


class OutsideSettings(Struct, frozen=True):
    """Recipients of each moment: addresses to which it is posted."""

    webhooks: tuple[Annotated[str, Meta(pattern=r"^https?://[^\s/]")], ...] = ()


class BrokerSettings(Struct, frozen=True):
    """The house's MQTT broker; none without a host."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 1883
    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$")] = "table"
    """This table's name in topics."""
    user: str | None = None
    password_file: str | None = None  # a separate file, because people show others their configuration
    tls: bool = False
    discovery: bool = True  # whether Home Assistant shows the table automatically


class TableSettings(Struct, frozen=True):
    """All settings, with their defaults."""

    board: BoardSettings = BoardSettings()
    camera: CameraSettings = CameraSettings()
    sound: SoundSettings = SoundSettings()
    play: Play = Play()
    copy: CopyFolder = CopyFolder()
    pages: PageSettings = PageSettings()
    outside: OutsideSettings = OutsideSettings()
    broker: BrokerSettings = BrokerSettings()


class RunOptions(Struct, frozen=True):
    """Options of the command line, as written."""

    game: str | None
    edition: str | None
    seats: str | None
    agreed: tuple[str, ...]
    fresh: bool
    twin: bool
    bots: int | None  # number of last seats played by bots; None fills all empty seats
    profile: str | None
    camera: str | None
    config: Path | None
    port: int | None  # None is the default port, 0 is no pages
    https: bool = False
    strength: Strength = "plain"


def settings_of(text: str, file: str) -> TableSettings:
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise unusable_file(file, error) from error
    return settings_from(plain, file)


def settings_from(plain: Mapping[str, Any], file: str) -> TableSettings:
    wrong = tuple(_mistakes(plain, TableSettings))
    if wrong:
        raise SettingsError(*(Problem(each.key, {"file": file, **each.values}) for each in wrong))
    return msgspec.convert(plain, TableSettings)


def settings_in(file: Path) -> TableSettings:
    try:
        text = read_small(file).decode()
    except FileNotFoundError:
        return TableSettings()
    except UnicodeDecodeError as error:
        raise SettingsError(Problem("settings no text", {"file": str(file)})) from error
    except OSError as error:
        raise unusable_file(file, error.strerror) from error
    return settings_of(text, str(file))


def settings_or_usual(file: Path) -> TableSettings:
    try:
        return settings_in(file)
    except SettingsError:
        return TableSettings()


def may_read(file: Path) -> bool:
    try:
        return not file.exists() or os.access(file, os.R_OK)
    except PermissionError:
        return False


FORMS = {
    "webhooks": "write each address with http:// or https:// in front",
    "name": "write 1 to 40 letters, digits, hyphens and underscores",
}
"""What to write for settings with a pattern."""


def _mistakes(plain: Mapping[str, Any], kind: type[Struct], before: str = "") -> Iterator[Problem]:
    known = {field.encode_name: field.type for field in fields(kind)}
    for name, value in plain.items():
        kind_of = known.get(name)
        if kind_of is None:
            yield Problem("no such setting", {"name": before + name, "names": ", ".join(known)})
        elif isinstance(kind_of, type) and issubclass(kind_of, Struct) and isinstance(value, Mapping):
            yield from _mistakes(value, kind_of, f"{name}.")
        else:
            try:
                msgspec.convert(value, kind_of)
            except msgspec.ValidationError as error:
                why = str(error)
                told = FORMS.get(name, why) if "regex" in why else why
                yield Problem("bad setting", {"name": before + name, "why": told})


class HostChoice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Differences from the configuration; an empty language is that of the environment."""

    language: str = ""
    camera: Mapping[str, Any] = {}
    sound: Mapping[str, Any] = {}


class EffectiveSettings(Struct, frozen=True):
    """The settings in effect, and problems that a person must know about."""

    settings: TableSettings
    told: tuple[Problem, ...] = ()


def merge_choice(
    settings: TableSettings, chosen: HostChoice, file: str, spoken: Sequence[str] = ()
) -> TableSettings:
    """Override the configuration with a choice; raise one SettingsError for all mistakes.

    If `spoken` lists the available languages, the chosen one must be among them.
    """
    if spoken and chosen.language and chosen.language not in spoken:
        names = {"file": file, "name": chosen.language, "names": ", ".join(spoken)}
        raise SettingsError(Problem("no such language", names))
    plain = msgspec.to_builtins(settings)
    over = {part: {**plain[part], **getattr(chosen, part)} for part in PARTS}
    return settings_from({**plain, **over}, file)


def difference(settings: TableSettings, wanted: TableSettings, language: str) -> HostChoice:
    plain, other = msgspec.to_builtins(settings), msgspec.to_builtins(wanted)
    parts = {
        part: {name: value for name, value in other[part].items() if value != plain[part][name]}
        for part in PARTS
    }
    return HostChoice(language, **parts)


CHOICE = Kept(CHOSEN, HostChoice, HostChoice(), largest=100_000)


def read_choice(state: Path) -> HostChoice:
    try:
        return CHOICE.load(state)
    except FileNotFoundError:
        return HostChoice()
    except OSError as error:
        raise unusable_file(CHOICE.file(state), error.strerror) from error


def keep(chosen: HostChoice, state: Path) -> None:
    make_folder(state, is_private=True)
    CHOICE.keep(state, chosen)


def effective_settings(settings: TableSettings, state: Path, spoken: Sequence[str] = ()) -> EffectiveSettings:
    """Return the settings for this start; a choice with mistakes is set aside."""
    try:
        chosen = read_choice(state)
        return EffectiveSettings(merge_choice(settings, chosen, str(state / CHOSEN), spoken))
    except SettingsError as error:
        aside = state / "chosen.set-aside.json"
        with suppress(OSError):
            (state / CHOSEN).replace(aside)
        return EffectiveSettings(
            settings, (*error.mistakes, Problem("choice set aside", {"aside": str(aside)}))
        )


class ChosenLoudspeaker(Struct, frozen=True):
    """A sound card by its system name, chosen by ear and effective at once; empty selects the likeliest one."""

    card: str = ""


LOUDSPEAKER = Kept(SOUND_CARD, ChosenLoudspeaker, ChosenLoudspeaker())
"""Not part of backups, because another computer has other devices."""


# Settings accepted from a page or from a backup, which may be a stranger's. || A setting must be on this list
# or equal the table's own value. Otherwise a backup could make a table call addresses, read files, or show
# pictures that its host never chose.

MAY_BE_ANYTHING = frozenset(
    {f"camera.{name}" for name in ("mat", "apart", "mains", "small")}
    | {f"sound.{name}" for name in ("volume", "speed", "quiet")}
    | {f"play.{name}" for name in ("game", "seats", "house")}
    # the board is checked separately when it is restored: the table must be able to start with it
    | {"pages.https", "board.profile"}
)
"""Settings with types and bounds of their own, which refer to nothing elsewhere."""


def strange_settings(given: TableSettings, own: TableSettings) -> tuple[str, ...]:
    # a command that only reads the configuration needs no cameras
    from vision.table.camera_names import PHONE, is_device_name  # noqa: PLC0415

    flat, ours, usual = (_flat(msgspec.to_builtins(each)) for each in (given, own, TableSettings()))
    return tuple(
        name
        for name, value in flat.items()
        if name not in MAY_BE_ANYTHING
        and not (name == "camera.name" and (value == PHONE or is_device_name(value)))
        and not _is_known(value, ours[name], usual[name])
    )


def _flat(plain: Mapping[str, Any]) -> dict[str, Any]:
    parts = ((part, values) for part, values in plain.items() if isinstance(values, Mapping))
    return {f"{part}.{name}": value for part, values in parts for name, value in values.items()}


def _is_known(value: object, own: object, usual: object) -> bool:
    """Return whether a value is the table's own or the default."""
    if isinstance(value, list) and isinstance(own, list):
        return all(each in own for each in value)
    return value in (own, usual)


def own_settings(configuration: Path, state: Path) -> TableSettings:
    """Return a table's settings in effect; what can't be read counts as missing."""
    configured = settings_or_usual(configuration)
    try:
        return merge_choice(configured, read_choice(state), "")
    except SettingsError:
        return configured


def leave_out_strange(given: HostChoice, own: TableSettings) -> tuple[HostChoice, tuple[str, ...]]:
    strange = strange_settings(merge_choice(own, given, ""), own)
    plain: dict[str, Any] = msgspec.to_builtins(given)
    left_out = [name for name in _flat(plain) if name in strange]
    for part, name in (each.split(".") for each in left_out):
        del plain[part][name]
    return HostChoice(**plain), tuple(left_out)
