"""The state folder and the host's choices in it; works before any text is loaded."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from pwd import getpwuid

from platformdirs import user_config_path, user_log_path

NAME = "coyote-table"
"""Name of the table's own folders."""

FORM = 1
"""Version of the state format, incremented with each change that the previous version can't read.

Before a table first writes a new format, it copies the old state (`firmware/storage/state_copies.py`). An older
version refuses newer state.
"""
JOURNAL, CONFIGURATION = "journal.sqlite3", "coyote.toml"
"""The matches; the table's configuration, which has its own folder."""
DECKS, TRIED = "decks", "tried"
"""Taught decks, one folder each; the results of their trials."""
FOUND_TABLE, EMPTY_TABLE = "table.json", "table.png"
"""The table's position in the camera's picture; a picture of the empty table."""
CHOSEN = "chosen.json"
"""The host's settings, which override the configuration."""
BOARD, BOARD_FAULTS, USB_BUTTONS = "board.json", "board-faults.json", "usb-buttons.json"
"""The wired board; its faults; the seats of the buttons of a USB box."""
COPIES, SOUND_CARD = "copies.json", "loudspeaker.json"
"""The state of the second copies; the loudspeaker that the host chose by ear."""
CARDS, MATCH_KINDS = "cards.json", "match-kinds.json"
"""Whether real cards are played; the matches of the real and of the simulated table."""
LINKS, PAUSE, DEAL = "links.json", "pause.json", "deal.secret"
"""The phones' links; whether the table is paused; the seed of the simulated table's deals."""
FORGETTING, FORGOTTEN, FORGOTTEN_NAMES = "forgetting.json", "forgotten.json", "forgotten-names.json"
"""The evening that the next start deletes; the marks by which copies and restores recognize deleted data."""
STAND_ALONE = frozenset({FOUND_TABLE, EMPTY_TABLE, BOARD, BOARD_FAULTS, CHOSEN, DECKS, USB_BUTTONS})
"""Files that are useful without the matches."""
SMALL_FILES = (
    *sorted(STAND_ALONE - {DECKS}),
    *(LINKS, PAUSE, DEAL, COPIES, SOUND_CARD, CARDS, MATCH_KINDS, FORGOTTEN_NAMES),
)
"""Files that a table playing in memory brings along, besides journal and decks."""
EVIDENCE, CERTIFICATE = "evidence", "certificate.pem"
"""Pictures behind rulings; the table's certificate with its key."""
BEGINNINGS = "beginnings.json"
"""The match to which each number's pictures belong, identified by a mark of its beginning."""
SUMS = ".history"  # suffix of the summary of all matches, next to the journal
RESTORING, READY, NEW = "restoring", "ready.json", "new"
"""Folder of a backup about to be restored; inside it, the mark of a finished check, and its files."""
ASIDE, BEFORE = "set-aside-", "before-"
"""Prefixes of folders: state that a start set aside, and the state before a backup was restored."""

# Folders of the system service, which its user's commands use, too.
#
# systemd passes them only to the service, so that commands of the same user must find them by themselves.

ROOT = Path("/")
PLACES: Mapping[str, str] = {
    "STATE_DIRECTORY": "var/lib",
    "CONFIGURATION_DIRECTORY": "etc",
    "LOGS_DIRECTORY": "var/log",
}
"""Parent folders that systemd uses for these variables."""


def state_directory() -> Path:
    """Return the folder for persistent data: the service's, for its user too, or else the user's own."""
    usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
    # as text, because Path.expanduser raises without a home folder
    own = os.environ.get("XDG_DATA_HOME") or os.path.expanduser(usual)  # noqa: PTH111
    return named_folder("STATE_DIRECTORY") or service_folder("STATE_DIRECTORY") or Path(own, NAME)


def named_folder(variable: str) -> Path | None:
    """Return the folder that systemd names in a variable, the first of several."""
    given = os.environ.get(variable, "").split(":")[0]
    return Path(given) if given else None


def service_folder(variable: str) -> Path | None:
    folder = ROOT / PLACES[variable] / NAME
    is_ours = owner_of(service_state()) == os.geteuid()
    return folder if is_ours and folder.is_dir() else None


def service_state() -> Path:
    return ROOT / PLACES["STATE_DIRECTORY"] / NAME


def owner_of(folder: Path) -> int | None:
    try:
        return folder.stat().st_uid
    except OSError:
        return None


def configuration_path() -> Path:
    given, of_service = named_folder("CONFIGURATION_DIRECTORY"), service_folder("CONFIGURATION_DIRECTORY")
    own = user_config_path(NAME) / CONFIGURATION
    if given is not None and given != of_service:
        return given / CONFIGURATION
    # the service's folder belongs to root; until it contains a file, the user's own file applies to both
    if of_service is not None and ((of_service / CONFIGURATION).exists() or not own.exists()):
        return of_service / CONFIGURATION
    return own


def log_path() -> Path:
    folder = named_folder("LOGS_DIRECTORY") or service_folder("LOGS_DIRECTORY") or user_log_path(NAME)
    # for a user without a home, the log is next to the state
    return (folder if folder.is_absolute() else state_directory()) / "coyote.jsonl"


def other_owner() -> str | None:
    """Return the user whose service runs on this machine; None if it is ours or root's."""
    owner = owner_of(service_state())
    if not owner or owner == os.geteuid():
        return None
    try:
        return getpwuid(owner).pw_name
    except KeyError:
        return str(owner)


def chosen_for_start() -> Path:
    """Return the file with the host's settings for this start; a waiting backup brings its own."""
    state = state_directory()
    # another user's folder can't be read
    with suppress(OSError):
        if (state / RESTORING / READY).exists():
            return state / RESTORING / NEW / CHOSEN
    return state / CHOSEN
