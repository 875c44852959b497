"""Prints: exact sizes, every copy once, backs aligned with fronts."""

from collections import Counter

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.drawing import Drawing, Group, Shape
from hardware.decks.print import documents, raster
from hardware.decks.print.markers import FRAME, MARKER, MARKER_AT, PATCH, plate
from hardware.decks.print.pdf import pdf
from hardware.decks.print.playmat import ZONES, playmat, tiles, zones
from hardware.decks.print.raster import picture
from hardware.decks.print.sheets import PAPERS, SheetGrid, margin
from tests.tiers import tiered

DPI = 450
MM = DPI / 25.4


def page_of(data: bytes, number: int, dpi: float = DPI) -> np.ndarray:
    page = pypdfium2.PdfDocument(data)[number]
    return page.render(scale=dpi / 72).to_numpy()[:, :, :3]


@pytest.mark.parametrize("paper", tiered(["letter"], list(PAPERS)))
def test_cut_marks_are_at_the_card_edges(paper: str) -> None:
    sheets = documents.deck_sheets(PRINTED["coup"], paper)
    assert sheets == documents.deck_sheets(PRINTED["coup"], paper)
    assert len(pypdfium2.PdfDocument(sheets)) == len(documents.deck_pages(PRINTED["coup"], PAPERS[paper]))
    for page in pypdfium2.PdfDocument(sheets):
        width, height = (points * 25.4 / 72 for points in page.get_size())
        assert (width, height) == pytest.approx((PAPERS[paper].width, PAPERS[paper].height), abs=0.01)
    shown = page_of(sheets, 0).min(axis=2)
    grid = SheetGrid(PAPERS[paper], 3, 3, 63, 88, 2)
    left, top = grid.corner
    across = _middles(shown[round((top - 2.7) * MM)])
    expected = [left + k * 65 + edge for k in range(3) for edge in (0, 63)]
    assert np.abs(np.array(across) - expected).max() < 0.1
    down = _middles(shown[:, round((left - 2.7) * MM)])
    expected = [top + k * 90 + edge for k in range(3) for edge in (0, 88)]
    assert np.abs(np.array(down) - expected).max() < 0.1


def _middles(line: np.ndarray) -> list[float]:
    dark = np.flatnonzero(np.diff(np.concatenate([[0], (line < 190).astype(int), [0]])))
    return [(start + end) / 2 / MM for start, end in zip(dark[::2], dark[1::2], strict=True)]


@pytest.mark.parametrize("printed", PRINTED.values(), ids=lambda printed: printed.name)
def test_all_copies_are_printed(printed: PrintedDeck) -> None:
    pages = documents.deck_pages(printed, PAPERS["a4"])
    names = {drawing.items: name for name, drawing in printed.faces.items()}
    fronts = [item.items for page in pages[::2] for item in _cards(page)]
    assert Counter(names[items] for items in fronts) == {**printed.counts, **printed.extras}
    assert sum(len(_cards(page)) for page in pages[1::2]) == sum({**printed.counts, **printed.extras}.values())


def _cards(page: Drawing) -> list[Group]:
    # the two groups in the margin hold one shape each
    return [item for item in page.items if isinstance(item, Group) and len(item.items) > 1]


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_align_with_fronts_in_duplex_print(paper: str) -> None:
    width = PAPERS[paper].width
    fronts, backs = documents.deck_pages(PRINTED["coup"], PAPERS[paper])[-2:]
    fronts_at = {_corner(item, 0) for item in _cards(fronts)}
    backs_at = {_corner(item, 63) for item in _cards(backs)}
    assert fronts_at == {(round(width - x, 3), y) for x, y in backs_at}


def _corner(item: Group, across: float) -> tuple[float, float]:
    return (round(item.matrix[4] + across, 3), round(item.matrix[5], 3))


def test_pdf_and_raster_match() -> None:
    drawing = PRINTED["ogallala"].faces["red-chief"]
    assert b"/Font" not in pdf([drawing])
    there = page_of(pdf([drawing]), 0, 101.4).astype(float)
    here = picture(drawing, 4).astype(float)
    assert there.shape == here.shape
    assert np.abs(there - here).mean() < 4


def test_decks_of_one_game_differ_in_the_border_only() -> None:
    plain = PRINTED["coup"].faces["duke"]
    pictures = [picture(documents.with_mark(plain, mark), 6).astype(int) for mark in (None, "a", "b")]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        changed = np.argwhere(np.abs(pictures[one] - pictures[other]).max(axis=2) > 60)
        assert len(changed) > 20
        inside = (changed[:, 0] > 2.8 * 6) & (changed[:, 0] < (88 - 2.8) * 6)
        assert not inside.any()


def test_printed_markers_and_grey_patch_are_detected() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found, ids, _ = detector.detectMarkers(page_of(documents.markers(), 0, 200))
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


def test_mat_tiles_have_no_gaps() -> None:
    assert len(pypdfium2.PdfDocument(documents.mat())) == 1 + 8
    assert len(pypdfium2.PdfDocument(documents.mat("letter"))) == 1 + 12
    assert zones() == ZONES
    parted = zones(("seat", "herd", "camp", "taunt"))
    assert len(parted) == 3 + 6 * 4
    areas = [sum(width * height for _x, _y, width, height in each.values()) for each in (parted, ZONES)]
    assert round(areas[0]) == round(areas[1])


def test_each_mat_tile_shows_its_part() -> None:
    """Trimmed and placed edge to edge, the tiles form the mat."""
    paper, cut = PAPERS["a4"], 10
    whole = picture(playmat(), 1)
    wide, high = round(paper.width) - 2 * cut, round(paper.height) - 2 * cut
    columns = -(-whole.shape[1] // wide)
    for number, drawn in enumerate(tiles(paper)):
        row, column = divmod(number, columns)
        label = f"mat, row {row + 1}, column {column + 1}: cut along the thin line"
        assert drawn.items[-1] == margin(paper, label)[-1]
        part = whole[row * high : (row + 1) * high, column * wide : (column + 1) * wide].astype(int)
        shown = picture(drawn, 1)[cut : cut + part.shape[0], cut : cut + part.shape[1]].astype(int)
        assert np.abs(shown - part)[2:-2, 2:-2].mean() < 2, number


def test_painting_in_bands_equals_painting_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    both = plate(1), PRINTED["coup"].faces["duke"]
    at_once = [picture(each, 2.0).astype(int) for each in both]
    monkeypatch.setattr(raster, "_MOST", 1 << 20)
    for drawing, whole in zip(both, at_once, strict=True):
        # OpenCV clips a curve at the edge of a band, so a few pixels there differ slightly
        assert np.abs(picture(drawing, 2.0) - whole).max() < 8


def test_token_counts_match_the_boxes() -> None:
    counts = Counter[str]()
    for token in documents.TOKENS:
        counts[token.name.split()[0]] += token.count
    assert counts.items() >= {"coyote": 18, "oliphante": 8, "kidult": 6, "coup": 50, "horse": 36}.items()
    assert sum(token.count for token in documents.TOKENS if token.name.endswith("raid")) == 24
    assert len(pypdfium2.PdfDocument(documents.tokens())) == 6


def test_mat_labels_are_stacked() -> None:
    shapes = [item for item in playmat().items if isinstance(item, Shape)]
    for english, french in zip(shapes[3:37:4], shapes[4:37:4], strict=True):
        assert max(run.start[1] for run in english.path) < min(run.start[1] for run in french.path)
