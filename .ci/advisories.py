"""Hold what the locks pin against advisories in the form of OSV.

A finding that docs/trust.md explains by its name is no reason to fail, nor is one that was withdrawn.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
OTHERS = ("plugins/club/requirements", "requirements-raspberry", "requirements-test", "requirements-oldest")
LOCKS = [f"{name}.lock" for name in ("requirements", *OTHERS)]
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(prog=".ci/release", description="Are flaws known in the pinned packages?")
    parser.add_argument("--advisories", type=Path, metavar="FILE", help="advisories of OSV, as JSON")
    file = parser.parse_args().advisories
    if file is None:
        say_why_not("name a file with --advisories FILE")
    advisories = tuple(advisories_in(read_json(file)))
    if not any(_package_of(affected) for advisory in advisories for affected in advisory["affected"]):
        say_why_not(f"{file} holds no advisory about a package of PyPI")
    explained, open_ones = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8"), 0
    findings = sorted(set(findings_of(advisories)))
    for lock, package, version, names, summary in findings:
        is_explained = any(re.search(rf"\b{re.escape(name)}\b", explained) for name in names)
        mark = "explained in docs/trust.md" if is_explained else "NOT EXPLAINED"
        sys.stdout.write(f"{LOCKS[lock]}: {package} {version}: {names[0]}: {summary} ({mark})\n")
        open_ones += not is_explained
    sys.stdout.write(f"audited: {len(findings)} findings, {open_ones} of them not explained\n")
    sys.exit(open_ones > 0)


def say_why_not(why: str) -> NoReturn:
    sys.exit(f"not audited: {why}")


def read_json(file: Path) -> object:
    """Read advisories: one, a list of them, one in each line, or what OSV answers."""
    try:
        text = file.read_text(encoding="utf-8")
        try:
            return json.loads(text)
        except ValueError:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        say_why_not(f"{file} can't be read ({error})")
    except ValueError as error:
        say_why_not(f"{file} is no JSON ({error})")


def advisories_in(said: object) -> Iterator[dict[str, Any]]:
    if isinstance(said, dict) and isinstance(said.get("affected"), list) and "id" in said:
        yield said
    elif isinstance(said, dict | list):
        for each in said.values() if isinstance(said, dict) else said:
            yield from advisories_in(each)


def findings_of(advisories: tuple[dict[str, Any], ...]) -> Iterator[tuple[int, str, str, tuple[str, ...], str]]:
    """Give what is affected: the place of its lock, package and version; what the advisory says."""
    for place, lock in enumerate(LOCKS):
        for package, version in PINNED.findall((ROOT / lock).read_text(encoding="utf-8")):
            for each in (each for each in advisories if is_affected(each, package, version)):
                names = (str(each["id"]), *map(str, each.get("aliases") or ()))
                yield place, package, version, names, str(each.get("summary", "")).strip()


def is_affected(advisory: dict[str, Any], package: str, version: str) -> bool:
    """Return whether an advisory that still stands is about a version of a package."""
    ours = [each for each in advisory["affected"] if _package_of(each) == canonicalize_name(package)]
    named = any(version in (each.get("versions") or ()) for each in ours)
    within = any(_is_within(line, version) for each in ours for line in each.get("ranges") or ())
    return not advisory.get("withdrawn") and (named or within)


def _package_of(affected: dict[str, Any]) -> str:
    """Name the package of PyPI that part of an advisory is about, if it is one."""
    package = affected.get("package") or {}
    return canonicalize_name(str(package.get("name", ""))) if package.get("ecosystem") == "PyPI" else ""


def _is_within(line: dict[str, Any], version: str) -> bool:
    """Follow the events of a range up to a version: introduced, fixed, introduced again last."""
    if line.get("type") not in {"ECOSYSTEM", "SEMVER"}:
        return False
    now, events = _order_of(version), (event for each in line.get("events") or () for event in each.items())
    by_version = sorted((_order_of(at), kind == "introduced", kind) for kind, at in events)
    come = [
        kind
        for at, _is_begin, kind in by_version
        if (kind in {"introduced", "fixed"} and now >= at) or (kind == "last_affected" and now > at)
    ]
    return come[-1:] == ["introduced"]


def _order_of(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:
        say_why_not(f"there is no version {version}")


if __name__ == "__main__":
    main()
