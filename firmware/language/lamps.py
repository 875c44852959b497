"""Names of lamps, and checks for a lamp that stays dark."""

from collections.abc import Iterator, Mapping

from firmware.language.speaking import Sentence, say
from hardware.board.board import PIN_OF, Board, lamp_supply
from hardware.board.lamps import Lamp, LampPath, lamp_path

NAMES: Mapping[str, str] = {
    "green": "The green lamp of seat {seat}",
    "red": "The red lamp of seat {seat}",
    "attention": "The table's lamp",
}


def lamp_name(lamp: Lamp) -> Sentence:
    return Sentence(NAMES[lamp.what], {"seat": 1 if lamp.seat is None else lamp.seat + 1})


def lamp_checks(board: Board, lamp: Lamp) -> tuple[Sentence, ...]:
    path = lamp_path(board, lamp)
    return (*_supply_checks(board, path), *_own_checks(board, lamp, path))


def _supply_checks(board: Board, path: LampPath) -> Iterator[Sentence]:
    supply = lamp_supply(board)
    if path.driver is not None and supply is not None:
        yield say(
            "If all seat lamps are dark: is the lamps' own supply on? Measure {volts} V between LAMP+ "
            "and GND; LAMP+ is at leg 10 of each ULN2803, GND at leg 9.",
            volts=f"{supply.volts:g}",
        )
    if path.output is not None:
        yield say(
            "If all seat lamps are dark: measure 3.3 V at legs 16 and 10 of each 74HC595 against leg "
            "8. Leg 13 (OE) is joined to leg 12 (latch), and 10 kΩ lead from there to 3V3."
        )


def _own_checks(board: Board, lamp: Lamp, path: LampPath) -> Iterator[Sentence]:
    if path.gpio is not None:
        pin = {"gpio": path.gpio, "pin": PIN_OF[path.gpio].number}
        yield say("If only this one is dark: its wire comes from GPIO{gpio}, pin {pin} of the header.", **pin)
    if path.output is not None:
        chip, leg = path.output
        yield say(
            "If only this one is dark: it is connected to leg {leg} of 74HC595 no. {chip}.", leg=leg, chip=chip
        )
    if path.driver is not None:
        chip, leg, out = path.driver
        yield say(
            "ULN2803 no. {chip} switches it: into leg {leg}, out of leg {out}; its other end is at LAMP+.",
            chip=chip,
            leg=leg,
            out=out,
        )
    else:
        yield say(
            "An LED works one way round only: the short leg, or the middle one of a two-colour LED, "
            "goes to GND, and the leg of this colour to the resistor ({ohms} Ω).",
            ohms=getattr(board.ohms, lamp.what),
        )
