"""The few words in the wiring picture, in English and French side by side."""

from collections.abc import Mapping

from msgspec import Struct


class Label(Struct, frozen=True):
    """A word in both languages."""

    english: str
    french: str


_DEVICES: Mapping[str, Label] = {
    "seat": Label("Seat", "Place"),
    "table button": Label("Table button", "Bouton de table"),
    "dial": Label("Dial", "Molette"),
    "display": Label("Display TM1637", "Afficheur TM1637"),
    "register": Label("74HC595", "74HC595"),
    "shifter": Label("74AHCT125", "74AHCT125"),
    "selects": Label("74AHCT125", "74AHCT125"),
    "attention": Label("Attention lamp", "Lampe d'appel"),
    "buzzer": Label("Buzzer", "Buzzer"),
    "supply": Label("Lamps' supply", "Alimentation des lampes"),
}
_TERMINALS: Mapping[str, Label] = {
    "call": Label("button", "bouton"),
    "table": Label("button", "bouton"),
    "second": Label("2nd button", "2e bouton"),
    "green": Label("green", "vert"),
    "red": Label("red", "rouge"),
    "dial push": Label("push SW", "poussoir SW"),
    "dial a": Label("A CLK", "A CLK"),
    "dial b": Label("B DT", "B DT"),
    "attention": Label("lamp +", "lampe +"),
    "buzzer": Label("to base", "vers base"),
    "display clock": Label("CLK", "CLK"),
    "display data": Label("DIO", "DIO"),
    "register data": Label("data 14", "données 14"),
    "register clock": Label("clock 11", "horloge 11"),
    "register latch": Label("latch 12, OE 13", "verrou"),
    "spi data": Label("in 2, 5", "entrées 2, 5"),
    "spi clock": Label("in 9", "entrée 9"),
    "ring select": Label("OE 1", "OE 1"),
    "digits select": Label("in 12", "entrée 12"),
}


def device_label(kind: str) -> Label:
    """Name a device."""
    return _DEVICES[kind]


def terminal_label(what: str) -> Label:
    """Name a terminal; rails have the same name in both languages."""
    return _TERMINALS.get(what, Label(what, what))
