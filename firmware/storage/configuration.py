"""The table's configuration: a file in TOML, each mistake in it found by itself."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from hardware.twin.strengths import Strength
from vision.files import SMALL
from vision.troubles import Problem

Length = Annotated[float, Meta(ge=20.0, le=10_000.0)]
"""Millimetres on a table."""


class SettingsError(Exception):
    """A configuration with mistakes."""

    def __init__(self, *mistakes: Problem) -> None:
        """Take the mistakes."""
        self.mistakes = mistakes
        super().__init__(*mistakes)


def unusable_file(file: Path | str, why: object) -> SettingsError:
    """Say why a file can't be used."""
    return SettingsError(Problem("bad settings", {"file": str(file), "why": str(why)}))


WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/]")]
TopicName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


class BoardSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wired: a profile of ours, or of a file."""

    profile: str | None = None
    file: str | None = None

    @property
    def own_profiles(self) -> Path | None:
        """Give the file of the owner's profiles; None for ours."""
        return None if self.file is None else Path(self.file)


class CameraSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What looks at the table, and how the table is parted."""

    name: str = "pi"
    second: str | None = None
    """Another camera, which is asked where the first one has doubts; named in the same way."""
    mat: bool = False
    """The printed mat lies on the table; without it, every seat has its part of it."""
    apart: tuple[Length, Length] = (844.0, 556.0)
    """How far apart the markers' middles are, in millimetres: across and down."""
    mains: Literal[50, 60] = 50
    """Hertz of the house's electricity: lamps flicker by it."""
    pieces: bool = True
    """Coins and other pieces are counted, and compared with the record."""
    clips: bool = False
    """The seconds around each ruling that rests on the camera are kept, of the open parts of the table."""
    live: bool = False
    """Who looks on sees the open parts of the table as they are now."""
    small: bool | None = None
    """Smaller pictures, and fewer are held; None is by the computer's memory."""


class SoundSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How the table sounds; quiet from, to."""

    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    speed: Annotated[int, Meta(ge=80, le=450)] = 165
    quiet: tuple[time, time] | None = None


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played when nothing else is said: a game, who plays, by which house rules."""

    game: str = "coyote"
    seats: tuple[str, ...] = ()
    house: Mapping[str, str] = {}


class CopyFolder(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a second copy is kept beside those on sticks: on another disk, or one of the network."""

    folder: str | None = None


class PageSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How pages are served."""

    https: bool = False


class OutsideSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What is told each moment: addresses to which it is posted."""

    webhooks: tuple[WebAddress, ...] = ()


class BrokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The MQTT broker of the house that is told; none without a host."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 1883
    name: TopicName = "table"
    """What this table is called there; it stands in topics."""
    user: str | None = None
    password_file: str | None = None
    """A file of its own: a configuration is shown around."""
    tls: bool = False
    discovery: bool = True
    """Home Assistant shows the table by itself."""
    buttons: Annotated[int, Meta(ge=0, le=16)] = 0
    """At so many seats a button comes by the broker."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """All of it; whatever isn't said is as it is here."""

    board: BoardSettings = BoardSettings()
    camera: CameraSettings = CameraSettings()
    sound: SoundSettings = SoundSettings()
    play: Play = Play()
    copy: CopyFolder = CopyFolder()
    pages: PageSettings = PageSettings()
    outside: OutsideSettings = OutsideSettings()
    broker: BrokerSettings = BrokerSettings()


class RunOptions(Struct, frozen=True):
    """What was asked for on the command line, as it was written."""

    game: str | None
    edition: str | None
    seats: str | None
    agreed: tuple[str, ...]
    fresh: bool
    twin: bool
    bots: int | None
    """At so many of the last seats; None is as many as there are people missing."""
    profile: str | None
    camera: str | None
    config: Path | None
    port: int | None
    """None is the usual one, 0 none."""
    https: bool = False
    second_camera: str | None = None
    strength: Strength = "plain"
    """How well bots play."""


def settings_of(text: str, file: str) -> TableSettings:
    """Read a configuration; all mistakes are told together."""
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise unusable_file(file, error) from error
    return settings_from(plain, file)


def settings_from(plain: Mapping[str, Any], file: str) -> TableSettings:
    """Read plain values of a file; all mistakes are told together."""
    wrong = tuple(_mistakes(plain, TableSettings, ""))
    if wrong:
        raise SettingsError(*(Problem(each.key, {"file": file, **each.values}) for each in wrong))
    return msgspec.convert(plain, TableSettings)


def settings_in(file: Path) -> TableSettings:
    """Read the configuration of a file; one that isn't there says nothing."""
    try:
        if file.stat().st_size > SMALL:
            raise SettingsError(Problem("settings too large", {"file": str(file)}))
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return TableSettings()
    except UnicodeDecodeError as error:
        raise unusable_file(file, error) from error
    except OSError as error:
        raise unusable_file(file, error.strerror) from error
    return settings_of(text, str(file))


def may_read(file: Path) -> bool:
    """Tell whether this user may read a file, if it is there."""
    try:
        return not file.exists() or os.access(file, os.R_OK)
    except PermissionError:
        return False


def _mistakes(plain: Mapping[str, Any], kind: type[Struct], before: str) -> Iterator[Problem]:
    """Find what is wrong, value by value."""
    known = {field.encode_name: field for field in fields(kind)}
    for name, value in plain.items():
        if name not in known:
            yield Problem("no such setting", {"name": before + name, "names": ", ".join(known)})
        else:
            yield from _mistake(known[name], value, before + name)


def _mistake(field: FieldInfo, value: Any, name: str) -> Iterator[Problem]:
    kind = field.type
    if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, Mapping):
        yield from _mistakes(value, kind, f"{name}.")
        return
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield Problem("bad setting", {"name": name, "why": str(error)})
