"""Wires that swing faster than any contact."""

from firmware.board_events import Edge
from hardware.board.board import Key

MOST, WHILE = 256, 0.1
"""Edges of a wire that are heard within so many seconds; no finger makes as many, however bad the contact."""


class NoiseGate:
    """Counts the edges of each wire."""

    def __init__(self) -> None:
        self._counts: dict[Key, tuple[float, int]] = {}

    def is_noise(self, edge: Edge) -> bool:
        """Count an edge; tell whether there were too many by now."""
        since, count = self._counts.get(edge.wire, (0.0, 0))
        if edge.at >= since + WHILE:
            since, count = edge.at, 0
        self._counts[edge.wire] = since, count + 1
        return count >= MOST
