"""Which release to take: the newest stable tag on the main line, if it is newer, and signed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.updates.errors import UpdateError
from firmware.updates.layout import COMMIT, IN_PLACE, Home, number_of
from firmware.updates.signatures import KEYS, check_signature, has_keys, parse_tag
from firmware.updates.sources import MAIN, TAGS
from firmware.updates.tools import git, run_tool


@dataclass(frozen=True)
class Release:
    """A version that may be taken."""

    name: str
    commit: str


def newest(tags: Mapping[str, str], main_line: Collection[str]) -> Release | None:
    """Choose the highest stable number among the tags whose commit lies on the main line."""
    there = [Release(name, commit) for name, commit in tags.items() if commit in main_line and number_of(name)]
    return max(there, key=lambda release: number_of(release.name) or (), default=None)


def require_keys(home: Home) -> Path:
    """Find the keys that releases are signed with: those of the version that runs."""
    keys = home.folder(home.current()) / KEYS
    if not has_keys(keys):
        raise UpdateError(f"Updates can't be checked without a release key in {keys}: none is taken.")
    return keys


def find_release(home: Home) -> Release | None:
    """Find the release to update to among what was fetched; None if what runs is the newest."""
    keys = require_keys(home)
    found = newest(_tags(home), _main_line(home))
    if found is None or not _is_newer(home, found):
        return None
    if not _is_signed(home, found, keys):
        raise UpdateError(f"{found.name} isn't signed by a key in {keys}: nothing was changed.")
    return found


def _tags(home: Home) -> dict[str, str]:
    """List the fetched tags with their commits."""
    form = "%(refname:lstrip=3) %(objectname) %(*objectname)"
    said = git(home.repository, "for-each-ref", f"--format={form}", TAGS)
    lines = [line.split() for line in said.splitlines()]
    return {line[0]: line[-1] for line in lines}


def _is_signed(home: Home, release: Release, keys: Path) -> bool:
    """Tell whether a release has a tag with a text of its own, made for it, and signed by one of the keys."""
    name = f"{TAGS}/{release.name}"
    if git(home.repository, "cat-file", "-t", name) != "tag":
        return False
    tag = parse_tag(run_tool("git", "-C", str(home.repository), "cat-file", "tag", name))
    return tag.is_about(release.name, release.commit) and check_signature(tag, keys)


def _main_line(home: Home) -> frozenset[str]:
    """List the commits of the main branch, without those of branches that were merged."""
    return frozenset(git(home.repository, "rev-list", "--first-parent", MAIN).split())


def _is_newer(home: Home, release: Release) -> bool:
    """Tell whether a release is neither older than what runs nor contained in it."""
    current = home.current()
    number = number_of(current)
    if number is not None and (number_of(release.name) or ()) <= number:
        return False
    return not _contains(home, commit_of(home, current), release.commit)


def _contains(home: Home, commit: str, other: str) -> bool:
    try:
        git(home.repository, "merge-base", "--is-ancestor", other, commit)
    except UpdateError:
        return False
    return True


def commit_of(home: Home, version: str) -> str:
    """Name the commit of a version."""
    if version == IN_PLACE:
        return git(home.root, "rev-parse", "HEAD")
    return (home.folder(version) / COMMIT).read_text(encoding="ascii").strip()
