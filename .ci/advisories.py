"""Hold what the locks pin against advisories in the form of OSV.

A finding that docs/trust.md explains by its name is no reason to fail, nor is one that was withdrawn.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
LOCKS = (
    "requirements.lock",
    "plugins/club/requirements.lock",
    *(f"requirements-{which}.lock" for which in ("raspberry", "test", "oldest")),
)
EXPLAINED = ROOT / "docs" / "trust.md"
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)


class NotAuditedError(Exception):
    """Why nothing can be said."""


@dataclass(frozen=True)
class Finding:
    """A package that an advisory is about."""

    lock: str
    package: str
    version: str
    names: tuple[str, ...]
    summary: str

    def is_explained(self, text: str) -> bool:
        return any(re.search(rf"\b{re.escape(name)}\b", text) for name in self.names)


def main() -> None:
    parser = argparse.ArgumentParser(prog=".ci/release", description="Are flaws known in the pinned packages?")
    parser.add_argument("--advisories", type=Path, metavar="FILE", help="advisories of OSV, as JSON")
    wish = parser.parse_args()
    try:
        findings = audit(wish.advisories)
    except NotAuditedError as error:
        sys.stderr.write(f"not audited: {error}\n")
        sys.exit(1)
    explained = EXPLAINED.read_text(encoding="utf-8")
    for finding in findings:
        mark = "explained in docs/trust.md" if finding.is_explained(explained) else "NOT EXPLAINED"
        told = f"{finding.lock}: {finding.package} {finding.version}: {finding.names[0]}: {finding.summary}"
        sys.stdout.write(f"{told} ({mark})\n")
    open_ones = sum(not finding.is_explained(explained) for finding in findings)
    sys.stdout.write(f"audited: {len(findings)} findings, {open_ones} of them not explained\n")
    sys.exit(open_ones > 0)


def audit(file: Path | None) -> tuple[Finding, ...]:
    if file is None:
        raise NotAuditedError("name a file with --advisories FILE")
    advisories = read_advisories(file)
    if not any(_package_of(affected) for advisory in advisories for affected in advisory["affected"]):
        raise NotAuditedError(f"{file} holds no advisory about a package of PyPI")
    found = (
        Finding(lock, package, version, _names(advisory), str(advisory.get("summary", "")).strip())
        for lock in LOCKS
        for package, version in pinned(lock)
        for advisory in advisories
        if is_affected(advisory, package, version)
    )
    return tuple(sorted(set(found), key=lambda each: (LOCKS.index(each.lock), each.package, each.names)))


def read_advisories(file: Path) -> tuple[dict[str, Any], ...]:
    """Read advisories: one, a list of them, one in each line, or what OSV answers."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotAuditedError(f"{file} can't be read ({error})") from error
    try:
        said = json.loads(text)
    except ValueError:
        try:
            said = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise NotAuditedError(f"{file} is no JSON ({error})") from error
    return tuple(_advisories_in(said))


def _advisories_in(said: object) -> Iterator[dict[str, Any]]:
    if isinstance(said, dict):
        if isinstance(said.get("affected"), list) and "id" in said:
            yield said
        else:
            yield from _advisories_in(list(said.values()))
    elif isinstance(said, list):
        for each in said:
            yield from _advisories_in(each)


def _names(advisory: dict[str, Any]) -> tuple[str, ...]:
    return (str(advisory["id"]), *map(str, advisory.get("aliases") or ()))


def _package_of(affected: dict[str, Any]) -> str:
    """Name the package of PyPI that part of an advisory is about, if it is one."""
    package = affected.get("package") or {}
    return _plain(str(package.get("name", ""))) if package.get("ecosystem") == "PyPI" else ""


def pinned(lock: str) -> tuple[tuple[str, str], ...]:
    return tuple(PINNED.findall((ROOT / lock).read_text(encoding="utf-8")))


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def is_affected(advisory: dict[str, Any], package: str, version: str) -> bool:
    """Return whether an advisory that still stands is about a version of a package."""
    if advisory.get("withdrawn"):
        return False
    ours = [each for each in advisory["affected"] if _package_of(each) == _plain(package)]
    named = any(version in (each.get("versions") or ()) for each in ours)
    return named or any(_is_within(line, version) for each in ours for line in each.get("ranges") or ())


def _is_within(line: dict[str, Any], version: str) -> bool:
    """Follow the events of a range up to a version: introduced, fixed, introduced again."""
    if line.get("type") not in {"ECOSYSTEM", "SEMVER"}:
        return False
    now, is_in = _order_of(version), False
    for kind, at in _in_order(line.get("events") or ()):
        if kind == "introduced" and now >= at:
            is_in = True
        elif (kind == "fixed" and now >= at) or (kind == "last_affected" and now > at):
            is_in = False
    return is_in


def _in_order(events: Sequence[dict[str, str]]) -> list[tuple[str, Version]]:
    """Order the events by their versions; what is introduced where another flaw ends comes last."""
    every = [(kind, _order_of(at)) for event in events for kind, at in event.items()]
    return sorted(every, key=lambda each: (each[1], each[0] == "introduced"))


def _order_of(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion as error:
        raise NotAuditedError(f"there is no version {version}") from error


if __name__ == "__main__":
    main()
