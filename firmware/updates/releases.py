"""Chooses the newest signed release, never one older than any version that ran here.

A release is a tag with a statement, signed with SSH by a key in `.ci/release-keys` of the current version.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.layout import HIGHEST, REPOSITORY, Home, number_of
from firmware.updates.tools import UpdateError, git, read_text, remove, report, run_tool

KEYS = ".ci/release-keys"
STATEMENT = "This is a release of Coyote Table."
"""The line that makes a signed tag a release, written by `.ci/release`; other signed tags lack it."""
SSH_ALONE = (
    *("-c", "gpg.ssh.program=ssh-keygen"),
    *("-c", "gpg.openpgp.program=false"),
    *("-c", "gpg.x509.program=false"),
    *("-c", "gpg.minTrustLevel=fully"),
)
"""Git options for verification; keys in the user's own keyring don't count."""
SAID = "--format=%(type) %(object) %(tag)%0a%(contents:subject)%0a%(contents:body)"
"""Git format for the signed content of a tag."""
SIGNED = "%(if)%(contents:signature)%(then)+%(else)-%(end)"


def is_release(said: str, name: str, commit: str) -> bool:
    head, *text = said.split("\n")
    return head == f"commit {commit} {name}" and STATEMENT in text


def read_signed(repository: Path, tag: str, keys: Path) -> str:
    """Return a tag's content if one of the keys has signed it as a tag; empty otherwise."""
    if shutil.which("ssh-keygen") is None:
        raise UpdateError("ssh-keygen is missing: sudo apt install openssh-client, then try again.")
    signers = ("-c", f"gpg.ssh.allowedSignersFile={keys}")
    try:
        return git(repository, *SSH_ALONE, *signers, "verify-tag", SAID, tag)
    except UpdateError:
        return ""


@dataclass(frozen=True)
class Release:
    """A candidate for an update."""

    name: str
    commit: str
    number: tuple[int, ...]
    is_signed: bool


def require_keys(home: Home) -> Path:
    keys = home.folder(home.current()) / KEYS
    if not re.search("^coyote-table ", read_text(keys), re.MULTILINE):
        message = f"No update is taken: {keys} has no key to check releases with"
        raise UpdateError(f"{message}. docs/updates.md says how to add one.")
    return keys


def find_release(home: Home) -> Release | None:
    keys, highest = require_keys(home), read_text(home.versions / HIGHEST)
    for release in _newer(home):
        if release.number < (number_of(highest) or ()):
            why = f"is older than {highest}, which ran here"
        elif not (release.is_signed and _is_believed(home, release, keys)):
            # ssh-keygen would take seconds for thousands of unsigned tags
            why = f"isn't signed as a release by a key in {keys}"
        else:
            return release
        report(f"{release.name} {why}: it is passed over.")
    return None


def _is_believed(home: Home, release: Release, keys: Path) -> bool:
    said = read_signed(home.versions / REPOSITORY, f"{TAGS}/{release.name}", keys)
    return is_release(said, release.name, release.commit)


def _newer(home: Home) -> Iterator[Release]:
    running, form = number_of(home.current()), f"%(refname:lstrip=3) %(objectname) %(*objectname) {SIGNED}"
    options = ["--sort=-version:refname", f"--format={form}"]
    if running is None:
        # numbers are signed, so the history is needed only if no release is running
        options.append(f"--no-merged={git(home.root, 'rev-parse', 'HEAD')}")
    try:
        said = git(home.versions / REPOSITORY, "for-each-ref", *options, TAGS)
    except UpdateError as error:
        message = "The history of the version that runs isn't there, so that no release is known to be newer"
        raise UpdateError(f"{message}: git fetch --unshallow, then try again.") from error
    for name, *ids, mark in map(str.split, said.splitlines()):
        number = number_of(name) or ()
        if number > (running or ()):
            yield Release(name, ids[-1], number, mark == "+")


# sources of releases: the checkout's origin, a mirror, a bundle, a USB stick

WHEELS = "wheels"
"""Folder of packages beside a repository or bundle, for updates without a network."""
TAGS = "refs/updates/tags"
FETCHED = ("+refs/heads/main:refs/updates/main", f"+refs/tags/v*:{TAGS}/v*")
ANY_OWNER = "git -c 'safe.directory=*' upload-pack"
"""A stick may have another owner; its content is trusted by signature only."""


@dataclass(frozen=True)
class Source:
    """A git source, and the packages beside it."""

    address: str
    wheels: Path | None = None


def find_source(home: Home, given: str | None) -> Source:
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
    """Fetch the main branch and the tags; a damaged repository is recreated."""
    try:
        with suppress(UpdateError):
            _fetch(home, source)
            return
        remove(home.versions / REPOSITORY)
        _fetch(home, source)
    except UpdateError as error:
        message = f"{source.address} can't be fetched: is the network, or the stick, there? ({error})"
        raise UpdateError(message) from error


def _fetch(home: Home, source: Source) -> None:
    repository = home.versions / REPOSITORY
    run_tool("git", "init", "--quiet", "--bare", "--template=", str(repository))
    own = Path(git(home.root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    if not (own / "shallow").exists():
        # don't fetch objects that the checkout already has
        (repository / "objects" / "info" / "alternates").write_text(f"{own}/objects\n", encoding="utf-8")
    local = ("--upload-pack", ANY_OWNER) if Path(source.address).is_dir() else ()
    options = ("--quiet", "--no-tags", "--prune", "--no-auto-maintenance", "--no-write-fetch-head", *local)
    git(repository, "fetch", *options, "--", source.address, *FETCHED)


def unpack_commit(repository: Path, commit: str, folder: Path) -> None:
    """Unpack a commit's code into a new folder."""
    remove(folder)
    folder.mkdir()
    packed = run_tool("git", "-C", str(repository), "-c", "tar.umask=user", "archive", commit)
    run_tool("tar", "-x", "-C", str(folder), given=packed)
