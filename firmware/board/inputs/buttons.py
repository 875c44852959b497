"""The board's buttons and dial on real pins; every edge is queued with the kernel's timestamp.

An exception in a callback would silently end lgpio's only thread, and with it every button. Callbacks therefore
do nothing that can raise. The caller checks that thread and looks for lost edges.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from gpiozero import BadPinFactory, DigitalInputDevice  # type: ignore[import-untyped]

from firmware.board_events import Edge
from hardware.board.board import Board, BoardError, Key, wires

NOISE_EDGES, NOISE_WINDOW = 256, 0.1
"""Edges of one wire in `WHILE` seconds that count as noise; no finger makes as many."""


class NoiseGate:
    """Detects noise by counting the edges of each wire."""

    def __init__(self) -> None:
        self._counts: dict[Key, tuple[float, int]] = {}

    def is_noise(self, edge: Edge) -> bool:
        since, count = self._counts.get(edge.wire, (0.0, 0))
        if edge.at >= since + NOISE_WINDOW:
            since, count = edge.at, 0
        self._counts[edge.wire] = since, count + 1
        return count >= NOISE_EDGES


class Buttons:
    """The open pins. `put` receives every edge, in the driver's thread."""

    def __init__(self, board: Board, put: Callable[[Edge], None], factory: Any = None) -> None:
        self._put = put
        self._inputs: dict[Key, Any] = {}
        self._reported: dict[Key, bool] = {}
        self._gate = NoiseGate()
        self._edges = Counter[Key]()
        self._doubted: dict[Key, int] = {}
        self._callbacks: list[Callable[[float, int], None]] = []
        self.held: list[Key] = []
        """Buttons that were down when the pins were opened; these are not presses."""
        self.failures = 0
        try:
            for wire, gpio in wires(board).items():
                self._inputs[wire] = open_button(gpio, factory)
                self._listen(wire)
        except BoardError:
            self.close()
            raise

    def _listen(self, wire: Key) -> None:
        def on_edge(ticks: float, level: int) -> None:
            self._hear(Edge(wire, ticks, not level))

        # gpiozero holds only weak references to callbacks
        self._callbacks.append(on_edge)
        # edges of a dial that rests between two clicks must be reported
        is_held = wire.role not in {"a", "b"} and bool(self._inputs[wire].is_active)
        self._reported[wire] = is_held
        self.held += [wire] if is_held else []
        self._inputs[wire].pin.when_changed = on_edge

    def _hear(self, edge: Edge) -> None:
        try:
            self._edges[edge.wire] += 1
            # a noisy wire counts as held and costs no time
            if self._gate.is_noise(edge) and self._reported[edge.wire]:
                return
            self._reported[edge.wire] = edge.is_down
            self._put(edge)
        except Exception:  # noqa: BLE001 - the other buttons must live on
            self.failures += 1

    def lost_edges(self, now: float) -> list[Edge]:
        """Return edges for pins whose level differed from the last reported one in two checks.

        The kernel's queue is short, so edges can get lost. Two checks are needed because an edge may be under
        way during the first.
        """
        wrong = [wire for wire, opened in self._inputs.items() if opened.is_active != self._reported[wire]]
        sure = {wire for wire in wrong if self._doubted.get(wire) == self._edges[wire]}
        self._doubted = {wire: self._edges[wire] for wire in wrong if wire not in sure}
        for wire in sure:
            self._reported[wire] = not self._reported[wire]
        return [Edge(wire, now, self._reported[wire]) for wire in sorted(sure, key=repr)]

    def is_alive(self) -> bool:
        """Return whether lgpio's callback thread is alive; it serves all pins."""
        thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
        return thread is None or bool(thread.is_alive())

    def close(self) -> None:
        close_buttons(self._inputs)


def open_button(gpio: int, factory: Any) -> Any:
    try:
        # gpiozero's Button would wake ten times a second for each pin to detect holding
        return DigitalInputDevice(gpio, pull_up=True, bounce_time=None, pin_factory=factory)
    except Exception as error:  # every pin driver has its own errors
        if isinstance(error, ImportError | BadPinFactory) or "gpiochip" in str(error):
            raise BoardError("no pins", why=str(error)) from error
        raise BoardError("no pin", gpio=gpio, why=str(error)) from error


def close_buttons(opened: dict[Any, Any]) -> None:
    for each in opened.values():
        with suppress(Exception):
            each.pin.when_changed = None
        each.close()
    opened.clear()


# listens to all pins before any is driven, to find the pressed ones on an unknown board

MIN_PRESS = 0.03
"""Minimum seconds of a press; a lamp on a listening pin may flicker for less."""


class PinProbe:
    """All pins as inputs with pull-ups; pins that can't be opened are skipped."""

    def __init__(self, gpios: Iterable[int], factory: Any = None) -> None:
        self._inputs: dict[int, Any] = {}
        self._since: dict[int, float] = {}
        self.pressed = frozenset[int]()
        """GPIOs that were pressed and released."""
        self._callbacks: list[Any] = []
        self._failures: list[str] = []
        for gpio in gpios:
            try:
                self._listen(gpio, open_button(gpio, factory))
            except BoardError as error:
                self._failures.append(str(error.trouble.values["why"]))

    @property
    def failure(self) -> str | None:
        """The error of the first pin if no pin could be opened."""
        return self._failures[0] if self._failures and not self._inputs else None

    def close(self) -> None:
        close_buttons(self._inputs)

    def _listen(self, gpio: int, opened: Any) -> None:
        self._inputs[gpio] = opened

        def on_edge(ticks: float, level: int) -> None:
            if not level:
                self._since[gpio] = ticks
            elif ticks - self._since.pop(gpio, ticks) >= MIN_PRESS:
                self.pressed |= {gpio}

        # gpiozero holds only weak references to callbacks
        self._callbacks.append(on_edge)
        opened.pin.when_changed = on_edge
