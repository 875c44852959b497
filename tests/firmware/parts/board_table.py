"""A table that remembers what the door of its board asks of it."""

from firmware.table.effects import ShowLamp
from firmware.table.notices import Notice
from hardware.board.lamps import Lamp


class BoardTable:
    """Keeps what is wrong and which lamp is lit."""

    def __init__(self) -> None:
        self.wrong: dict[object, Notice] = {}
        self.lit: list[Lamp | None] = []

    def report(self, name: object, wrong: Notice | None) -> None:
        self.wrong.pop(name, None)
        if wrong is not None:
            self.wrong[name] = wrong

    def do(self, shown: ShowLamp) -> None:
        self.lit.append(shown.lamp)
