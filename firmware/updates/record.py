"""How far an update is: `.versions/update.json`, written anew after each step."""

import json
from dataclasses import asdict, dataclass
from typing import Literal, TypeGuard, get_args

from firmware.updates.files import read_text, write_whole
from firmware.updates.layout import Home

RECORD = "update.json"
TRIES = 2
"""Starts that a new version has to come up in; after them the table goes back."""
Step = Literal["chosen", "unpacked", "installed", "checked", "trial", "proven", "returned"]


@dataclass(frozen=True)
class Update:
    """A change from one version to another, and the last step of it that is done."""

    version: str
    commit: str
    before: str
    """The version that ran until then, and that one goes back to."""
    reached: Step = "chosen"
    tries: int = 0
    """Starts of the new version that were begun."""


def read_record(home: Home) -> Update | None:
    """Read how far the last update got; None if there was none."""
    try:
        said = json.loads(read_text(home.versions / RECORD))
        update = Update(**said)
    except (ValueError, TypeError):
        return None
    texts = (update.version, update.commit, update.before, update.reached)
    is_well = all(isinstance(text, str) for text in texts) and isinstance(update.tries, int)
    return update if is_well and update.reached in get_args(Step) else None


def write_record(home: Home, update: Update) -> None:
    """Note how far an update is."""
    write_whole(home.versions / RECORD, json.dumps(asdict(update), indent=1).encode())


def is_broken_off(update: Update | None) -> TypeGuard[Update]:
    """Tell whether an update can be gone on with: its version was never started."""
    return update is not None and update.reached not in {"proven", "returned"} and not update.tries


def is_on_trial(update: Update | None, home: Home) -> TypeGuard[Update]:
    """Tell whether a version runs that hasn't come up yet."""
    return update is not None and update.reached == "trial" and home.current() == update.version
