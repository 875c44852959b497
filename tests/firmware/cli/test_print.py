"""`coyote print`: every sheet on both papers, and every way to get it wrong."""

from pathlib import Path

import pypdfium2
import pytest

from hardware.case.pieces import PIECES, is_renderable, sources
from hardware.decks.catalogue import PRINTED
from tests.firmware.conftest import Coyote

POINT = 25.4 / 72
TRIANGLE = b" vertex 0 0 0 vertex 9 0 0 vertex 0 9 9 "
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SHEETS = [
    *(f"deck {name}" for name in ("coyote-gigamic", "coup")),
    "markers",
    "tokens",
    "mat",
    "mat --game plenty-coups",
]


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


@pytest.mark.parametrize("sheet", ["markers", "tokens", "mat", "deck coup"])
def test_a_pdf_takes_no_name_of_another_kind(coyote: Coyote, tmp_path: Path, sheet: str) -> None:
    said = coyote(f"print {sheet} -o {tmp_path / 'sheet.png'}")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "name it .pdf" in said.err
    assert not list(tmp_path.glob("sheet*"))


def test_without_a_name_the_wiring_is_that_of_the_board_that_is_wired(coyote: Coyote) -> None:
    assert coyote("board six").code == 0
    assert coyote("print wiring").out == coyote("print wiring --profile six").out
    assert coyote("board none").code == 0
    assert coyote("print wiring").out == coyote("print wiring --profile full").out


@pytest.mark.parametrize(("profile", "pins"), [("full", 26), ("six", 25), ("minimal", 3), ("ring", 25)])
def test_the_wiring_as_text_and_as_files(coyote: Coyote, tmp_path: Path, profile: str, pins: int) -> None:
    text = coyote(f"print wiring --profile {profile}")
    said = coyote(f"print wiring --profile {profile} -o {tmp_path / 'new'}")
    assert (text.code, text.err, said.code, said.err) == (0, "", 0, "")
    files = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "new").iterdir()}
    pictures = {f"wiring-{profile}.svg", f"strips-{profile}.svg"}
    pictures |= {f"registers-{profile}.svg"} if profile == "full" else set()
    assert set(files) == pictures | {f"wiring-{profile}.md", f"pins-{profile}.csv"}
    assert files[f"wiring-{profile}.md"] == text.out
    rows = [line.split(",") for line in files[f"pins-{profile}.csv"].splitlines()]
    assert len(rows) == 41
    assert sum(bool(row[1] and row[2]) for row in rows[1:]) == pins
    assert len({row[0] for row in rows}) == 41


def test_every_pair_of_profiles_is_told_with_its_worst_pin(coyote: Coyote) -> None:
    said = coyote("print slips")
    assert (said.code, said.err) == (0, "")
    assert "| full    | six      | GPIO12    | call 6    | 3.3 | 17.7         |" in said.out
    assert "At most a pin gives 3.9 mA (16 are allowed)" in said.out
    assert "too much" not in said.out


def test_a_board_of_ones_own_without_resistors_is_told_to_be_shorted(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("[mine]\nseats = 1\ncall = [12]\nohms = { line = 0 }", encoding="utf-8")
    said = coyote(f"print slips --board {file}")
    assert (said.code, said.err) == (0, "")
    assert "| full    | mine     | GPIO12    | call 1 " in said.out
    assert "That is too much" in said.out
    file.write_text("[mine]\nseats = 'one'", encoding="utf-8")
    for wrong in (file, tmp_path / "nowhere.toml"):
        said = coyote(f"print slips --board {wrong}")
        assert (said.code, said.err.count("\n")) == (1, 1)


def test_the_wiring_of_ones_own_board(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(
        "[mine]\nseats = 2\ncall = [17, 27]\nlamps = { kind = 'lines', red = [5, 6] }", encoding="utf-8"
    )
    said = coyote(f"print wiring --board {file}")
    assert (said.code, said.err) == (0, "")
    assert said.out.count("red lamp") >= 4
    assert "| 2        | LED, red, 5 mm, diffused" in said.out
    assert "short leg" in said.out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[mine]\nseats = 2\ncall = [17, 17]", "call 2: GPIO17 is taken by call 1"),
        ("[mine]\nseats = 1\ncall = [0]", "call 1: GPIO0 is kept for the boards that are plugged on"),
        ("[mine]\nseats = 'two'", "not a board"),
        ("", "there is no profile -; there are: -"),
        (None, "No such file or directory"),
    ],
)
def test_a_board_that_cannot_be_is_told_in_one_line(
    coyote: Coyote, tmp_path: Path, content: str | None, told: str
) -> None:
    file = tmp_path / "board.toml"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    said = coyote(f"print wiring --board {file} -o {tmp_path / 'new'}")
    assert said.code in {1, 2}
    assert told in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_profile_that_is_not_there_is_told(coyote: Coyote) -> None:
    said = coyote("print wiring --profile seven")
    assert said.code == 2
    assert "full, six, minimal, ring" in said.err


def test_the_case_without_openscad_is_its_sources(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = coyote(f"print case -o {tmp_path / 'case'}")
    assert (said.code, said.err) == (0, "")
    assert "apt install openscad" in said.out
    assert {file.suffix for file in (tmp_path / "case").iterdir()} == {".scad"}


def test_the_pictures_of_the_guide_without_openscad_are_those_of_the_wiring(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = coyote(f"print guide {tmp_path / 'pictures'}")
    assert (said.code, said.err) == (0, "")
    names = {file.name for file in (tmp_path / "pictures").iterdir()}
    assert names == {
        *(f"{kind}-{name}.png" for kind in ("wiring", "strips") for name in ("full", "six", "minimal", "ring")),
        "registers-full.png",
    }


@pytest.mark.skipif(not is_renderable(), reason="OpenSCAD isn't installed")
def test_the_case_with_openscad_is_ready_for_the_printer(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.cli.print.stl", lambda _piece: b"solid piece" + TRIANGLE)
    said = coyote(f"print case -o {tmp_path / 'case'}")
    assert (said.code, said.out) == (0, f"{tmp_path / 'case'}: {len(PIECES)} pieces\n")
    names = {file.name for file in (tmp_path / "case").iterdir()}
    assert names == set(sources()) | {f"{name}.stl" for name in PIECES} | {"case.png"}
