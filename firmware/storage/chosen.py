"""What the host chose on the page: kept in a small file of its own, laid over the configuration.

The configuration is a person's own file, and never written. A choice is on trial until the table has become
ready with it: one with which it twice didn't is set aside at the next start.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from firmware.state_folder import CHOSEN, TRIAL, TRIES, tries
from firmware.storage.configuration import SettingsError, TableSettings, settings_from, unusable_file
from vision.files import make_folder, read_json, write_whole
from vision.troubles import Problem

PARTS = ("camera", "sound")
"""The parts of the configuration that the host may choose."""
LARGEST = 100_000


class HostChoice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What differs from the configuration; no language is that of the surroundings."""

    language: str = ""
    camera: Mapping[str, Any] = {}
    sound: Mapping[str, Any] = {}


class EffectiveSettings(Struct, frozen=True):
    """The settings that hold, and what a person has to know about them."""

    settings: TableSettings
    told: tuple[Problem, ...] = ()


# what holds, and what has to be kept


def merge_choice(
    settings: TableSettings, chosen: HostChoice, file: str, spoken: Sequence[str] = ()
) -> TableSettings:
    """Lay a choice over the configuration; all mistakes in it are told together.

    Where it is known which languages are spoken, the chosen one has to be among them.
    """
    if spoken and chosen.language and chosen.language not in spoken:
        names = {"file": file, "name": chosen.language, "names": ", ".join(spoken)}
        raise SettingsError(Problem("no such language", names))
    plain = msgspec.to_builtins(settings)
    over = {part: {**plain[part], **getattr(chosen, part)} for part in PARTS}
    return settings_from({**plain, **over}, file)


def difference(settings: TableSettings, wanted: TableSettings, language: str) -> HostChoice:
    """Find what has to be kept so that the wanted settings hold."""
    plain, other = msgspec.to_builtins(settings), msgspec.to_builtins(wanted)
    parts = {part: _changed_values(plain[part], other[part]) for part in PARTS}
    return HostChoice(language, **parts)


def _changed_values(plain: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in other.items() if value != plain[name]}


# the file


def read_choice(file: Path) -> HostChoice:
    """Read what was chosen; a file that isn't there says nothing."""
    try:
        return read_json(file, HostChoice, LARGEST)
    except FileNotFoundError:
        return HostChoice()
    except OSError as error:
        raise unusable_file(file, error.strerror) from error


def keep(chosen: HostChoice, state: Path) -> None:
    """Keep a choice, on trial until the table has become ready with it."""
    make_folder(state)
    write_whole(state / TRIAL, b"0")
    write_whole(state / CHOSEN, msgspec.json.format(msgspec.json.encode(chosen), indent=1) + b"\n")
    (state / CHOSEN).chmod(0o600)


def effective_settings(settings: TableSettings, state: Path, spoken: Sequence[str] = ()) -> EffectiveSettings:
    """Give the settings that hold at this start; a choice that can't is set aside."""
    file = state / CHOSEN
    if file.exists() and tries(state) >= TRIES:
        return EffectiveSettings(settings, (Problem("choice failed", {"aside": str(set_aside(state))}),))
    try:
        return EffectiveSettings(merge_choice(settings, read_choice(file), str(file), spoken))
    except SettingsError as error:
        aside = Problem("choice set aside", {"aside": str(set_aside(state))})
        return EffectiveSettings(settings, (*error.mistakes, aside))


def set_aside(state: Path) -> Path:
    """Put a choice where it doesn't count any more, in place of an earlier one."""
    aside = state / "chosen.set-aside.json"
    with suppress(OSError):
        (state / CHOSEN).replace(aside)
    (state / TRIAL).unlink(missing_ok=True)
    return aside


# the trial


def count_try(state: Path) -> None:
    """Count a start, if there is a choice on trial; a disk that is full stops nothing."""
    if (state / TRIAL).exists():
        with suppress(OSError):
            write_whole(state / TRIAL, b"%d" % (tries(state) + 1))


def end_trial(state: Path) -> None:
    """End the trial: the table is ready."""
    with suppress(OSError):
        (state / TRIAL).unlink(missing_ok=True)
