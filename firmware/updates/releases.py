"""Which release to take: the newest that is signed as one; never an older one than what runs, or ever ran.

A release is a tag that says so, signed with SSH by a key in `.ci/release-keys` of the version that runs.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.updates.files import read_text
from firmware.updates.layout import COMMIT, HIGHEST, IN_PLACE, Home, number_of
from firmware.updates.sources import TAGS
from firmware.updates.tools import UpdateError, git, report, run_tool

KEYS = ".ci/release-keys"
SIGNER = "coyote-table"
"""Whose keys count in it."""
SEAL = b"-----BEGIN SSH SIGNATURE-----"
STATEMENT = "This is a release of Coyote Table."
"""The line by which a signed tag is a release: `.ci/release` writes it, other tags of the key have none."""


@dataclass(frozen=True)
class SignedTag:
    """A tag as git keeps it: what it says, and the signature of that."""

    said: bytes
    seal: bytes

    def is_release(self, name: str, commit: str) -> bool:
        """Return whether it makes this commit the release of this name, and isn't another one's, renamed."""
        head, _blank, text = self.said.decode(errors="replace").partition("\n\n")
        fields = {f"object {commit}", "type commit", f"tag {name}"}
        return fields <= set(head.split("\n")) and STATEMENT in text.split("\n")


def parse_tag(content: bytes) -> SignedTag:
    """Part a tag from its signature."""
    said, seal, rest = content.partition(SEAL)
    return SignedTag(said, seal + rest)


def check_signature(tag: SignedTag, keys: Path) -> bool:
    """Return whether one of the keys has signed a tag, as a tag."""
    with TemporaryDirectory() as folder:
        seal = Path(folder, "seal")
        seal.write_bytes(tag.seal)
        command = ("ssh-keygen", "-Y", "verify", "-f", str(keys), "-I", SIGNER, "-n", "git", "-s", str(seal))
        try:
            run_tool(*command, given=tag.said)
        except UpdateError as error:
            if "is missing" in str(error):
                raise
            return False
        return True


@dataclass(frozen=True)
class Release:
    """A version that may be taken."""

    name: str
    commit: str

    @property
    def number(self) -> tuple[int, ...]:
        """Give its number; what isn't a stable one is below all."""
        return number_of(self.name) or ()


def require_keys(home: Home) -> Path:
    """Find the keys that releases are signed with: those of the version that runs."""
    keys = home.folder(home.current()) / KEYS
    try:
        has_keys = any(line.startswith(f"{SIGNER} ") for line in keys.read_text(encoding="utf-8").splitlines())
    except OSError:
        has_keys = False
    if not has_keys:
        raise UpdateError(f"Updates can't be checked without a release key in {keys}: none is taken.")
    return keys


def find_release(home: Home) -> Release | None:
    """Find the release to update to among what was fetched; what is no release holds none up."""
    keys, highest = require_keys(home), read_text(home.versions / HIGHEST)
    for release in _newer(home):
        if release.number < (number_of(highest) or ()):
            why = f"is older than {highest}, which ran here"
        elif not _is_signed(home, release, keys):
            why = f"isn't signed as a release by a key in {keys}"
        else:
            return release
        report(f"{release.name} {why}: it is passed over.")
    return None


def _newer(home: Home) -> list[Release]:
    """List what calls itself a release and would be newer than what runs, the highest number first."""
    current, form = home.current(), "%(refname:lstrip=3) %(objectname) %(*objectname)"
    running = number_of(current) or ()
    # numbers are signed, so that history is asked for only where none runs
    within = frozenset[str]() if running else _history(home, commit_of(home, current))
    said = git(home.repository, "for-each-ref", f"--format={form}", TAGS)
    there = [Release(line.split()[0], line.split()[-1]) for line in said.splitlines()]
    newer = [each for each in there if each.number > running and each.commit not in within]
    return sorted(newer, key=lambda release: release.number, reverse=True)


def _history(home: Home, commit: str) -> frozenset[str]:
    """List a commit and all that it stands on: where that can't be seen, nothing is known to be newer."""
    try:
        return frozenset(git(home.repository, "rev-list", commit).split())
    except UpdateError as error:
        told = "The history of the version that runs isn't there, so that no release is known to be newer"
        raise UpdateError(f"{told}: git fetch --unshallow, then try again.") from error


def _is_signed(home: Home, release: Release, keys: Path) -> bool:
    """Return whether a release has a tag with a text of its own, made for it, and signed by one of the keys."""
    name = f"{TAGS}/{release.name}"
    if git(home.repository, "cat-file", "-t", name) != "tag":
        return False
    tag = parse_tag(run_tool("git", "-C", str(home.repository), "cat-file", "tag", name))
    return tag.is_release(release.name, release.commit) and check_signature(tag, keys)


def commit_of(home: Home, version: str) -> str:
    """Name the commit of a version."""
    if version == IN_PLACE:
        return git(home.root, "rev-parse", "HEAD")
    return (home.folder(version) / COMMIT).read_text(encoding="ascii").strip()
