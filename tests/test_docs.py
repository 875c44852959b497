"""The docs are correct: examples run, commands exist, links resolve."""

import doctest
import re
import subprocess
from itertools import groupby
from pathlib import Path

import pytest
from click import Context

from firmware.cli.cameras import height_rows
from firmware.start.commands import Group, coyote
from firmware.start.plan import ALONE
from referee.contract import Mood
from referee.moment_view import CountView, RulingView
from referee.public_moment import PublicCard, PublicHeadline, PublicMoment, PublicPlayer
from referee.record import read_record

ROOT = Path(__file__).parents[1]
PACKAGES = ("referee", "vision", "firmware", "webui", "hardware")
PLACES = (
    "*.md",
    ".github/*.md",
    "docs/*.md",
    "docs/dev/**/*.md",
    "*/README.md",
    "*/*/README.md",
    "plugins/*/docs/*.md",
)
TOOL_CACHES = (".pytest_cache", ".ruff_cache", ".venv")
PAGES = sorted(
    page
    for place in PLACES
    for page in ROOT.glob(place)
    if not page.relative_to(ROOT).parts[0].startswith(TOOL_CACHES)
)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.parametrize("page", ["contract.md", "events.md", "match-format.md"])
def test_code_of_a_page_runs(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "dev" / page), module_relative=False)
    assert tried > 9
    assert failed == 0


def test_every_public_field_is_documented() -> None:
    page = (ROOT / "docs" / "dev" / "events.md").read_text(encoding="utf-8")
    kinds = (PublicMoment, PublicPlayer, PublicCard, CountView, RulingView, PublicHeadline)
    assert [field for kind in kinds for field in kind.__struct_fields__ if f"`{field}`" not in page] == []
    assert all(f"`{mood.value}`" in page for mood in Mood)


def test_the_documented_match_file_is_valid() -> None:
    page = (ROOT / "docs" / "dev" / "match-format.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    reading = read_record(lines)
    assert reading.fault is None
    assert reading.match is not None
    assert reading.match.number == len(lines) - 1


def test_documented_camera_heights_are_computed_ones() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    assert "\n".join(height_rows((844.0, 556.0))) in page


def test_documented_height_of_the_smallest_camera() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    found = re.search(r"camera of (1280 x 720)\*\* .* (\d+) x (\d+) mm apart, lens at (\d+ to \d+) cm", page)
    assert found is not None
    camera, across, down, between = found.groups()
    rows = height_rows((float(across), float(down)))
    assert any(row.startswith(f"| USB camera, {camera} | {between} |") for row in rows)


def test_the_box_is_closed_after_steps_that_need_it_open() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    closed = page.index("screws close")
    assert page.count("M3 x 12") == 1
    assert all(page.index(step) < closed for step in ("Put the card into the Pi", "## 6. Choose the board"))


def test_documented_number_of_bots() -> None:
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    number = ("no", "one", "two", "three", "four", "five")[ALONE - 1]
    assert re.findall(r"against (\w+) bots", page) == [number]


@every_page
def test_tables_have_a_head_and_no_gap(page: Path) -> None:
    """A blank line ends a table; later rows would be rendered as text."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for is_row, block in groupby(lines, lambda line: line.startswith("|")):
        if is_row:
            rows = list(block)
            assert re.fullmatch(r"\|(\s*:?-+:?\s*\|)+", "".join(rows[1:2])), rows[0]
            # a bar inside a cell is escaped
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1, rows[0]


@every_page
def test_links_resolve(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_picture_is_on_a_page() -> None:
    pages = (*PAGES, ROOT / "docs/site/main.html", ROOT / "tests/vision/foreign/README.md")
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    pictures = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    # the site's front page composes these names
    composed = {name for name in pictures if name.startswith(("front-", "build-"))}
    assert [name for name in sorted(pictures - composed) if name not in shown] == []


@every_page
def test_commands_exist(page: Path) -> None:
    for words in re.findall(
        r"(?:`|^ *)(?:\./run|coyote) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)",
        page.read_text(encoding="utf-8"),
        re.MULTILINE,
    ):
        first, _space, second = words.partition(" ")
        command = coyote.get_command(Context(coyote), first)
        assert command is not None, words
        assert first in coyote.list_commands(Context(coyote)), words
        if isinstance(command, Group) and second:
            assert second in command.list_commands(Context(command)), words


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_a_readme(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {package}")
    assert "May import" in text


@pytest.mark.parametrize("package", PACKAGES)
def test_files_named_in_a_readme_exist(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/]+\.(?:py|md|po))`", text):
        assert (ROOT / package / name).exists() or (ROOT / name).exists() or "<game>" in text, name


def test_scripts_are_executable() -> None:
    for name in ("run", "test", ".ci/run", ".ci/release"):
        assert (ROOT / name).stat().st_mode & 0o111
        subprocess.run(["/bin/sh", "-n", str(ROOT / name)], check=True)


def test_workflow_uses_the_oldest_and_newest_python() -> None:
    workflow, project = (
        (ROOT / name).read_text(encoding="utf-8") for name in (".github/workflows/test.yml", "pyproject.toml")
    )
    assert re.findall(r"\S*\.ci/\w+$", workflow, re.MULTILINE) == [".ci/run"]
    promised = re.findall(r"Python :: (3\.\d+)", project)
    tested = re.search(r'python-version: "(.*)"', workflow)
    assert tested is not None
    assert {*tested[1].split("\\n")} == {promised[0], promised[-1]}


def test_release_workflow_publishes_nothing() -> None:
    """It runs the commands of the page, and leaves a draft."""
    workflow, page = (
        (ROOT / name).read_text(encoding="utf-8")
        for name in (".github/workflows/release.yml", "docs/dev/release.md")
    )
    for script in re.findall(r"run: (?:sudo .* )?(\S+)", workflow)[:-1]:
        assert (ROOT / script).stat().st_mode & 0o111
        assert f"`{script}`" in page or script == ".ci/test-packages"
    assert re.findall(r"gh release create \S+ (\S+)", workflow) == ["--draft"]
    assert "twine" not in workflow


SHEET = (ROOT / "docs" / "site.css").read_text(encoding="utf-8")
SITE_GROUNDS = {"default": "#fffdf8", "slate": "#1e2129"}
"""Background colours of the site's light and dark schemes."""


def test_search_field_contrasts_with_the_header() -> None:
    header, edge = (
        re.search(wanted, SHEET)
        for wanted in (
            r"--md-primary-fg-color: (#\w{6});",
            r"\.md-search__form \{[^}]* box-shadow: inset [^;]*(#\w{6});",
        )
    )
    assert header is not None
    assert edge is not None
    assert contrast(edge[1], header[1]) >= 3


@pytest.mark.parametrize("scheme", SITE_GROUNDS)
def test_links_are_readable_in_both_schemes(scheme: str) -> None:
    """By default the theme shows the open page's name in the header's colour."""
    rule = re.search(rf'\[data-md-color-scheme="{scheme}"\] \{{ ([^}}]*)\}}', SHEET)
    assert rule is not None
    colours = dict(re.findall(r"--md-([\w-]+): (#\w{6});", rule[1]))
    for kind in ("typeset-a-color", "accent-fg-color"):
        assert contrast(colours[kind], SITE_GROUNDS[scheme]) >= 4.5, kind


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = (part / 255 for part in bytes.fromhex(colour.removeprefix("#")))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
