"""Which releases are taken: stable ones, newer than all that ran, and signed as releases."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware.updates import releases
from firmware.updates.layout import Home, number_of
from firmware.updates.releases import STATEMENT, Release, find_release
from firmware.updates.sources import fetch, find_source
from firmware.updates.tools import UpdateError
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


def name_found(home: Home) -> str | None:
    """Name the release that is found."""
    release = found(home)
    return None if release is None else release.name


@pytest.mark.parametrize("said", ["v0.3.0", "This is a release of another thing.", f"Not yet: {STATEMENT}"])
def test_what_is_signed_says_that_it_is_a_release_and_not_the_branch_on_which_a_source_shows_it(
    upstream: Upstream, home: Home, said: str
) -> None:
    upstream.release("v0.2.0-rc1")
    git(upstream.folder, "checkout", "--quiet", "-b", "side")
    upstream.commit("v0.3.0")
    # tried out by who has the key, by a tag of its own
    upstream.tag("v0.3.0", said=said)
    # and a source can call any branch its main one
    git(upstream.folder, "branch", "--force", "main", "side")
    assert name_found(home) is None
    upstream.release("v0.2.0")
    assert name_found(home) == "v0.2.0"


def test_releases_that_no_key_has_signed_are_passed_over_and_said(
    upstream: Upstream, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.release("v0.2.0")
    upstream.commit("v9.0.0")
    git(upstream.folder, "tag", "--annotate", "--message", STATEMENT, "v9.0.0")
    git(upstream.folder, "tag", "v9.1.0", git(upstream.folder, "hash-object", "-w", "version"))
    assert name_found(home) == "v0.2.0"
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[0] for line in told] == ["v9.1.0", "v9.0.0"]
    assert all("isn't signed as a release by a key in" in line for line in told)


# older ones


def _cloned_in_part(place: Path, upstream: Upstream) -> Home:
    """Check out what is newest, without its history."""
    git(place, "clone", "--quiet", "--depth=1", upstream.folder.as_uri(), str(place / "in part"))
    made = Home(place / "in part")
    lay_out(made)
    return made


def test_without_its_history_a_checkout_takes_no_older_release(upstream: Upstream, place: Path) -> None:
    upstream.release("v0.2.0")
    older = upstream.copied(place / "older")
    upstream.commit("later")
    home = _cloned_in_part(place, upstream)
    git(home.root, "remote", "set-url", "origin", older.folder.as_uri())
    for _time in range(2):
        with pytest.raises(UpdateError, match=r"history of the version that runs .*git fetch --unshallow"):
            found(home)
    # what it says helps, though the older source knows nothing of what runs
    git(home.root, "fetch", "--quiet", "--unshallow", upstream.folder.as_uri())
    assert name_found(home) is None
    upstream.release("v0.3.0")
    git(home.root, "remote", "set-url", "origin", upstream.folder.as_uri())
    assert name_found(home) == "v0.3.0"


def test_a_checkout_without_history_takes_a_newer_release(upstream: Upstream, place: Path) -> None:
    home = _cloned_in_part(place, upstream)
    upstream.release("v0.2.0")
    assert name_found(home) == "v0.2.0"


def _renamed(upstream: Upstream) -> None:
    upstream.tag("v0.2.0")
    git(upstream.folder, "update-ref", "refs/tags/v0.3.0", "refs/tags/v0.2.0")
    git(upstream.folder, "tag", "--delete", "v0.2.0")


def _moved(upstream: Upstream) -> None:
    """Let a signed text be about a later commit."""
    before, later = git(upstream.folder, "rev-parse", "HEAD"), upstream.commit("another")
    upstream.tag("v0.2.0", commit=before)
    upstream.forge("v0.2.0", lambda said: said.replace(before, later, 1))


def _sign_by_keyring(upstream: Upstream) -> None:
    """Sign with a key of the user's own keyring, which git by itself believes."""
    command = ("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "coyote-table")
    subprocess.run(command, check=True)
    sign = ("-c", "gpg.format=openpgp", "tag", "--local-user", "coyote-table")
    git(upstream.folder, *sign, "--message", "v0.2.0", "--message", STATEMENT, "v0.2.0")
    git(upstream.folder, "verify-tag", "v0.2.0")


NO_RELEASES: dict[str, Callable[[Upstream], object]] = {
    "unsigned": lambda upstream: git(upstream.folder, "tag", "--annotate", "--message", STATEMENT, "v0.2.0"),
    "light": lambda upstream: git(upstream.folder, "tag", "v0.2.0"),
    "by a stranger": lambda upstream: upstream.tag("v0.2.0", make_key(upstream.folder.parent, "strange")),
    "signed as a file": lambda upstream: upstream.forge("v0.2.0", lambda said: said, "file"),
    "renamed": _renamed,
    "moved": _moved,
}


@pytest.mark.parametrize("what", NO_RELEASES)
def test_a_release_that_no_trusted_key_has_signed_is_passed_over_with_a_line(
    upstream: Upstream, home: Home, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit("v0.2.0")
    NO_RELEASES[what](upstream)
    assert name_found(home) is None
    assert re.search(r"v0\.[23]\.0 isn't signed as a release by a key in ", capsys.readouterr().err)


def test_of_thousands_of_tags_that_nobody_signed_none_is_checked(
    upstream: Upstream, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.release("v0.2.0")
    commit = git(upstream.folder, "rev-parse", "HEAD")
    for number in range(200):
        git(upstream.folder, "update-ref", f"refs/tags/v0.{300 + number}.0", commit)
    asked = list[str]()
    read = releases.read_signed
    monkeypatch.setattr(
        releases, "read_signed", lambda where, tag, keys: asked.append(tag) or read(where, tag, keys)
    )
    assert name_found(home) == "v0.2.0"
    assert [tag.rpartition("/")[2] for tag in asked] == ["v0.2.0"]


@pytest.mark.skipif(shutil.which("gpg") is None, reason="there is no GnuPG")
def test_a_release_that_is_signed_by_another_kind_of_key_is_passed_over(
    upstream: Upstream, home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit("v0.2.0")
    # gpg's socket has a short name
    with TemporaryDirectory() as keyring:
        monkeypatch.setenv("GNUPGHOME", keyring)
        _sign_by_keyring(upstream)
        assert name_found(home) is None
        end = ("gpgconf", "--kill", "all")
        subprocess.run(end, check=False)
    assert "v0.2.0 isn't signed as a release" in capsys.readouterr().err


def test_a_new_key_counts_from_the_version_on_that_brings_it(upstream: Upstream, home: Home) -> None:
    other = make_key(upstream.folder.parent, "other")
    upstream.write(".ci/release-keys", allowed(other))
    upstream.release("v0.2.0")
    assert found(home) is not None
    git(home.root, "pull", "--quiet")
    upstream.release("v0.3.0")
    assert found(home) is None
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
