"""Sign the head of main as a release tag; `.ci/release` calls this after the audit.

A table trusts signed tags, and can't tell what a branch is for. So this script checks that a release is on main
and descends from the previous release, has a higher number, and is signed with a key known to that release.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.updates.layout import number_of
from firmware.updates.releases import KEYS, SAID, STATEMENT, is_release, read_signed
from firmware.updates.tools import UpdateError, git, report


def main() -> None:
    root, key = Path(sys.argv[1]), sys.argv[2]
    try:
        name = sign_release(root, key)
    except UpdateError as error:
        sys.exit(f"not signed: {error}")
    report(f"{name} is signed: git push origin main {name}")


def sign_release(root: Path, key: str) -> str:
    found = re.search(
        r'^version = "(.+)"$', (root / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    name = f"v{found[1]}" if found else "nothing"
    if number_of(name) is None:
        raise UpdateError(f"{name} in pyproject.toml is no number of a release")
    before = max(_releases(root), key=lambda each: number_of(each) or (), default=None)
    _require_place(root, name, before)
    # the changelog starts with this version's changes and date
    told = re.findall(r"^## (.+)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    newest = next(iter(told), "nothing")
    if not re.fullmatch(rf"{re.escape(name[1:])} \(\d{{4}}-\d\d-\d\d\)", newest):
        raise UpdateError(f"CHANGELOG.md begins with “{newest}”: let it be “{name[1:]} (YYYY-MM-DD)”")
    sign = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}", "tag", "--sign")
    git(root, *sign, "--message", name, "--message", STATEMENT, name)
    if not _is_believed(root, name, before or "HEAD"):
        git(root, "tag", "--delete", name)
        raise UpdateError(f"tables have no such key in {KEYS}, as it is in {before or 'this commit'}")
    return name


def _releases(root: Path) -> Iterator[str]:
    for name in git(root, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags/v*").splitlines():
        said = git(root, "for-each-ref", SAID, f"refs/tags/{name}")
        if is_release(said, name, git(root, "rev-parse", f"{name}^{{}}")):
            yield name


def _require_place(root: Path, name: str, before: str | None) -> None:
    if git(root, "rev-parse", "--abbrev-ref", "HEAD") != "main":
        raise UpdateError("a release stands on main: git switch main")
    if git(root, "status", "--porcelain", "--untracked-files=no"):
        raise UpdateError("files were changed: commit them first")
    if before is None:
        return
    if (number_of(name) or ()) <= (number_of(before) or ()):
        raise UpdateError(f"{name} isn't higher than {before}: raise the version in pyproject.toml")
    if git(root, "rev-parse", f"{before}^{{}}") not in git(root, "rev-list", "--first-parent", "HEAD").split():
        raise UpdateError(f"main doesn't stand on {before}")


def _is_believed(root: Path, name: str, where: str) -> bool:
    """Return whether a table with the previous version would trust a tag."""
    with TemporaryDirectory() as folder:
        keys = Path(folder, "keys")
        keys.write_text(f"{git(root, 'show', f'{where}:{KEYS}')}\n", encoding="utf-8")
        return read_signed(root, f"refs/tags/{name}", keys) != ""


if __name__ == "__main__":
    main()
