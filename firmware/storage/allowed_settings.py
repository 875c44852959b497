"""Which settings may come in: by a page, or with a backup, which may be a stranger's.

Each is on the list by its name, or has to be as the table's own is: a backup mustn't have a table call
addresses, read files, or show pictures that nobody at the table has chosen.
"""

from pathlib import Path

import msgspec

from firmware.storage.configuration import (
    PARTS,
    HostChoice,
    SettingsError,
    TableSettings,
    merge_choice,
    read_choice,
)
from vision.table.device_cameras import is_device_name

MAY_BE_ANYTHING = frozenset(
    {f"camera.{name}" for name in ("mat", "apart", "mains", "pieces", "live", "small")}
    | {f"sound.{name}" for name in ("volume", "speed", "quiet")}
    | {f"play.{name}" for name in ("game", "seats", "house")}
    # whether a board is one that this table could start with is asked where it is put in place
    | {"pages.https", "board.profile"}
)
"""What has a kind and bounds of its own, and names nothing elsewhere."""


def strange_settings(given: TableSettings, own: TableSettings) -> tuple[str, ...]:
    """Name the settings that are neither on the list nor as the table's own."""
    plain, ours, usual = map(msgspec.to_builtins, (given, own, TableSettings()))
    return tuple(
        f"{part}.{name}"
        for part, values in plain.items()
        for name, value in values.items()
        if f"{part}.{name}" not in MAY_BE_ANYTHING
        and not (part == "camera" and name == "name" and is_device_name(value))
        and not _is_known(value, ours[part][name], usual[part][name])
    )


def _is_known(value: object, own: object, usual: object) -> bool:
    """Return whether a value is the table's own, or that of a table where nothing is configured."""
    if isinstance(value, list) and isinstance(own, list):
        return all(each in own for each in value)
    return value in (own, usual)


def leave_out_strange(
    given: HostChoice, here: TableSettings, state: Path
) -> tuple[HostChoice, tuple[str, ...]]:
    """Take out of a choice that comes in what may not, and name it."""
    try:
        own = merge_choice(here, read_choice(state), "")
    except SettingsError:
        own = here
    strange = strange_settings(merge_choice(here, given, ""), own)
    plain = {part: getattr(given, part) for part in PARTS}
    parts = {
        part: {name: value for name, value in values.items() if f"{part}.{name}" not in strange}
        for part, values in plain.items()
    }
    left_out = (f"{part}.{name}" for part in plain for name in plain[part] if f"{part}.{name}" in strange)
    return HostChoice(given.language, **parts), tuple(left_out)
