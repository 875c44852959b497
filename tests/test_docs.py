"""The documents are true: their examples run, their commands exist, their links lead somewhere."""

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
ROOMS = ("referee", "vision", "firmware", "webui", "hardware")
PLACES = ("*.md", "docs/*.md", "*/README.md", "*/*/README.md", "plugins/*/docs/*.md")
# caches of tools have pages, too
PAGES = sorted(
    page for place in PLACES for page in ROOT.glob(place) if not page.relative_to(ROOT).parts[0].startswith(".")
)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.parametrize("page", ["contract.md", "events.md", "film.md"])
def test_a_page_with_code_runs(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert tried > 9
    assert failed == 0


def test_every_field_that_other_programs_are_told_is_described() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    kinds = (PublicMoment, PublicPlayer, PublicCard, CountView, RulingView, PublicHeadline)
    assert [field for kind in kinds for field in kind.__struct_fields__ if f"`{field}`" not in page] == []
    assert all(f"`{mood.value}`" in page for mood in Mood)


def test_the_match_file_of_the_page_is_one() -> None:
    page = (ROOT / "docs" / "match-format.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    reading = read_record(lines)
    assert reading.fault is None
    assert reading.match is not None
    assert reading.match.number == len(lines) - 1


def test_the_heights_of_the_page_are_those_of_the_cameras() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    assert "\n".join(height_rows((844.0, 556.0))) in page


def test_the_camera_of_fewest_pixels_hangs_where_its_page_says() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    told = re.search(r"camera of (1280 x 720)\*\* .* (\d+) x (\d+) mm apart, lens at (\d+ to \d+) cm", page)
    assert told is not None
    camera, across, down, between = told.groups()
    rows = height_rows((float(across), float(down)))
    assert any(row.startswith(f"| USB camera, {camera} | {between} |") for row in rows)


def test_the_box_is_closed_after_the_steps_that_need_it_open() -> None:
    page = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    closed = page.index("screws close")
    assert page.count("M3 x 12") == 1
    assert all(page.index(step) < closed for step in ("Put the card into the Pi", "## 6. Choose the board"))


def test_the_page_says_how_many_bots_one_sits_down_with() -> None:
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    number = ("no", "one", "two", "three", "four", "five")[ALONE - 1]
    assert re.findall(r"(\w+) bots", page) == [number]


def test_the_page_of_updates_says_whether_a_release_key_exists() -> None:
    keys, page = ((ROOT / name).read_text(encoding="utf-8") for name in (".ci/release-keys", "docs/updates.md"))
    has_key = re.search("^coyote-table ", keys, re.MULTILINE) is not None
    assert ("**No release key exists yet**" in page) != has_key


@every_page
def test_a_table_has_a_head_and_no_gap(page: Path) -> None:
    """A blank line ends a table: rows after it are shown as text, as they have no head."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for is_row, block in groupby(lines, lambda line: line.startswith("|")):
        if is_row:
            rows = list(block)
            assert re.fullmatch(r"\|(\s*:?-+:?\s*\|)+", "".join(rows[1:2])), rows[0]
            # a bar in a cell is written with a backslash
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1, rows[0]


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@every_page
def test_commands_exist(page: Path) -> None:
    history = page.name == "CHANGELOG.md"
    for words in re.findall(
        r"(?:`|^ *)(?:\./run|coyote) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)",
        page.read_text(encoding="utf-8"),
        re.MULTILINE,
    ):
        first, _space, second = words.partition(" ")
        command = coyote.get_command(Context(coyote), first)
        assert command is not None, words
        assert first in coyote.list_commands(Context(coyote)) or history, words
        if isinstance(command, Group) and second and not history:
            assert second in command.list_commands(Context(command)), words


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_it_is(room: str) -> None:
    text = (ROOT / room / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {room}")
    assert "May import" in text


@pytest.mark.parametrize("room", ROOMS)
def test_the_files_that_a_room_names_are_there(room: str) -> None:
    text = (ROOT / room / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/]+\.(?:py|md|po))`", text):
        assert (ROOT / room / name).exists() or (ROOT / name).exists() or "<game>" in text, name


def test_the_two_commands_can_be_run() -> None:
    for name in ("run", "test", ".ci/run", ".ci/release"):
        assert (ROOT / name).stat().st_mode & 0o111
        subprocess.run(["/bin/sh", "-n", str(ROOT / name)], check=True)


def test_a_fork_runs_the_ci_with_the_oldest_and_the_newest_python() -> None:
    workflow, project = (
        (ROOT / name).read_text(encoding="utf-8") for name in (".github/workflows/test.yml", "pyproject.toml")
    )
    assert re.findall(r"\S*\.ci/\w+$", workflow, re.MULTILINE) == [".ci/run"]
    assert workflow.count("\n") <= 12
    promised = re.findall(r"Python :: (3\.\d+)", project)
    tested = re.search(r'python-version: "(.*)"', workflow)
    assert tested is not None
    assert {*tested[1].split("\\n")} == {promised[0], promised[-1]}


def test_the_site_s_front_page_has_the_prices_of_the_readme() -> None:
    front, readme = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/site/main.html", "README.md"))
    prices = re.findall(r"\d+ to \d+ €", front)
    assert prices == re.findall(r"\d+ to \d+ €", readme)
    assert len(prices) == 3


SHEET = (ROOT / "docs" / "site.css").read_text(encoding="utf-8")
SITE_GROUNDS = {"default": "#fffdf8", "slate": "#1e2129"}
"""What the site's pages are painted on: paper, and the dark scheme of its theme."""


def test_the_search_field_of_the_site_is_seen_on_its_header() -> None:
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
def test_links_of_the_site_are_read_in_both_schemes(scheme: str) -> None:
    """Without a colour of ours the theme writes the open page's name in the header's own colour."""
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
