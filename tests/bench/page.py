"""The page with the benchmarks' ratios, docs/dev/measured.md: `python -m tests.bench all --write`."""

import os
import platform
import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "dev" / "measured.md"
OLDER = " **Older than this release.**"
SECTION = re.compile(
    r"(?P<head>\n### (?P<name>\w+)\n\n.+\nMeasured \S+ with (?P<version>\S+), .+ load (?:[\d.]+|unknown)\.)"
    rf"(?:{re.escape(OLDER)})?(?P<rows>\n\n(?:\|.*\n)+)"
)
"""A benchmark's description, with date, version, machine and load, and its ratios."""


def this_version() -> str:
    said: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return said


def section_text(name: str, told: str, load: float, ratios: Mapping[str, str]) -> str:
    rows = "".join(f"| {what} | {figure} |\n" for what, figure in ratios.items())
    machine = (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}"
    )
    measured = f"Measured {datetime.now(UTC).date().isoformat()} with {this_version()}, {machine}."
    return f"\n### {name}\n\n{told}\n{measured}\n\n| | |\n|---|---|\n{rows}"


def page_with(page: str, name: str, section: str) -> str:
    """Replace a benchmark's section if the page has one; mark others that are older than the release."""

    def renewed(found: re.Match[str]) -> str:
        older = "" if found["version"] == this_version() else OLDER
        return section if found["name"] == name else f"{found['head']}{older}{found['rows']}"

    return SECTION.sub(renewed, page)
