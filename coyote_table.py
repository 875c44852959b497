"""The command `coyote` begins here: under a name of its own, it makes sure that the rooms are ours.

The rooms are called `firmware`, `vision` and so on, names that other packages use too. Coyote Table is an
application for an environment of its own; where another package of such a name comes first, it says so.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

ROOMS = ("referee", "vision", "hardware", "firmware", "webui")


def strange_room() -> str | None:
    """Name the first room that isn't ours, or None where all are."""
    return next((room for room in ROOMS if not _is_ours(room)), None)


def _is_ours(room: str) -> bool:
    """Look into the room's first file without running it: a stranger's may do anything."""
    spec = find_spec(room)
    if spec is None or spec.origin is None:
        return False
    return "Coyote Table" in Path(spec.origin).read_text(encoding="utf-8", errors="replace")


def main() -> None:
    """Run the command, or say which package stands in the way."""
    strange = strange_room()
    if strange is not None:
        sys.exit(
            f"coyote: another package called “{strange}” is installed here; "
            "Coyote Table needs an environment of its own: pipx install coyote-table, or ./run"
        )
    from firmware.start.program import main as run_program  # noqa: PLC0415 - not before the rooms are known

    run_program()
