"""`coyote print`: every sheet on both papers, and every way to get it wrong."""

from pathlib import Path

import pypdfium2
import pytest

from hardware.decks.decks import PRINTED
from tests.firmware.conftest import Coyote

POINT = 25.4 / 72
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SHEETS = [*(f"deck {name}" for name in ("coyote-gigamic", "coup")), "markers", "tokens", "mat"]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("sheet", SHEETS)
def test_sheets_have_the_size_of_the_paper(coyote: Coyote, tmp_path: Path, sheet: str, paper: str) -> None:
    file = tmp_path / "sheet.pdf"
    said = coyote(f"print {sheet} --paper {paper} -o {file}")
    assert (said.code, said.err) == (0, "")
    with pypdfium2.PdfDocument(file) as document:
        assert len(document) > 0
        for page in document:
            width, height = (side * POINT for side in page.get_size())
            assert width == pytest.approx(PAPERS[paper][0], abs=0.1)
            assert height == pytest.approx(PAPERS[paper][1], abs=0.1)


def test_a_deck_has_a_page_of_backs_for_every_page_of_nine_cards(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "deck.pdf"
    coyote(f"print deck coup -o {file}")
    cards = sum(PRINTED["coup"].counts.values()) + sum(PRINTED["coup"].extras.values())
    with pypdfium2.PdfDocument(file) as document:
        assert len(document) == 2 * -(-cards // 9)


def test_marked_decks_differ(coyote: Coyote, tmp_path: Path) -> None:
    files = [tmp_path / f"{mark}.pdf" for mark in ("none", "a", "b")]
    for file, mark in zip(files, ("", "--mark a", "--mark b"), strict=True):
        coyote(f"print deck coup {mark} -o {file}")
    assert len({file.read_bytes() for file in files}) == 3


@pytest.mark.parametrize(
    "line",
    [
        "print deck tarot -o {there}",
        "print deck -o {there}",
        "print deck coup",
        "print deck coup --paper a5 -o {there}",
        "print deck coup --mark z -o {there}",
        "print nothing -o {there}",
        "print deck coup -o {nowhere}",
    ],
)
def test_what_is_wrong_is_one_line(coyote: Coyote, tmp_path: Path, line: str) -> None:
    said = coyote(line.format(there=tmp_path / "x.pdf", nowhere=tmp_path / "nowhere" / "x.pdf"))
    assert said.code in {1, 2}
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert not (tmp_path / "x.pdf").exists()
