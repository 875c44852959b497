"""Which releases are taken: stable ones, on the main line, newer, and signed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.updates.errors import UpdateError
from firmware.updates.layout import Home, number_of
from firmware.updates.releases import Release, find_release
from firmware.updates.sources import fetch, find_source
from firmware.updates.update import lay_out
from tests.firmware.updates.small_releases import Upstream, allowed, git, make_key


def test_only_stable_numbers_are_releases() -> None:
    assert [number_of(name) for name in ("v0.3.0", "v1.2", "v0.10.0")] == [(0, 3, 0), (1, 2, 0), (0, 10, 0)]
    for name in ("v0.3.0-beta", "v0.3.0rc1", "v0.3.0\n", "0.3.0", "v3"):
        assert number_of(name) is None


@pytest.fixture
def home(place: Path, upstream: Upstream) -> Home:
    git(place, "clone", "--quiet", str(upstream.folder), str(place / "home"))
    made = Home(place / "home")
    lay_out(made)
    return made


def found(home: Home) -> Release | None:
    """Look for a release."""
    fetch(home, find_source(home, None))
    return find_release(home)


def test_neither_a_candidate_nor_a_side_branch_is_taken(upstream: Upstream, home: Home) -> None:
    git(upstream.folder, "checkout", "--quiet", "-b", "side")
    upstream.release("v0.3.0")
    git(upstream.folder, "checkout", "--quiet", "main")
    upstream.release("v0.2.0-rc1")
    assert found(home) is None
    upstream.release("v0.2.0")
    # merged later, it still isn't one of the main line
    git(upstream.folder, "merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    release = found(home)
    assert release is not None
    assert release.name == "v0.2.0"


def _renamed(upstream: Upstream) -> None:
    upstream.tag("v0.2.0")
    git(upstream.folder, "update-ref", "refs/tags/v0.3.0", "refs/tags/v0.2.0")


def _moved(upstream: Upstream) -> None:
    """Let a signed text be about a later commit."""
    before, later = git(upstream.folder, "rev-parse", "HEAD"), upstream.commit("another")
    upstream.tag("v0.2.0", commit=before)
    upstream.forge("v0.2.0", lambda said: said.replace(before, later, 1))


NO_RELEASES: dict[str, Callable[[Upstream], object]] = {
    "unsigned": lambda upstream: git(upstream.folder, "tag", "--annotate", "--message", "x", "v0.2.0"),
    "light": lambda upstream: git(upstream.folder, "tag", "v0.2.0"),
    "by a stranger": lambda upstream: upstream.tag("v0.2.0", make_key(upstream.folder.parent, "strange")),
    "signed as a file": lambda upstream: upstream.forge("v0.2.0", lambda said: said, "file"),
    "renamed": _renamed,
    "moved": _moved,
}


@pytest.mark.parametrize("what", NO_RELEASES)
def test_a_release_that_no_trusted_key_has_signed_is_refused_in_a_line(
    upstream: Upstream, home: Home, what: str
) -> None:
    upstream.commit("v0.2.0")
    NO_RELEASES[what](upstream)
    with pytest.raises(UpdateError, match=r"v0\.[23]\.0 isn't signed by a key in .*: nothing was changed\.$"):
        found(home)


def test_a_new_key_counts_from_the_version_on_that_brings_it(upstream: Upstream, home: Home) -> None:
    other = make_key(upstream.folder.parent, "other")
    upstream.write(".ci/release-keys", allowed(other))
    upstream.release("v0.2.0")
    assert found(home) is not None
    git(home.root, "pull", "--quiet")
    upstream.release("v0.3.0")
    with pytest.raises(UpdateError, match="isn't signed"):
        found(home)
    git(upstream.folder, "tag", "--delete", "v0.3.0")
    upstream.tag("v0.3.0", other)
    assert found(home) is not None


def test_without_a_key_every_update_is_refused_in_a_line(upstream: Upstream, home: Home) -> None:
    upstream.release("v0.2.0")
    (home.root / ".ci" / "release-keys").write_text("# none yet\n", encoding="utf-8")
    with pytest.raises(
        UpdateError, match=r"^Updates can't be checked without a release key in .*: none is taken\.$"
    ):
        found(home)
