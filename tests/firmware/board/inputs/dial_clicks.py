"""The edges of the dial's two wires, click by click."""

from firmware.board.inputs.button_input import Wire

CLOCKWISE: tuple[tuple[Wire, bool], ...] = (("a", False), ("b", False), ("a", True), ("b", True))
BACK: tuple[tuple[Wire, bool], ...] = (("b", False), ("a", False), ("b", True), ("a", True))
