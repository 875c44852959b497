"""Prints: exact sizes, every copy once, backs behind fronts."""

from collections import Counter
from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.drawing import (
    Drawing,
    Group,
    box,
    circle,
    fill,
    group,
    placement,
    rounded_box,
    stroke,
    text,
)
from hardware.decks.print.documents import copies, deck_pages, deck_sheets, markers, mat, tokens, with_mark
from hardware.decks.print.markers import FRAME, MARKER, MARKER_AT, PATCH, plate
from hardware.decks.print.pdf import pdf
from hardware.decks.print.raster import picture
from hardware.decks.print.sheets import PAPERS, SheetGrid, place
from hardware.decks.print.tokens import TOKENS

DPI = 600
MM = DPI / 25.4


@cache
def page_of(data: bytes, number: int, dpi: float = DPI) -> np.ndarray:
    page = pypdfium2.PdfDocument(data)[number]
    return page.render(scale=dpi / 72).to_numpy()[:, :, :3]


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_the_paper(paper: str) -> None:
    for page in pypdfium2.PdfDocument(deck_sheets(PRINTED["coup"], paper)):
        width, height = (points * 25.4 / 72 for points in page.get_size())
        assert abs(width - PAPERS[paper].width) < 0.01
        assert abs(height - PAPERS[paper].height) < 0.01


@pytest.mark.parametrize("paper", PAPERS)
def test_cut_marks_stand_at_the_edges_of_the_cards(paper: str) -> None:
    shown = page_of(deck_sheets(PRINTED["coup"], paper), 0).min(axis=2)
    grid = SheetGrid(PAPERS[paper], 3, 3, 63, 88, 2)
    left, top = grid.corner
    across = _middles(shown[round((top - 2.7) * MM)])
    expected = [left + k * 65 + edge for k in range(3) for edge in (0, 63)]
    assert np.abs(np.array(across) - expected).max() < 0.1
    down = _middles(shown[:, round((left - 2.7) * MM)])
    expected = [top + k * 90 + edge for k in range(3) for edge in (0, 88)]
    assert np.abs(np.array(down) - expected).max() < 0.1


def test_the_line_inside_the_border_is_3_mm_from_the_cut() -> None:
    shown = page_of(deck_sheets(PRINTED["coup"]), 0).min(axis=2)
    left, top = SheetGrid(PAPERS["a4"], 3, 3, 63, 88, 2).corner
    row = shown[round((top + 44) * MM), round(left * MM) : round((left + 5) * MM)]
    assert abs(_middles(row)[0] - 3) < 0.1
    column = shown[round(top * MM) : round((top + 4) * MM), round((left + 40) * MM)]
    assert abs(_middles(column)[0] - 3) < 0.1


def test_the_check_ruler_is_50_mm_long() -> None:
    shown = page_of(deck_sheets(PRINTED["coup"]), 0).min(axis=2)
    ticks = _middles(shown[:, round(4.1 * MM)])
    assert len(ticks) >= 2
    assert abs(ticks[-1] - ticks[0] - 50) < 0.1


def _middles(line: np.ndarray) -> list[float]:
    """Find the middles of the dark stretches, in millimetres."""
    dark = np.flatnonzero(np.diff(np.concatenate([[0], (line < 190).astype(int), [0]])))
    return [(start + end) / 2 / MM for start, end in zip(dark[::2], dark[1::2], strict=True)]


@pytest.mark.parametrize("printed", PRINTED.values(), ids=lambda printed: printed.name)
def test_every_copy_is_printed_once(printed: PrintedDeck) -> None:
    pages = deck_pages(printed, PAPERS["a4"])
    names = {drawing.items: name for name, drawing in printed.faces.items()}
    fronts = [item.items for page in pages[::2] for item in _cards(page)]
    assert Counter(names[items] for items in fronts) == {**printed.counts, **printed.extras}
    assert sum(len(_cards(page)) for page in pages[1::2]) == len(copies(printed))
    assert len(pypdfium2.PdfDocument(deck_sheets(printed))) == len(pages)


def _cards(page: Drawing) -> list[Group]:
    # the two groups in the margin hold one shape each
    return [item for item in page.items if isinstance(item, Group) and len(item.items) > 1]


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_lie_behind_fronts_when_the_sheet_is_turned_over_its_long_edge(paper: str) -> None:
    width = PAPERS[paper].width
    fronts, backs = deck_pages(PRINTED["coup"], PAPERS[paper])[-2:]
    fronts_at = {_corner(item, 0) for item in _cards(fronts)}
    backs_at = {_corner(item, 63) for item in _cards(backs)}
    assert fronts_at == {(round(width - x, 3), y) for x, y in backs_at}


def _corner(item: Group, across: float) -> tuple[float, float]:
    return (round(item.matrix[4] + across, 3), round(item.matrix[5], 3))


def test_a_sheet_that_is_not_full_has_backs_only_where_there_are_fronts() -> None:
    data = deck_sheets(PRINTED["plenty-coups"])
    grid = SheetGrid(PAPERS["letter"], 3, 3, 63, 88, 2)
    assert len(pypdfium2.PdfDocument(data)) == 12
    assert place(grid, 0, behind=True)[0] == place(grid, 2)[0]


def test_files_are_the_same_every_time_and_name_no_font() -> None:
    assert deck_sheets(PRINTED["coup"]) == deck_sheets(PRINTED["coup"])
    assert b"/Font" not in tokens()


def test_pdf_and_raster_paint_the_same() -> None:
    drawing = PRINTED["ogallala"].faces["red-chief"]
    there = page_of(pdf([drawing]), 0, 101.4).astype(float)
    here = picture(drawing, 4).astype(float)
    assert there.shape == here.shape
    assert np.abs(there - here).mean() < 4


def test_windows_strokes_and_nested_groups_reach_the_page() -> None:
    inner = group(fill(box(0, 0, 20, 20), "#ff0000"), matrix=placement(0, 0, 1, 30), window=circle(10, 10, 6))
    drawing = Drawing(
        30, 30, (group(inner, matrix=placement(5, 5)), stroke(rounded_box(2, 2, 26, 26, 3), "#0000ff", 1))
    )
    there = page_of(pdf([drawing]), 0, 126.8).astype(float)
    assert np.abs(there - picture(drawing, 5)).mean() < 2


def test_decks_of_one_game_are_marked_apart_in_the_border_only() -> None:
    plain = PRINTED["coup"].faces["duke"]
    pictures = [picture(with_mark(plain, mark), 6).astype(int) for mark in (None, "a", "b")]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        changed = np.argwhere(np.abs(pictures[one] - pictures[other]).max(axis=2) > 60)
        assert len(changed) > 20
        inside = (changed[:, 0] > 2.8 * 6) & (changed[:, 0] < (88 - 2.8) * 6)
        assert not inside.any()
    assert deck_sheets(PRINTED["coup"], mark="a") != deck_sheets(PRINTED["coup"], mark="b")


def test_markers_are_found_where_they_are_printed_and_the_patch_is_white_in_grey() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found, ids, _ = detector.detectMarkers(page_of(markers(), 0, 200))
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    for quad in found:
        side = np.linalg.norm(quad[0][0] - quad[0][1]) * 25.4 / 200
        assert abs(side - MARKER) < 0.3
    shown = picture(plate(2), 5)
    x, y, width, height = PATCH
    assert (
        shown[round(y * 5) + 1 : round((y + height) * 5) - 1, round(x * 5) + 1 : round((x + width) * 5) - 1]
        == 255
    ).all()
    assert (shown[round((FRAME[1] + 1) * 5), round((FRAME[0] + 1) * 5)] == 128).all()
    assert MARKER_AT == (10, 10)


def test_the_mat_is_tiled_without_gaps() -> None:
    assert len(pypdfium2.PdfDocument(mat())) == 1 + 8
    assert len(pypdfium2.PdfDocument(mat("letter"))) == 1 + 12


def test_there_are_as_many_tokens_as_the_boxes_hold() -> None:
    counts = Counter[str]()
    for token in TOKENS:
        counts[token.name.split()[0] if token.name != "horse" else "horse"] += token.count
    assert counts["coyote"] == 18
    assert counts["oliphante"] == 8
    assert counts["kidult"] == 6
    assert counts["coup"] == 50
    assert counts["horse"] == 36
    assert sum(token.count for token in TOKENS if token.name.endswith("raid")) == 24
    assert len(pypdfium2.PdfDocument(tokens())) == 6


def test_letters_stand_where_they_are_set() -> None:
    shown = picture(Drawing(20, 20, (fill(text("H", 10, 15, 10), "#000000"),)), 10).min(axis=2)
    rows = np.flatnonzero((shown < 128).any(axis=1))
    assert abs(rows[0] - 50) <= 1
    assert abs(rows[-1] - 149) <= 1
