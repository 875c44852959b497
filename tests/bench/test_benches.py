"""Benchmarks: their page; whole benchmarks for a release."""

import re
from pathlib import Path

import pytest

from tests.bench.__main__ import NAMES, main
from tests.bench.bots import Duel
from tests.bench.cameras import accuracy_of
from tests.bench.laid import CAMERA, LAID, do_part, lay_table
from tests.bench.page import OLDER, PAGE, SECTION, page_with, section_text, this_version
from tests.tiers import release
from tests.vision.rendered_tables import heights_to_try
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL

CARDS = 8
SMALLER = tuple((name, SMALL.share, 2000) for name in ("imx708", "imx708_wide"))


whole_bench = release("a bench measures, and takes long; a commit needs its sums alone")


@whole_bench
@pytest.mark.parametrize(
    ("name", "share", "seed"), [*((name, 1.0, 1000 + 3 * at) for at, name in enumerate(CAMERAS)), *SMALLER]
)
def test_camera_reads_cards_all_over_the_table(name: str, share: float, seed: int) -> None:
    """At the greatest height cards have the fewest pixels, and a short exposure has the most noise."""
    optics = CAMERAS[name] if share == 1.0 else made_smaller(CAMERAS[name], share)
    found = accuracy_of(optics, heights_to_try(optics)[-1], "33 ms", range(seed, seed + 1), CARDS)
    assert (found["not_found"], found["cards"], found["wrong"]) == (0, CARDS, 0)
    # one may be on a printed line or in glare; people are asked to move it
    assert found["right"] >= CARDS - 1


@whole_bench
@pytest.mark.parametrize("cards", LAID)
def test_cards_laid_at_once_are_all_read(tmp_path: Path, cards: int) -> None:
    lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share), cards)
    do_part(str(tmp_path), str(cards))


def test_benchmark_page_shows_date_and_machine_of_each_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A skipped benchmark retains its section, marked if it is older than the release."""
    page, version = tmp_path / "measured.md", this_version()
    stored = "".join(section_text(name, "Rules.", 0.2, {"coup": "80 of 80"}) for name in ("bots", "rules"))
    page.write_text(f"# Measured\n{stored.replace(version, '0.1.0')}\n## By hand\n", encoding="utf-8")
    monkeypatch.setattr("tests.bench.__main__.PAGE", page)
    monkeypatch.setattr("tests.bench.instructions.shutil.which", lambda _name: None)
    monkeypatch.setattr("tests.bench.bots.duel", lambda *_match: Duel(0.75, 0.01))
    monkeypatch.setattr("tests.bench.bots.measure_tempers", lambda *_match: ())
    assert main(["all", "laid", "bots", "--write"]) == ""
    told = capsys.readouterr().err
    assert "laid wasn't measured, its figures stay: valgrind counts the instructions" in told
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Measured\n")
    assert text.endswith("| coup | 80 of 80 |\n\n## By hand\n")
    bots, rules = SECTION.finditer(text)
    assert (bots["version"], rules["version"]) == (version, "0.1.0")
    assert {row.split(" | ")[1] for row in bots["rows"].splitlines()[4:]} == {"75.0 % ± 1.0 % |"}
    assert (OLDER in bots[0], OLDER in rules[0]) == (False, True)


def test_benchmark_page_round_trips() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sections = {found["name"]: found[0] for found in SECTION.finditer(page)}
    assert set(sections) <= set(NAMES)
    assert list(sections) == re.findall(r"^### (\w+)", page, re.MULTILINE)
    for name, section in sections.items():
        assert page_with(page, name, section) == page
