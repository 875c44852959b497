"""Part prices: each part has one, none is counted twice, and all pages state the totals."""

import re
from pathlib import Path

import pytest

from firmware.storage.wired_board import NO_BOARD
from hardware.board.board import our_boards
from hardware.board.parts import PRICES, parts, total

BOARDS = {"none": NO_BOARD, **our_boards()}
BUILT = ("none", "two", "fab")
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["README.md", "docs/site/main.html", "docs/build.md"])
def test_pages_state_the_prices_of_the_parts_lists(page: str) -> None:
    stated = re.findall(r"\d+ to \d+ €", (ROOT / page).read_text(encoding="utf-8"))
    totals = (total(parts(BOARDS[name])) for name in BUILT)
    assert stated == [f"{low:.0f} to {high:.0f} €" for low, high in totals]


def test_prices_belong_to_bought_parts() -> None:
    bought = {
        key for name in BUILT for part in parts(BOARDS[name]) for key in (part.key, f"{part.key} {part.value}")
    }
    assert PRICES.parts.keys() <= bought
    assert all(0 < each.low <= each.high for each in PRICES.parts.values())
