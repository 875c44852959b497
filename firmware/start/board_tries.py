"""The trials of `coyote doctor` at a terminal: each button and lamp in turn, with results for the report."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Annotated, Any, Literal

import click
from gpiozero import LED, Device  # type: ignore[import-untyped]
from msgspec import Meta, Struct

from firmware.board.inputs.presses import STUCK_AFTER
from firmware.board.outputs.drivers import BuzzerDriver, DigitsDriver, SeatLamps, SpiDigitsDriver, lamps_of
from firmware.board.outputs.patterns import Light
from firmware.board.outputs.tunes import WIN
from firmware.board.outputs.voices import Driver, Voice
from firmware.board_events import Edge
from firmware.language.lamps import lamp_checks, lamp_name
from firmware.language.speaking import _, say
from firmware.services.checks import Finding, well, wrong
from firmware.table.notices import button_name
from hardware.board.board import Board, Key, keys, wires
from hardware.board.lamps import Lamp, all_lamps, lamp_path

TURN, REST = 20.0, 0.3
"""Seconds to wait for a press, and of rest before the next button is asked for."""
SIGNS = "12-8"
"""Text to read on the digits; together the signs use every segment."""
MOST_EDGES = 300
"""Edges recorded for a press; a floating wire makes more."""
MINUTE = 60_000_000
"""A minute in microseconds, the bound of a report's times."""

Gpio = Annotated[int, Meta(ge=2, le=27)]
Microseconds = Annotated[int, Meta(ge=-MINUTE, le=MINUTE)]
Seen = Literal["yes", "no", "not seen", "not asked", "failed"]
"""The owner's answer to an item of the checklist; "failed" if the item couldn't be shown."""
Heard = tuple[Edge, float]
"""An edge, and the time at which our handler received it."""


class TracedEdge(Struct, frozen=True, forbid_unknown_fields=True):
    """An edge: microseconds since the press by the kernel's timestamp, and until our handler received it."""

    gpio: Gpio
    after: Microseconds
    is_down: bool
    heard: Microseconds


class LampTold(Struct, frozen=True, forbid_unknown_fields=True):
    """The lamp's response: microseconds from our handler to the write, and whether the pin reads as lit."""

    gpio: Gpio | None
    written: Microseconds
    is_read_back: bool | None


class PressTold(Struct, frozen=True):
    """A requested press, with the edges of all wires; none if nothing was received."""

    asked: Key
    edges: Annotated[tuple[TracedEdge, ...], Meta(max_length=MOST_EDGES)] = ()
    lamp: LampTold | None = None


SHOWN: Mapping[str, str] = {
    "colours": _("Did each lamp have the colour that was named?"),
    "amber": _("Are all seat lamps amber now, green and red together?"),
    "table lamp": _("Is the table's lamp lit now?"),
    "digits": _("Do the digits show {signs}, steadily and without extra strokes?"),
    "tune": _("Do you hear a tune of six notes, the last one highest and longest?"),
    "silence": _("Is it silent now, without humming or crackling?"),
}
"""Questions about an effect that is shown or played meanwhile."""
REMEMBERED: Mapping[str, str] = {
    "by itself": _("Did the table's page appear by itself after you put the card into the Pi?"),
    "name": _("Can a phone reach the table by a name that ends with .local?"),
    "dark": _("Did all lamps stay dark from power-on until you chose the board?"),
    "picture": _("On the host's page, under Find the table: is the picture upright and in true colours?"),
    "flicker": _("Is that picture steady, without moving stripes?"),
    "sharp": _("Is it sharp at all four plates, also after the table was found?"),
    "loudspeaker": _("Did you hear the tune that the host's page plays under Loudspeakers?"),
    "plug": _("After you pulled the plug during a match, did the table restart and resume it?"),
    "warm": _("After an evening, is the Pi cool enough to touch?"),
}
"""Questions about the running table, answered from memory or later."""
ANSWERS: Mapping[str, Seen] = {"y": "yes", "n": "no", "-": "not seen"}


class BoardTries:
    """Tries a board's parts one by one, and collects the results for the report."""

    def __init__(self, clock: Callable[[], float] = monotonic, factory: Any = None) -> None:
        self.presses: list[PressTold] = []
        self.seen: dict[str, Seen] = dict.fromkeys((*SHOWN, *REMEMBERED), "not asked")
        self.heard: SimpleQueue[Heard] = SimpleQueue()
        self._clock, self._factory = clock, factory

    def hear(self, edge: Edge) -> None:
        self.heard.put((edge, self._clock()))

    def try_board(self, board: Board) -> Iterator[Finding]:
        lamps = lamps_of(board, self._factory)
        try:
            for key in keys(board):
                click.echo(_("press: {button}").format(button=button_name(key)))
                yield self.try_button(board, key, lamps)
            if lamps is not None:
                yield from try_lamps(board, lamps)
        finally:
            if lamps is not None:
                lamps.close()

    def try_button(self, board: Board, key: Key, lamps: SeatLamps | None) -> Finding:
        """Wait for a press of one button; a press of another one means crossed wires."""
        received, answer = self._press(board, lamps)
        gpios, began = wires(board), received[0][0].at if received else 0.0
        edges = (
            (gpios[edge.wire], _microseconds(edge.at - began), edge.is_down, _microseconds(at - edge.at))
            for edge, at in received
        )
        self.presses.append(PressTold(key, tuple(TracedEdge(*each) for each in edges), answer))
        if not received:
            told = say("{button} doesn't respond", button=button_name(key))
            return wrong(told, say("check its two wires: coyote print wiring"), "buttons")
        pressed = received[0][0].wire
        if pressed == key:
            return well(button_name(key), "buttons")
        told = say("{other} responded instead of {button}", other=button_name(pressed), button=button_name(key))
        return wrong(told, say("swap their wires: coyote print wiring"), "buttons")

    def _press(self, board: Board, lamps: SeatLamps | None) -> tuple[list[Heard], LampTold | None]:
        """Wait for a press. Returns all its edges, so that bounces don't count for the next button."""
        edges, until, answer = list[Heard](), self._clock() + TURN, None
        while len(edges) < MOST_EDGES and (wait := until - self._clock()) > 0:
            try:
                edge, at = self.heard.get(timeout=wait)
            except Empty:
                break
            if edge.wire.role in {"a", "b"} or not (edges or edge.is_down):
                continue
            if not edges and lamps is not None:
                answer = self._answer(board, edge.wire, at, lamps)
            edges.append((edge, at))
            until = self._clock() + (STUCK_AFTER if edge.is_down else REST)
        if lamps is not None:
            lamps.show(())
        return edges, answer

    def _answer(self, board: Board, key: Key, received: float, lamps: SeatLamps) -> LampTold | None:
        """Light the seat's lamp as the table would, and read its pin back, if it has one."""
        own = (each for each in all_lamps(board) if each.seat is not None and each.seat == key.seat)
        lamp = next(own, None)
        if lamp is None:
            return None
        _light(board, lamp, lamps)
        written, gpio = self._clock(), lamp_path(board, lamp).gpio
        factory = self._factory or Device.pin_factory
        is_lit = None if gpio is None or factory is None else bool(factory.pin(gpio).state)
        return LampTold(gpio, _microseconds(written - received), is_lit)

    def watch(self, board: Board) -> Iterator[Finding]:
        """Show and play effects that only a person can judge; yields a finding for each that fails."""
        if any(lamp.seat is not None for lamp in all_lamps(board)):
            self._ask("colours")
        for name in ("amber", "table lamp", "digits", "tune"):
            try:
                with ExitStack() as shown:
                    if self._show(name, board, shown):
                        self._ask(name)
            except click.Abort:
                raise
            except Exception as error:  # noqa: BLE001 - each driver has errors of its own
                self.seen[name] = "failed"
                yield wrong(str(error), say("see the message"))
        if self.seen["tune"] != "not asked":
            self._ask("silence")

    def _show(self, name: str, board: Board, shown: ExitStack) -> bool:
        """Show or play an effect until the stack closes. Returns whether the board has that part."""
        factory = self._factory
        if name == "amber" and (lamps := lamps_of(board, factory)) is not None:
            shown.callback(lamps.close)
            both: Light = "amber"
            lamps.show((both,) * board.seats)
        elif name == "table lamp" and board.attention is not None:
            lamp = LED(board.attention, initial_value=True, pin_factory=factory)
            shown.callback(lamp.close)
        elif name == "digits" and (digits := _digits_of(board, factory)) is not None:
            shown.callback(digits.close)
            digits.tell(SIGNS, 0)
        elif name == "tune" and board.buzzer is not None:
            buzzer = Voice("buzzer", BuzzerDriver(board.buzzer, factory))
            shown.callback(buzzer.close)
            buzzer.give(WIN)
        else:
            return False
        return True

    def remember(self) -> None:
        click.echo(_("Some questions about the running table; answer - if you haven't seen it yet."))
        for each in REMEMBERED:
            self._ask(each)

    def _ask(self, item: str) -> None:
        question = {**SHOWN, **REMEMBERED}[item].format(signs=SIGNS)
        said = click.prompt(question, type=click.Choice(tuple(ANSWERS)), default="-")
        self.seen[item] = ANSWERS[said]


def try_lamps(board: Board, lamps: SeatLamps) -> Iterator[Finding]:
    for lamp in (each for each in all_lamps(board) if each.seat is not None):
        _light(board, lamp, lamps)
        told = str(lamp_name(lamp))
        is_lit = click.confirm(_("Is it lit now? {lamp}").format(lamp=told), default=True)
        remedy = " ".join(map(str, lamp_checks(board, lamp)))
        yield well(told, "lamps") if is_lit else wrong(told, remedy, "lamps")


def _light(board: Board, lamp: Lamp, lamps: SeatLamps) -> None:
    colour: Light = "red" if lamp.what == "red" else "green"
    lamps.show(tuple(colour if seat == lamp.seat else "" for seat in range(board.seats)))


def _digits_of(board: Board, factory: Any) -> Driver[Any] | None:
    if board.max7219 is not None:
        return SpiDigitsDriver(board.max7219, factory)
    return None if board.display is None else DigitsDriver(board.display, factory)


def _microseconds(seconds: float) -> int:
    return max(-MINUTE, min(round(seconds * 1_000_000), MINUTE))
