"""Where versions lie: in `.versions/` of the checkout, each in a folder with its code and its environment.

`.versions/current` is a link to the one that runs. The checkout is a version, too: the one called `..`.
How far an update is stands in `.versions/update.json`, written anew after each step.
"""

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeGuard, get_args

from firmware.updates.files import DRAFT, point_link, read_text, remove, write_whole

VERSIONS, CURRENT, BEFORE, IN_PLACE = ".versions", "current", "before", ".."
HIGHEST = "highest"
"""The file that names the highest release that was ever switched to: no older one is taken from then on."""
COMMIT = ".commit"
"""The file in a version's folder that names its commit."""
EARLIER = ".venv-before"
"""The environment of the version before, where version 0.1.0 has updated in place."""
RELEASE = re.compile(r"v(\d+)\.(\d+)(?:\.(\d+))?")
"""How releases are called; what has anything after its number is none."""


@dataclass(frozen=True)
class Home:
    """A checkout, and the versions in it."""

    root: Path

    @property
    def versions(self) -> Path:
        """Give the folder of the versions."""
        return self.root / VERSIONS

    @property
    def repository(self) -> Path:
        """Give the place of what was fetched: that of the checkout is for people who work in it."""
        return self.versions / "releases.git"

    @property
    def link(self) -> Path:
        """Give the link to the version that runs."""
        return self.versions / CURRENT

    @property
    def before_link(self) -> Path:
        """Give the link to the version that one goes back to."""
        return self.versions / BEFORE

    def folder(self, version: str) -> Path:
        """Give the folder of a version."""
        return self.root if version == IN_PLACE else self.versions / version

    def current(self) -> str:
        """Name the version that runs; before the first update that is the checkout."""
        version = _target(self.link) or IN_PLACE
        return version if self.folder(version).is_dir() else IN_PLACE

    def before(self) -> str | None:
        """Name the version that one goes back to, if there is one."""
        before = _target(self.before_link)
        return before if before not in {None, self.current()} else None

    def switch(self, version: str) -> None:
        """Let another version run from now on."""
        point_link(self.link, version)


def _target(link: Path) -> str | None:
    try:
        return str(link.readlink())
    except OSError:
        return None


def home_of(code: Path) -> Home | None:
    """Find the home of a version by its code; a package that was installed otherwise has none."""
    if code.parent.name == VERSIONS:
        return Home(code.parent.parent)
    return Home(code) if (code / ".git").exists() and (code / "run").exists() else None


def prune(home: Home, built: str) -> None:
    """Remove the versions that neither run, nor are gone back to, nor are being built."""
    kept = {home.current(), home.before(), built, home.repository.name}
    for path in home.versions.iterdir():
        is_version = path.is_dir() and not path.is_symlink()
        if path.name.startswith(DRAFT) or (is_version and path.name not in kept):
            remove(path)
    if home.current() != IN_PLACE:
        remove(home.root / EARLIER)


def number_of(version: str) -> tuple[int, ...] | None:
    """Give the number of a release; None if it isn't one."""
    found = RELEASE.fullmatch(version)
    return tuple(int(part or 0) for part in found.groups()) if found else None


def is_whole(folder: Path) -> bool:
    """Return whether a version can be started."""
    return os.access(folder / ".venv" / "bin" / "coyote", os.X_OK)


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
    """Return whether an update can be gone on with: its version was never started."""
    return update is not None and update.reached not in {"proven", "returned"} and not update.tries


def is_on_trial(update: Update | None, home: Home) -> TypeGuard[Update]:
    """Return whether a version runs that hasn't come up yet."""
    return update is not None and update.reached == "trial" and home.current() == update.version
