"""How drawings of boards look: colours of wires as sold in shops, names in two languages."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

PAPER, WHITE, BLACK, INK, SOFT, CARD = "#fbfaf6", "#ffffff", "#20242a", "#1d2733", "#66717d", "#cfc9ba"
RESISTOR = "#cfe0ee"


class Label(Struct, frozen=True, array_like=True):
    """A word in both languages."""

    english: str
    french: str


class LookFile(Struct, frozen=True):
    """What is read from look.toml."""

    colours: Mapping[str, str]
    devices: Mapping[str, Label]
    plugged: tuple[Label, ...]


LOOK = msgspec.toml.decode(Path(__file__).with_name("look.toml").read_bytes(), type=LookFile)
COLOURS = LOOK.colours
