"""The colours of the wiring picture: one for each kind of wire, as sold in shops."""

from collections.abc import Mapping

PAPER, WHITE, BLACK, INK, SOFT, CARD = "#fbfaf6", "#ffffff", "#20242a", "#1d2733", "#66717d", "#cfc9ba"

COLOURS: Mapping[str, str] = {
    "GND": "#20242a",
    "3V3": "#d35400",
    "5V": "#b01818",
    "LAMP+": "#7d1f4f",
    "call": "#1f6fb2",
    "table": "#1f6fb2",
    "second": "#7a4fa3",
    "green": "#2e8b57",
    "red": "#d0342c",
    "attention": "#b58b00",
    "buzzer": "#c2408f",
    "dial a": "#8a5a2b",
    "dial b": "#8a5a2b",
    "dial push": "#8a5a2b",
    "display clock": "#148f9b",
    "display data": "#148f9b",
    "register data": "#5d6b1f",
    "register clock": "#5d6b1f",
    "register latch": "#5d6b1f",
    "spi data": "#4b3f9e",
    "spi clock": "#4b3f9e",
    "ring select": "#4b3f9e",
    "digits select": "#4b3f9e",
}
"""The colour of each purpose of a wire."""


def ink(ground: str) -> str:
    """Choose an ink that is readable on a ground."""
    red, green, blue = (int(ground[place : place + 2], 16) for place in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE
