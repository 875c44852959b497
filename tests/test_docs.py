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
    # the smallest camera needs markers nearer to each other
    ((camera, across, down, between),) = re.findall(
        r"camera of (1280 x 720)\*\* .* (\d+) x (\d+) mm apart, lens at (\d+ to \d+) cm", page
    )
    rows = height_rows((float(across), float(down)))
    assert any(row.startswith(f"| USB camera, {camera} | {between} |") for row in rows)


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


@pytest.mark.parametrize("name", ["play", "real-cards", "evening", "build", "care"])
def test_users_pages_name_commands_as_a_clone_has_them(name: str) -> None:
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert re.findall(rf"\bcoyote (?:{'|'.join(coyote.list_commands(Context(coyote)))})\b", text) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_a_readme_whose_files_exist(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {package}")
    assert "May import" in text
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
