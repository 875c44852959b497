"""What the parts of a board cost, by estimate, and their makers' numbers: read from prices.toml."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.board.parts import BoardPart


class Price(Struct, frozen=True, forbid_unknown_fields=True, rename={"low": "from", "high": "to"}):
    """What one piece costs in euros, from and to, and the number that its maker gives it."""

    low: float
    high: float
    maker: str = ""


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """What is read: the month of the estimate, and the prices by the parts' keys."""

    estimated: str
    parts: Mapping[str, Price]


PRICES = msgspec.toml.decode(Path(__file__).with_name("prices.toml").read_bytes(), type=Prices)


def price(part: BoardPart) -> Price:
    """Give the price of one piece: of its value, where that matters."""
    return PRICES.parts.get(f"{part.key} {part.value}") or PRICES.parts[part.key]


def total(parts: tuple[BoardPart, ...]) -> tuple[float, float]:
    """Add up from and to, each piece once."""
    priced = [(part.count, price(part)) for part in parts]
    return sum(count * each.low for count, each in priced), sum(count * each.high for count, each in priced)
