"""Where releases come from, and go: where the checkout was cloned from, a mirror, a bundle, a USB stick."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.files import remove, write_whole
from firmware.updates.layout import COMMIT, Home
from firmware.updates.tools import UpdateError, git, run_tool

WHEELS = "wheels"
"""The folder beside a repository or a bundle that has the packages: then no network is needed."""
ENDINGS = (".git", ".bundle")
MAIN, TAGS = "refs/updates/main", "refs/updates/tags"
"""Where what is fetched is kept."""
FETCHED = (f"+refs/heads/main:{MAIN}", f"+refs/tags/v*:{TAGS}/v*")
ANY_OWNER = "git -c 'safe.directory=*' upload-pack"
"""A stick may be another user's: what comes from it is believed by its signature only."""


@dataclass(frozen=True)
class Source:
    """What git can fetch from, and the packages beside it."""

    address: str
    wheels: Path | None = None


def find_source(home: Home, given: str | None) -> Source:
    """Find what releases come from; a folder may hold one repository or bundle, with packages beside it."""
    address = given or _origin(home)
    place = Path(address).resolve()
    if address.startswith("-") or not place.exists():
        return Source(address)
    found = place if place.is_file() or (place / "HEAD").exists() else _repository_in(place)
    if any((found / folder / "shallow").exists() for folder in ("", ".git")):
        raise UpdateError(f"{found} lacks its history: make it anew, without --depth.")
    wheels = found.parent / WHEELS
    return Source(str(found), wheels if wheels.is_dir() else None)


def _origin(home: Home) -> str:
    try:
        return git(home.root, "remote", "get-url", "origin")
    except UpdateError as error:
        raise UpdateError("This checkout has no origin: ./run update --from SOURCE") from error


def _repository_in(folder: Path) -> Path:
    """Find the one repository or bundle in a folder, or take the folder as a checkout."""
    if (folder / ".git").exists():
        return folder
    found = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    if len(found) != 1:
        there = ", ".join(path.name for path in found) or "none"
        raise UpdateError(f"{folder}: one repository (*.git) or bundle (*.bundle) is needed, here is {there}.")
    return found[0]


def fetch(home: Home, source: Source) -> None:
    """Fetch the main branch and the tags; what an earlier update broke is made anew."""
    try:
        with suppress(UpdateError):
            _fetch(home, source)
            return
        remove(home.repository)
        _fetch(home, source)
    except UpdateError as error:
        told = f"{source.address} can't be fetched: is the network, or the stick, there? ({error})"
        raise UpdateError(told) from error


def _fetch(home: Home, source: Source) -> None:
    run_tool("git", "init", "--quiet", "--bare", "--template=", str(home.repository))
    # what the checkout has already isn't fetched again
    if git(home.root, "rev-parse", "--is-shallow-repository") == "false":
        objects = (home.root / git(home.root, "rev-parse", "--git-path", "objects")).resolve()
        alternates = home.repository / "objects" / "info" / "alternates"
        alternates.parent.mkdir(parents=True, exist_ok=True)
        alternates.write_text(f"{objects}\n", encoding="utf-8")
    local = ("--upload-pack", ANY_OWNER) if Path(source.address).is_dir() else ()
    options = ("--quiet", "--no-tags", "--prune", "--no-auto-maintenance", "--no-write-fetch-head", *local)
    git(home.repository, "fetch", *options, "--", source.address, *FETCHED)


INDEX = ".index"


def unpack_commit(repository: Path, commit: str, folder: Path) -> None:
    """Lay the code of a commit into a new folder; no other folder is touched."""
    remove(folder)
    folder.mkdir()
    environ = {**os.environ, "GIT_INDEX_FILE": str(folder / INDEX)}
    git_folder = git(repository, "rev-parse", "--absolute-git-dir")
    git(folder, f"--git-dir={git_folder}", "--work-tree=.", "checkout", commit, "--", ".", environ=environ)
    (folder / INDEX).unlink()
    write_whole(folder / COMMIT, commit.encode())
