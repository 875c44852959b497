"""The folder that survives, and what the host chose in it: known before any text is loaded."""

import os
from contextlib import suppress
from pathlib import Path
from pwd import getpwuid

from platformdirs import user_config_path, user_log_path

from firmware.updates import layout
from firmware.updates.layout import NAME, named_folder, owner_of, service_folder, service_state
from vision.files import read_json_or

FORM = 1
"""The form of all that is kept: one more with each change that the version before can't read.

Before a table first writes a new form, it keeps a copy of the old one (`firmware/updates/state_copies.py`).
The journal's second copy changed nothing: a version without it reads and writes the database alone, and what it
wrote there counts. What it puts in that database's place has no mark, and so takes nothing from the copy.
"""
JOURNAL, CONFIGURATION = "journal.sqlite3", "coyote.toml"
"""The matches; the table's configuration, which lies in a folder of its own."""
DECKS, TRIED, DRAFTS = "decks", "tried", "drafts"
"""The decks that were taught, a folder for each; what trials of them found; those that are being taught."""
FOUND_TABLE, EMPTY_TABLE = "table.json", "table.png"
"""Where the table is in the camera's picture, and what it looks like with nothing on it."""
CHOSEN, TRIAL, TRIES = "chosen.json", "chosen.trial", 2
"""What the host chose on the page, laid over the configuration; how often the table was started with that and
wasn't ready yet; after so many starts it is set aside."""
BOARD, BOARD_FAULTS, USB_BUTTONS = "board.json", "board-faults.json", "usb-buttons.json"
"""Which board is wired; what of it doesn't work; which button of a USB box belongs to which seat."""
COPIES, SOUND_CARD = "copies.json", "loudspeaker.json"
"""What the table remembers of its copies; the loudspeaker that the host chose by ear."""
LINKS, PAUSE, DEAL = "links.json", "pause.json", "deal.secret"
"""The links of the phones; whether the table pauses; what the simulated table deals by."""
STAND_ALONE = frozenset({FOUND_TABLE, EMPTY_TABLE, BOARD, BOARD_FAULTS, CHOSEN, DECKS, USB_BUTTONS})
"""What is of use without the matches that were played beside it."""
SMALL_FILES = (*sorted(STAND_ALONE - {DECKS}), LINKS, PAUSE, DEAL, COPIES, SOUND_CARD)
"""What a table that plays in memory has with it, beside journal and decks."""
EVIDENCE, CERTIFICATE = "evidence", "certificate.pem"
"""Pictures of rulings; the table's own certificate, with its key."""
FORGETTING, FORGOTTEN = "forgetting.json", "forgotten.json"
"""The evening that the next start forgets, and by which marks copies know what was forgotten."""
BEGINNINGS = "beginnings.json"
"""To which match, by a mark of its beginning, the pictures of each number belong."""
SUMS = ".history"  # how the file beside the journal ends in which the matches are summed up
RESTORING, READY, NEW = "restoring", "ready.json", "new"
"""The folder of a backup that is about to take the place of what is here; in it, the mark that all of it was
checked, and the folder of what is to be put in place."""
ASIDE, BEFORE = "set-aside-", "before-"
"""How the folders begin in which lies what a start has set aside, and what was here before a backup."""
state_directory = layout.state_directory


def configuration_path() -> Path:
    given, of_service = named_folder("CONFIGURATION_DIRECTORY"), service_folder("CONFIGURATION_DIRECTORY")
    own = user_config_path(NAME) / CONFIGURATION
    if given is not None and given != of_service:
        return given / CONFIGURATION
    # the folder of the service is root's: until there is a file in it, a person's own counts for both
    if of_service is not None and ((of_service / CONFIGURATION).exists() or not own.exists()):
        return of_service / CONFIGURATION
    return own


def log_path() -> Path:
    folder = named_folder("LOGS_DIRECTORY") or service_folder("LOGS_DIRECTORY") or user_log_path(NAME)
    # a user without a home has it beside the state
    return (folder if folder.is_absolute() else state_directory()) / "coyote.jsonl"


def other_owner() -> str | None:
    """Name the user whose service runs on this machine, if it is another one than ours; it is never root."""
    owner = owner_of(service_state())
    if not owner or owner == os.geteuid():
        return None
    try:
        return getpwuid(owner).pw_name
    except KeyError:
        return str(owner)


def tries(state: Path) -> int:
    return read_json_or(state / TRIAL, int, 0)


def chosen_for_start() -> Path | None:
    """Find the choice that holds for the table that starts now; a backup that waits brings its own."""
    state = state_directory()
    # in another user's folder nothing is there
    with suppress(OSError):
        if (state / RESTORING / READY).exists():
            return state / RESTORING / NEW / CHOSEN
    return state / CHOSEN if tries(state) < TRIES else None
