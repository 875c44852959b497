"""`coyote print`: every sheet on both papers, and every error."""

import re
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
import pytest

from hardware.case.pieces import PIECES, is_renderable, sources
from tests.firmware.conftest import Coyote
from tests.hardware.board.own_boards import FILE, OWN_BOARDS

OWN_BOARD_FILES = {"plugged-mine.svg", "wiring-mine.md", "pins-mine.csv"}
POINT = 25.4 / 72
TRIANGLE = b" vertex 0 0 0 vertex 9 0 0 vertex 0 9 9 "
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SHEETS = ["deck coup --mark a", "markers", "tokens", "mat", "mat --game plenty-coups"]


@pytest.mark.parametrize(("sheet", "paper"), [*((sheet, "a4") for sheet in SHEETS), ("markers", "letter")])
def test_sheets_have_paper_size(coyote: Coyote, tmp_path: Path, sheet: str, paper: str) -> None:
    file = tmp_path / "sheet.pdf"
    result = coyote(f"print {sheet} --paper {paper} -o {file}")
    assert (result.code, result.err) == (0, "")
    with pypdfium2.PdfDocument(file) as document:
        assert len(document) > 0
        for page in document:
            width, height = (side * POINT for side in page.get_size())
            assert (width, height) == pytest.approx(PAPERS[paper], abs=0.1)


def test_default_wiring_is_of_connected_board(coyote: Coyote) -> None:
    assert coyote("print parts").out == coyote("print parts --profile fab").out
    for wired in ("two", "none"):
        assert coyote(f"table board {wired}").code == 0
        assert coyote("print wiring").out == coyote(f"print wiring --profile {wired}").out
    wiring, listed = coyote("print wiring").out, coyote("print parts --profile none").out
    assert ("phones do everything" in wiring, "GPIO" in wiring) == (True, False)
    assert ("Raspberry Pi 4 Model B 1 GB" in listed, "doorbell button" in listed) == (True, False)


@pytest.mark.parametrize(
    ("profile", "pins", "picture"),
    [
        ("fab", 16, "board-fab.jpg"),
        ("two", 2, "plugged-two.svg"),
        ("six", 25, "seat-six.svg"),
        ("full", 26, ""),
    ],
)
def test_wiring_as_text_and_as_files(
    coyote: Coyote, tmp_path: Path, profile: str, pins: int, picture: str
) -> None:
    own = f"--board {FILE}" if profile in OWN_BOARDS else ""
    text = coyote(f"print wiring --profile {profile} {own}")
    result = coyote(f"print wiring --profile {profile} {own} -o {tmp_path / 'new'}")
    assert (text.code, text.err, result.code, result.err) == (0, "", 0, "")
    files = {file.name: file.read_bytes() for file in (tmp_path / "new").iterdir()}
    pictures = {picture} if picture else set()
    assert set(files) == pictures | {f"wiring-{profile}.md", f"pins-{profile}.csv"}
    assert {*re.findall(r"!\[.*\]\((.*)\)", files[f"wiring-{profile}.md"].decode())} == pictures
    # the screen shows the same without Markdown
    assert text.out.startswith(f"Wiring: {profile}\n\nPins\n\npin ")
    assert not re.search(r"^[#!|-]|\|$|\n\n\n", text.out, re.MULTILINE)
    rows = [line.split(",") for line in files[f"pins-{profile}.csv"].decode().splitlines()]
    assert len(rows) == 41
    assert sum(bool(row[1] and row[2]) for row in rows[1:]) == pins
    assert len({row[0] for row in rows}) == 41


def test_fabrication_files_are_zipped(coyote: Coyote, tmp_path: Path) -> None:
    result = coyote(f"print board -o {tmp_path / 'board.zip'}")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{tmp_path / 'board.zip'}: board 1.1, 99.06 x 74.93 mm, ")
    assert len(ZipFile(tmp_path / "board.zip").namelist()) == 12
    assert coyote(f"print board --all {tmp_path / 'all'}").code == 0
    written = {file.relative_to(tmp_path / "all").as_posix() for file in (tmp_path / "all").rglob("*")}
    assert {"coyote.kicad_pcb", "coyote.pdf", "coyote.step", "fab/coyote-F_Cu.gtl"} <= written
    result = coyote("print board")
    assert (result.code, "name the zip file with -o, or a folder with --all" in result.err) == (2, True)
    result = coyote(f"print board -o {tmp_path / 'board.pdf'}")
    assert (result.code, "name it .zip" in result.err) == (2, True)


def test_own_board_is_drawn_or_rejected_in_one_line(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    for content, told in (
        (None, "No such file or directory"),
        ("[mine]\nseats = 2\ncall = [17, 17]", "call 2: GPIO17 is taken by call 1"),
        ("[mine]\nseats = 'two'", "not a board"),
        ("", "there is no profile -; there are: none"),
    ):
        if content is not None:
            file.write_text(content, encoding="utf-8")
        result = coyote(f"print wiring --board {file} -o {tmp_path / 'new'}")
        assert (result.code in {1, 2}, told in result.err, result.err.count("\n")) == (True, True, 1)
        assert not (tmp_path / "new").exists()
    file.write_text("[mine]\nseats = 1\ncall = [12]\nsolderless = true", encoding="utf-8")
    assert coyote(f"print wiring --board {file} -o {tmp_path / 'new'}").code == 0
    assert {each.name for each in (tmp_path / "new").iterdir()} == OWN_BOARD_FILES


def test_without_openscad_sources_are_written(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = coyote(f"print case -o {tmp_path / 'case'}")
    assert (result.code, result.err) == (0, "")
    assert {file.suffix for file in (tmp_path / "case").iterdir()} == {".scad"}


@pytest.mark.skipif(not is_renderable(), reason="OpenSCAD isn't installed")
def test_case_with_openscad_is_ready_to_print(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.cli.print.stl", lambda _piece: b"solid piece" + TRIANGLE)
    # rendering takes time: two coarse pictures suffice
    monkeypatch.setattr("hardware.case.portrait.FINER", 1)
    some = dict(list(PIECES.items())[:2])
    monkeypatch.setattr("firmware.cli.print.PIECES", some)
    result = coyote(f"print case -o {tmp_path / 'case'}")
    assert (result.code, result.out.count(" g, ")) == (0, 2)
    assert result.out.endswith(f"{tmp_path / 'case'}: 2 pieces\n")
    names = {file.name for file in (tmp_path / "case").iterdir()}
    made = {f"{name}{kind}" for name in some for kind in (".stl", ".png")}
    assert names == set(sources()) | made | {"case.png"}
