"""The decks of others: whole, licensed, and readable."""

import re

import numpy as np
import pytest

from tests.hardware.twin.levels import L0
from tests.vision.foreign.sheets import LARGEST, SHEETS, kept_deck, load_sheet, sheet_names
from tests.vision.sets.judging import outcomes
from tests.vision.sets.kinds import CLOTH, Kind, Teaching, lay_apart, photograph
from vision.reading.reader import read
from vision.reading.templates import templates


@pytest.mark.parametrize("name", sheet_names())
def test_sheet_contains_all_faces(name: str) -> None:
    sheet, deck = load_sheet(name), kept_deck(name)
    assert len(set(sheet.faces)) == len(sheet.faces) > 40
    last = deck.face(sheet.faces[-1])
    assert last.shape == (round(8 * sheet.size[1]), round(8 * sheet.size[0]), 3)
    assert np.ptp(last) > 200
    assert (SHEETS / f"{name}.webp").stat().st_size <= LARGEST


def test_every_deck_is_licensed() -> None:
    text = (SHEETS.parent / "LICENCES.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `.*$", text, re.MULTILINE)
    ]
    assert all(map(all, rows))
    decks = {row[0].strip("`"): row[-1] for row in rows}
    assert decks.keys() == {package for name in sheet_names() for package in load_sheet(name).packages}
    for name in sheet_names():
        assert all(f"`{name}`" in decks[package] for package in load_sheet(name).packages)


def test_reads_foreign_deck() -> None:
    deck = kept_deck("coloured")
    names = ("red-7", "red-1", "green-skip", "blue-7")
    kind = Kind("plain", lambda: deck, Teaching(1, CLOTH), lay_apart, (CLOTH,), 1, (1, 1))
    frame = photograph(kind, ["red-7"], 5, lay_apart, CLOTH, L0)
    taught = templates({name: [deck.face(name)] for name in names}, deck.size)
    reading = read(frame.picture, taught)
    assert list(outcomes(frame.truth, reading, frozenset(names))) == [("right", "sure")]
    assert list(outcomes((), reading, frozenset(names))) == [("nothing", "sure")]
