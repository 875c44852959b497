"""Layout of versions: in `.versions/` of the checkout, each in a folder with its code and environment.

`.versions/current` links to the current version. The checkout itself is the version `..`. A new version is on
trial until it has started; `.versions/trial` names the one it replaced.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.tools import DRAFT, point_link, read_text, remove, write_whole

VERSIONS, CURRENT, BEFORE, IN_PLACE = ".versions", "current", "before", ".."
GUARD = "guard.pyz"
"""This package in one file outside of all versions, run before each start."""
REPOSITORY = "releases.git"
"""The repository for fetched releases; the checkout's own is for development."""
HIGHEST = "highest"
"""File with the highest release ever run; older ones are refused."""
RELEASE = re.compile(r"v(\d+)\.(\d+)(?:\.(\d+))?")
"""Names of releases; a suffix after the number is not allowed."""
TRIAL = "trial"


@dataclass(frozen=True)
class Home:
    """A checkout and its versions."""

    root: Path

    @property
    def versions(self) -> Path:
        return self.root / VERSIONS

    def folder(self, version: str) -> Path:
        return self.root if version == IN_PLACE else self.versions / version

    def current(self) -> str:
        """Return the current version; before the first update, the checkout."""
        version = self._target(CURRENT) or IN_PLACE
        return version if self.folder(version).is_dir() else IN_PLACE

    def before(self) -> str | None:
        before = self._target(BEFORE)
        return before if before != self.current() else None

    def switch(self, version: str) -> None:
        point_link(self.versions / CURRENT, version)

    def _target(self, link: str) -> str | None:
        path = self.versions / link
        return str(path.readlink()) if path.is_symlink() else None


def home_of(code: Path) -> Home | None:
    """Return the home of a version's code; None for other installations."""
    if code.parent.name == VERSIONS:
        return Home(code.parent.parent)
    return Home(code) if (code / ".git").exists() and (code / "run").exists() else None


def prune(home: Home, wanted: str) -> None:
    """Remove versions other than the current, the previous and the wanted one."""
    kept = {home.current(), home.before(), wanted, REPOSITORY}
    for path in home.versions.iterdir():
        is_version = path.is_dir() and not path.is_symlink()
        if path.name.startswith(DRAFT) or (is_version and path.name not in kept):
            remove(path)


def number_of(version: str) -> tuple[int, ...] | None:
    found = RELEASE.fullmatch(version)
    return tuple(int(part or 0) for part in found.groups()) if found else None


def is_whole(folder: Path) -> bool:
    return os.access(folder / ".venv" / "bin" / "coyote", os.X_OK)


@dataclass(frozen=True)
class Trial:
    """A current version that hasn't started successfully yet."""

    version: str
    before: str  # the previous version, used for a rollback
    tries: int = 0  # attempted starts of the new version


def find_trial(home: Home) -> Trial | None:
    match read_text(home.versions / TRIAL).split():
        case [version, before, tries] if version == home.current() and tries.isdecimal():
            return Trial(version, before, int(tries))
    return None


def note_trial(home: Home, trial: Trial) -> None:
    write_whole(home.versions / TRIAL, f"{trial.version} {trial.before} {trial.tries}".encode())


# Folders of the system service, which its user's commands use, too.
#
# systemd passes them only to the service, so that commands of the same user must find them by themselves.

NAME = "coyote-table"
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
