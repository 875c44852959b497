"""Part prices: each part has one, none is counted twice, and the guide states the total."""

from pathlib import Path

import pytest

from hardware.board.board import our_boards
from hardware.board.parts import PRICES, BoardPart, parts, price, total

BOARDS = our_boards()
BUILT = ("two", "fab")
GUIDE = (Path(__file__).parents[3] / "docs" / "build.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILT)
def test_guide_states_the_price_of_a_build(name: str) -> None:
    low, high = total(parts(BOARDS[name]))
    rows = [line for line in GUIDE.splitlines() if line.startswith(f"| `{name}` |")]
    assert any(row.endswith(f"| {low:.0f} to {high:.0f} |") for row in rows)


def test_prices_belong_to_bought_parts() -> None:
    bought = {
        key for name in BUILT for part in parts(BOARDS[name]) for key in (part.key, f"{part.key} {part.value}")
    }
    assert PRICES.parts.keys() <= bought
    assert all(0 < each.low <= each.high for each in PRICES.parts.values())


def test_each_part_is_priced_once() -> None:
    bolt, screw = BoardPart("screw", 1, "M8 x 60"), BoardPart("screw", 4, "M3 x 10")
    assert price(bolt) != price(screw)
    assert total((bolt, screw)) == (
        price(bolt).low + 4 * price(screw).low,
        price(bolt).high + 4 * price(screw).high,
    )
