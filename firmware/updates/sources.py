"""Where releases come from, and go: where the checkout was cloned from, a mirror, a bundle, a USB stick."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.files import remove
from firmware.updates.layout import REPOSITORY, Home
from firmware.updates.tools import UpdateError, git, run_tool

WHEELS = "wheels"
"""The folder beside a repository or a bundle that has the packages: then no network is needed."""
TAGS = "refs/updates/tags"
"""Where what is fetched is kept."""
FETCHED = ("+refs/heads/main:refs/updates/main", f"+refs/tags/v*:{TAGS}/v*")
ANY_OWNER = "git -c 'safe.directory=*' upload-pack"
"""A stick may be another user's: what comes from it is believed by its signature only."""


@dataclass(frozen=True)
class Source:
    """What git can fetch from, and the packages beside it."""

    address: str
    wheels: Path | None = None


def find_source(home: Home, given: str | None) -> Source:
    """Find what releases come from; a folder may hold one repository or bundle, with packages beside it."""
    address = given or git(home.root, "config", "--default=", "remote.origin.url")
    if not address:
        raise UpdateError("This checkout has no origin: ./run update --from SOURCE")
    place = Path(address).resolve()
    if address.startswith("-") or not place.exists():
        return Source(address)
    is_source = place.is_file() or (place / "HEAD").exists() or (place / ".git").exists()
    found = [place] if is_source else sorted((*place.glob("*.git"), *place.glob("*.bundle")))
    if len(found) != 1:
        there = ", ".join(path.name for path in found) or "none"
        raise UpdateError(f"{place}: one repository (*.git) or bundle (*.bundle) is needed, here is {there}.")
    if any((found[0] / folder / "shallow").exists() for folder in ("", ".git")):
        raise UpdateError(f"{found[0]} lacks its history: make it anew, without --depth.")
    wheels = found[0].parent / WHEELS
    return Source(str(found[0]), wheels if wheels.is_dir() else None)


def fetch(home: Home, source: Source) -> None:
    """Fetch the main branch and the tags; what an earlier update broke is made anew."""
    try:
        with suppress(UpdateError):
            _fetch(home, source)
            return
        remove(home.versions / REPOSITORY)
        _fetch(home, source)
    except UpdateError as error:
        told = f"{source.address} can't be fetched: is the network, or the stick, there? ({error})"
        raise UpdateError(told) from error


def _fetch(home: Home, source: Source) -> None:
    repository = home.versions / REPOSITORY
    run_tool("git", "init", "--quiet", "--bare", "--template=", str(repository))
    own = Path(git(home.root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    if not (own / "shallow").exists():
        # what the checkout has already isn't fetched again
        (repository / "objects" / "info" / "alternates").write_text(f"{own}/objects\n", encoding="utf-8")
    local = ("--upload-pack", ANY_OWNER) if Path(source.address).is_dir() else ()
    options = ("--quiet", "--no-tags", "--prune", "--no-auto-maintenance", "--no-write-fetch-head", *local)
    git(repository, "fetch", *options, "--", source.address, *FETCHED)


def unpack_commit(repository: Path, commit: str, folder: Path) -> None:
    """Lay the code of a commit into a new folder; no other folder is touched."""
    remove(folder)
    folder.mkdir()
    packed = run_tool("git", "-C", str(repository), "-c", "tar.umask=user", "archive", commit)
    run_tool("tar", "-x", "-C", str(folder), given=packed)
