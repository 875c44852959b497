"""Where versions lie: in `.versions/` of the checkout, each in a folder with its code and its environment.

`.versions/current` is a link to the one that runs. The checkout is a version, too: the one called `..`.
One that was switched to is on trial until it has come up: what it replaced stands in `.versions/trial`.
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
"""This room, packed into one file outside of all versions: what is asked before each start."""
REPOSITORY = "releases.git"
"""The folder of what was fetched: the repository of the checkout is for people who work in it."""
HIGHEST = "highest"
"""The file that names the highest release that was ever switched to: no older one is taken from then on."""
RELEASE = re.compile(r"v(\d+)\.(\d+)(?:\.(\d+))?")
"""How releases are called; what has anything after its number is none."""
TRIAL = "trial"


@dataclass(frozen=True)
class Home:
    """A checkout, and the versions in it."""

    root: Path

    @property
    def versions(self) -> Path:
        return self.root / VERSIONS

    def folder(self, version: str) -> Path:
        return self.root if version == IN_PLACE else self.versions / version

    def current(self) -> str:
        """Name the version that runs; before the first update that is the checkout."""
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
    """Find the home of a version by its code; a package that was installed otherwise has none."""
    if code.parent.name == VERSIONS:
        return Home(code.parent.parent)
    return Home(code) if (code / ".git").exists() and (code / "run").exists() else None


def prune(home: Home, wanted: str) -> None:
    """Remove the versions that neither run, nor are gone back to, nor are wanted."""
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
    """A version that runs, and hasn't come up yet."""

    version: str
    before: str  # the version that ran until then, and that one goes back to
    tries: int = 0  # starts of the new version that were begun


def find_trial(home: Home) -> Trial | None:
    match read_text(home.versions / TRIAL).split():
        case [version, before, tries] if version == home.current() and tries.isdecimal():
            return Trial(version, before, int(tries))
    return None


def note_trial(home: Home, trial: Trial) -> None:
    write_whole(home.versions / TRIAL, f"{trial.version} {trial.before} {trial.tries}".encode())


# The folders of the system's service: the user as whom it runs sees the same, from any terminal.
#
# systemd gives the state to that user and names it to the service alone; a command that the same user types has
# to find it by itself.

NAME = "coyote-table"
ROOT = Path("/")
PLACES: Mapping[str, str] = {
    "STATE_DIRECTORY": "var/lib",
    "CONFIGURATION_DIRECTORY": "etc",
    "LOGS_DIRECTORY": "var/log",
}
"""Where systemd keeps what it names to a service by these variables."""


def state_directory() -> Path:
    """Find the folder that survives: systemd names it to a service, whose user finds it, too."""
    usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
    # as a text: a path raises where no home is known
    own = os.environ.get("XDG_DATA_HOME") or os.path.expanduser(usual)  # noqa: PTH111
    return named_folder("STATE_DIRECTORY") or service_folder("STATE_DIRECTORY") or Path(own, NAME)


def named_folder(variable: str) -> Path | None:
    """Give the folder that systemd names to a service, the first of several."""
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
