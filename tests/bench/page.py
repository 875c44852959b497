"""`python -m tests.bench all --write`: write the ratios of all benchmarks to a docs page."""

import os
import platform
import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import click
from msgspec import Struct

from tests.bench.measured import Measured

BESIDE = {"__init__", "__main__", "instructions", "measured", "page", "test_benches"}
NAMES = tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in BESIDE)
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "dev" / "measured.md"
BEGIN, END = "<!-- Written by python -m tests.bench all --write -->\n", "\n<!-- End of what is written -->"
OLDER = " **Older than this release.**"
MEASURED = re.compile(
    r"Measured (?P<when>\S+) with (?P<version>.+?), (?P<machine>.+), load (?P<load>[\d.]+|unknown)\."
)
ROW = re.compile(r"^\| (?P<what>[^|]+?) \| (?P<figure>[^|]+?) \|$", re.MULTILINE)


class Section(Struct, frozen=True):
    """A benchmark's ratios, with date, version, machine and load."""

    told: str  # the benchmark's description
    when: str
    version: str
    machine: str
    load: str
    ratios: Mapping[str, str]


@click.command(
    "all", help="All benches, or those that are named, one after the other, as they are by themselves."
)
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@click.option("--write", is_flag=True, help="Renew the sections of docs/dev/measured.md.")
def all_benches(names: tuple[str, ...], *, write: bool) -> None:
    for name in names or NAMES:
        command: click.Command = getattr(import_module(f"tests.bench.{name}"), name)
        load = os.getloadavg()[0]
        try:
            measured = command.main([], prog_name=name, standalone_mode=False)
        except click.ClickException as fault:
            click.echo(f"{name} wasn't measured, its figures stay: {fault.message}", err=True)
            continue
        if write:
            found = section_of(measured, command.help or "", load)
            # write after each benchmark, so that its results survive if a later one is stopped
            PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), name, found), encoding="utf-8")


def section_of(measured: Measured, told: str, load: float) -> Section:
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    today = datetime.now(UTC).date().isoformat()
    return Section(told, today, this_version(), machine, f"{load:.1f}", measured.ratios)


def this_version() -> str:
    said: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return said


def page_with(page: str, name: str, section: Section) -> str:
    """Replace a benchmark's section if the page has one; mark others that are older than the release."""
    head, written, foot = parts_of(page)
    texts = [
        section_text(each, section if each == name else stored)
        for each, stored in read_sections(written).items()
    ]
    return "".join([head, BEGIN, *texts, END, foot])


def parts_of(page: str) -> tuple[str, str, str]:
    """Split a page into the text before the figures, the figures, and the text after them."""
    head, _begin, rest = page.partition(BEGIN)
    written, _end, foot = rest.partition(END)
    return head, written, foot


def read_sections(written: str) -> dict[str, Section]:
    sections = dict[str, Section]()
    for text in written.split("\n### ")[1:]:
        name, _line, rest = text.partition("\n")
        found = MEASURED.search(rest)
        assert found is not None, f"{name} doesn't say when it was measured"
        told = rest[: found.start()].strip()
        ratios = {row["what"]: row["figure"] for row in ROW.finditer(rest) if row["what"].strip("- ")}
        sections[name] = Section(told, **found.groupdict(), ratios=ratios)
    return sections


def section_text(name: str, section: Section) -> str:
    older = "" if section.version == this_version() else OLDER
    rows = "".join(f"| {what} | {figure} |\n" for what, figure in section.ratios.items())
    where = f"{section.machine}, load {section.load}"
    measured = f"Measured {section.when} with {section.version}, {where}.{older}"
    return f"\n### {name}\n\n{section.told}\n{measured}\n\n| | |\n|---|---|\n{rows}"
