"""Selection of releases: stable, newer than every version that ran, and signed as releases."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware.updates import releases
from firmware.updates.layout import Home, number_of
from firmware.updates.releases import STATEMENT, fetch, find_release, find_source
from firmware.updates.tools import UpdateError
from tests.firmware.updates.small_releases import Upstream, allowed, git, home_in, make_key


def test_only_stable_numbers_are_releases() -> None:
    assert [number_of(name) for name in ("v0.3.0", "v1.2", "v0.10.0")] == [(0, 3, 0), (1, 2, 0), (0, 10, 0)]
    for name in ("v0.3.0-beta", "v0.3.0rc1", "v0.3.0\n", "0.3.0", "v3"):
        assert number_of(name) is None


@pytest.fixture
def home(place: Path, upstream: Upstream) -> Home:
    return home_in(place / "home", str(upstream.folder))


def found(home: Home) -> str | None:
    fetch(home, find_source(home, None))
    release = find_release(home)
    return None if release is None else release.name


def _renamed(upstream: Upstream, name: str) -> None:
    upstream.tag("v0.1.9")
    git(upstream.folder, "update-ref", f"refs/tags/{name}", "refs/tags/v0.1.9")
    git(upstream.folder, "tag", "--delete", "v0.1.9")


def _moved(upstream: Upstream, name: str) -> None:
    """Change a signed text to a later commit."""
    before, later = git(upstream.folder, "rev-parse", "HEAD"), upstream.commit("another")
    upstream.tag(name, commit=before)
    upstream.forge(name, lambda said: said.replace(before, later, 1))


def _by_keyring(upstream: Upstream, name: str) -> None:
    """Sign with a key of the user's keyring, which git trusts by default."""
    command = ("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "coyote-table")
    subprocess.run(command, check=True)
    sign = ("-c", "gpg.format=openpgp", "tag", "--local-user", "coyote-table")
    git(upstream.folder, *sign, "--message", name, "--message", STATEMENT, name)
    git(upstream.folder, "verify-tag", name)


def _saying(text: str) -> Callable[[Upstream, str], object]:
    """Sign a trial tag as an owner of the key."""
    return lambda upstream, name: upstream.tag(name, said=text)


NO_RELEASES: dict[str, Callable[[Upstream, str], object]] = {
    "unsigned": lambda upstream, name: git(upstream.folder, "tag", "-a", "-m", STATEMENT, name),
    "light": lambda upstream, name: git(upstream.folder, "tag", name),
    "by a stranger": lambda upstream, name: upstream.tag(name, make_key(upstream.folder.parent, "strange")),
    "signed as a file": lambda upstream, name: upstream.forge(name, lambda said: said, "file"),
    "renamed": _renamed,
    "moved": _moved,
    "no statement": _saying("v0.3.0"),
    "another one's": _saying("This is a release of another thing."),
    "not yet": _saying(f"Not yet: {STATEMENT}"),
    **({"by keyring": _by_keyring} if shutil.which("gpg") else {}),
}


def test_release_without_trusted_signature_is_skipped_with_a_message(
    upstream: Upstream, home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a side branch that the source calls its main one: only signed data counts."""
    upstream.release("v0.2.0-rc1")
    git(upstream.folder, "checkout", "--quiet", "-b", "side")
    upstream.commit("v0.3.0")
    names = [f"v0.{number}.0" for number in range(3, 3 + len(NO_RELEASES))]
    # gpg's socket needs a short path
    with TemporaryDirectory() as keyring:
        monkeypatch.setenv("GNUPGHOME", keyring)
        for name, make in zip(names, NO_RELEASES.values(), strict=True):
            make(upstream, name)
        git(upstream.folder, "tag", "v9.0.0", git(upstream.folder, "hash-object", "-w", "version"))
        git(upstream.folder, "branch", "--force", "main", "side")
        assert found(home) is None
        if "by keyring" in NO_RELEASES:
            end = ("gpgconf", "--kill", "all")
            subprocess.run(end, check=False)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[0] for line in lines] == names[::-1]
    assert all("isn't signed as a release by a key in" in line for line in lines)
    upstream.release("v0.2.0")
    assert found(home) == "v0.2.0"


def test_unsigned_tags_are_not_verified_even_by_thousands(
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
    assert found(home) == "v0.2.0"
    assert [tag.rpartition("/")[2] for tag in asked] == ["v0.2.0"]


def test_checkout_without_history_accepts_only_newer_release(upstream: Upstream, place: Path) -> None:
    upstream.release("v0.2.0")
    older = upstream.copied(place / "older")
    upstream.commit("later")
    home = home_in(place / "in part", upstream.folder.as_uri(), "--depth=1")
    git(home.root, "remote", "set-url", "origin", older.folder.as_uri())
    for _time in range(2):
        with pytest.raises(UpdateError, match=r"history of the version that runs .*git fetch --unshallow"):
            found(home)
    upstream.release("v0.3.0")
    git(home.root, "remote", "set-url", "origin", upstream.folder.as_uri())
    assert found(home) == "v0.3.0"
    # its message helps, though the older source doesn't know the running version
    git(home.root, "fetch", "--quiet", "--unshallow", upstream.folder.as_uri())
    git(home.root, "remote", "set-url", "origin", older.folder.as_uri())
    assert found(home) is None


def test_new_key_is_valid_from_the_version_that_includes_it(upstream: Upstream, home: Home) -> None:
    other = make_key(upstream.folder.parent, "other")
    upstream.write(".ci/release-keys", allowed(other))
    upstream.release("v0.2.0")
    assert found(home) == "v0.2.0"
    git(home.root, "pull", "--quiet")
    upstream.release("v0.3.0")
    assert found(home) is None
    git(upstream.folder, "tag", "--delete", "v0.3.0")
    upstream.tag("v0.3.0", other)
    assert found(home) == "v0.3.0"


def test_without_key_every_update_is_rejected_in_one_line(upstream: Upstream, home: Home) -> None:
    upstream.release("v0.2.0")
    (home.root / ".ci" / "release-keys").write_text("# none yet\n", encoding="utf-8")
    keys = home.root / ".ci" / "release-keys"
    told = f"No update is taken: {keys} has no key to check releases with. docs/updates.md says how to add one."
    with pytest.raises(UpdateError, match=f"^{re.escape(told)}$"):
        found(home)
