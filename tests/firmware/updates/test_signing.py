"""`.ci/release --sign KEY`: main becomes the next release, and tables accept it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.updates.releases import fetch, find_release, find_source
from tests.firmware.updates.small_releases import ROOT, SETTINGS, Upstream, allowed, git, home_in, make_key
from tests.given import present


def signed(upstream: Upstream, version: str, key: Path | None = None) -> tuple[int, str]:
    """Commit a version in the current folder, and sign it."""
    upstream.write("pyproject.toml", f'[project]\nversion = "{version}"\n')
    upstream.write("CHANGELOG.md", f"# Changelog\n\n## {version} (2026-11-26)\n\n## 0.0.1 (2026-01-01)\n")
    upstream.commit(version)
    return sign(upstream, key)


def sign(upstream: Upstream, key: Path | None = None) -> tuple[int, str]:
    for setting in SETTINGS:
        git(upstream.folder, "config", *setting.split("=", 1))
    command = (sys.executable, str(ROOT / ".ci" / "signing.py"), str(upstream.folder), str(key or upstream.key))
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.returncode, done.stderr.strip()


def test_table_accepts_the_signed_release(place: Path, upstream: Upstream) -> None:
    home = home_in(place / "home", str(upstream.folder))
    assert signed(upstream, "0.2.0") == (0, "v0.2.0 is signed: git push origin main v0.2.0")
    fetch(home, find_source(home, None))
    assert present(find_release(home)).name == "v0.2.0"


def _aside(upstream: Upstream) -> tuple[int, str]:
    git(upstream.folder, "checkout", "--quiet", "-b", "side")
    return signed(upstream, "0.2.0")


def _undated(upstream: Upstream) -> tuple[int, str]:
    upstream.write("CHANGELOG.md", "# Changelog\n\n## 0.2.0 (unreleased)\n")
    upstream.commit("undated")
    return sign(upstream)


def _changed(upstream: Upstream) -> tuple[int, str]:
    upstream.write("table.py", "")
    return sign(upstream)


def _forked(upstream: Upstream) -> tuple[int, str]:
    """Move the last release to a merged branch, off the main line."""
    git(upstream.folder, "checkout", "--quiet", "-b", "side")
    upstream.release("v0.1.1")
    git(upstream.folder, "checkout", "--quiet", "main")
    upstream.commit("other")
    git(upstream.folder, "merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    return signed(upstream, "0.2.0")


REFUSED: dict[str, Callable[[Upstream], tuple[int, str]]] = {
    "a release stands on main: git switch main": _aside,
    "files were changed: commit them first": _changed,
    "v0.1.0 isn't higher than v0.1.0: raise the version in pyproject.toml": lambda upstream: signed(
        upstream, "0.1.0"
    ),
    "v0.2.0rc1 in pyproject.toml is no number of a release": lambda upstream: signed(upstream, "0.2.0rc1"),
    "main doesn't stand on v0.1.1": _forked,
    "CHANGELOG.md begins with “0.2.0 (unreleased)”: let it be “0.2.0 (YYYY-MM-DD)”": _undated,
}


@pytest.mark.parametrize("why", REFUSED)
def test_only_next_release_on_main_is_signed(upstream: Upstream, why: str) -> None:
    upstream.write("pyproject.toml", 'version = "0.2.0"\n')
    upstream.commit("before")
    before = git(upstream.folder, "tag")
    assert REFUSED[why](upstream) == (1, f"not signed: {why}")
    assert set(git(upstream.folder, "tag").split()) - set(before.split()) <= {"v0.1.1"}


def test_key_unknown_to_previous_version_signs_nothing(upstream: Upstream) -> None:
    other = make_key(upstream.folder.parent, "other")
    upstream.write(".ci/release-keys", allowed(other))
    told = "not signed: tables have no such key in .ci/release-keys, as it is in v0.1.0"
    assert signed(upstream, "0.2.0", other) == (1, told)
    assert git(upstream.folder, "tag") == "v0.1.0"
    # the old key signs the release that adds the new one, which signs from then on
    assert sign(upstream)[0] == 0
    assert signed(upstream, "0.3.0", other)[0] == 0
