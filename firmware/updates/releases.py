"""Which release to take: the newest that is signed as one; never an older one than what runs, or ever ran.

A release is a tag that says so, signed with SSH by a key in `.ci/release-keys` of the version that runs.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.files import read_text
from firmware.updates.layout import COMMIT, HIGHEST, IN_PLACE, Home, number_of
from firmware.updates.sources import TAGS
from firmware.updates.tools import PACKAGES, UpdateError, git, report

KEYS = ".ci/release-keys"
SIGNER = "coyote-table"
"""Whose keys are in it."""
STATEMENT = "This is a release of Coyote Table."
"""The line by which a signed tag is a release: `.ci/release` writes it, other tags of the key have none."""
SSH_ALONE = (
    *("-c", "gpg.ssh.program=ssh-keygen"),
    *("-c", "gpg.openpgp.program=false"),
    *("-c", "gpg.x509.program=false"),
    *("-c", "gpg.minTrustLevel=fully"),
)
"""How git checks signatures: no key in a user's own keyring counts."""
SAID = "--format=%(type) %(object) %(tag)%0a%(contents:subject)%0a%(contents:body)"
"""How git prints what is signed in a tag."""

SIGNED = "%(if)%(contents:signature)%(then)+%(else)-%(end)"
"""How git prints whether a tag has a signature."""


def is_release(said: str, name: str, commit: str) -> bool:
    """Return whether a tag makes this commit the release of this name, and isn't another one's, renamed."""
    head, *text = said.split("\n")
    return head == f"commit {commit} {name}" and STATEMENT in text


def read_signed(repository: Path, tag: str, keys: Path) -> str:
    """Read what a tag says, if one of the keys has signed it, as a tag; else nothing."""
    if shutil.which("ssh-keygen") is None:
        raise UpdateError(f"ssh-keygen is missing: sudo apt install {PACKAGES['ssh-keygen']}, then try again.")
    signers = ("-c", f"gpg.ssh.allowedSignersFile={keys}")
    try:
        return git(repository, *SSH_ALONE, *signers, "verify-tag", SAID, tag)
    except UpdateError:
        return ""


@dataclass(frozen=True)
class Release:
    """A version that may be taken."""

    name: str
    commit: str
    is_signed: bool = True
    """Whether its tag has a signature, by whomever."""

    @property
    def number(self) -> tuple[int, ...]:
        """Give its number; what isn't a stable one is below all."""
        return number_of(self.name) or ()


def require_keys(home: Home) -> Path:
    """Find the keys that releases are signed with: those of the version that runs."""
    keys = home.folder(home.current()) / KEYS
    if not re.search(rf"^{SIGNER} ", read_text(keys), re.MULTILINE):
        raise UpdateError(f"Updates can't be checked without a release key in {keys}: none is taken.")
    return keys


def find_release(home: Home) -> Release | None:
    """Find the release to update to among what was fetched; what is no release holds none up."""
    keys, highest = require_keys(home), read_text(home.versions / HIGHEST)
    for release in _newer(home):
        # ssh-keygen would take seconds for thousands of unsigned tags
        said = read_signed(home.repository, f"{TAGS}/{release.name}", keys) if release.is_signed else ""
        if release.number < (number_of(highest) or ()):
            why = f"is older than {highest}, which ran here"
        elif not is_release(said, release.name, release.commit):
            why = f"isn't signed as a release by a key in {keys}"
        else:
            return release
        report(f"{release.name} {why}: it is passed over.")
    return None


def _newer(home: Home) -> list[Release]:
    """List what calls itself a release and would be newer than what runs, the highest number first."""
    current, form = home.current(), f"%(refname:lstrip=3) %(objectname) %(*objectname) {SIGNED}"
    running = number_of(current) or ()
    # numbers are signed, so that history is asked for only where none runs
    within = frozenset[str]() if running else _history(home, commit_of(home, current))
    said = git(home.repository, "for-each-ref", f"--format={form}", TAGS)
    there = [Release(name, ids[-1], mark == "+") for name, *ids, mark in map(str.split, said.splitlines())]
    newer = [each for each in there if each.number > running and each.commit not in within]
    return sorted(newer, key=lambda release: release.number, reverse=True)


def _history(home: Home, commit: str) -> frozenset[str]:
    """List a commit and all that it stands on: where that can't be seen, nothing is known to be newer."""
    try:
        return frozenset(git(home.repository, "rev-list", commit).split())
    except UpdateError as error:
        told = "The history of the version that runs isn't there, so that no release is known to be newer"
        raise UpdateError(f"{told}: git fetch --unshallow, then try again.") from error


def commit_of(home: Home, version: str) -> str:
    """Name the commit of a version."""
    if version == IN_PLACE:
        return git(home.root, "rev-parse", "HEAD")
    return (home.folder(version) / COMMIT).read_text(encoding="ascii").strip()
