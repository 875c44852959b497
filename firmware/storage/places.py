"""Where things are kept: the service's state directory where there is one, else the user's own."""

from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_config_path, user_log_path

from firmware.state_folder import DRAFTS, EVIDENCE, LINKS, state_directory
from firmware.updates.service_folders import service_folder

CONFIGURATION = "coyote.toml"


def journal_path(environ: Mapping[str, str]) -> Path:
    """Find the journal."""
    return state_directory(environ) / "journal.sqlite3"


def decks_directory(environ: Mapping[str, str]) -> Path:
    """Find the folder of the decks that were taught, a folder for each."""
    return state_directory(environ) / "decks"


def drafts_directory(environ: Mapping[str, str]) -> Path:
    """Find the folder of the decks that are being taught; they don't count yet."""
    return state_directory(environ) / DRAFTS


def tried_directory(environ: Mapping[str, str]) -> Path:
    """Say where what trials of decks taught is kept; it can be made anew."""
    return state_directory(environ) / "tried"


def evidence_directory(environ: Mapping[str, str]) -> Path:
    """Find the folder of the pictures that rulings rest on."""
    return state_directory(environ) / EVIDENCE


def table_path(environ: Mapping[str, str]) -> Path:
    """Find the calibration; the empty table's picture lies beside it, as PNG."""
    return state_directory(environ) / "table.json"


def links_path(environ: Mapping[str, str]) -> Path:
    """Find what lets phones in."""
    return state_directory(environ) / LINKS


def configuration_path(environ: Mapping[str, str]) -> Path:
    """Find the table's configuration."""
    given, of_service = (
        environ.get("CONFIGURATION_DIRECTORY", "").split(":")[0],
        service_folder("CONFIGURATION_DIRECTORY"),
    )
    own = user_config_path("coyote-table") / CONFIGURATION
    if given and Path(given) != of_service:
        return Path(given) / CONFIGURATION
    # the folder of the service is root's: until there is a file in it, a person's own counts for both
    if of_service is not None and ((of_service / CONFIGURATION).exists() or not own.exists()):
        return of_service / CONFIGURATION
    return own


def log_path(environ: Mapping[str, str]) -> Path:
    """Find the log."""
    given = environ.get("LOGS_DIRECTORY", "").split(":")[0]
    folder = Path(given) if given else service_folder("LOGS_DIRECTORY") or user_log_path("coyote-table")
    # a user without a home has it beside the state
    return (folder if folder.is_absolute() else state_directory(environ)) / "coyote.jsonl"
