"""What is wrong with a board, in words."""

from collections.abc import Iterator, Mapping

from firmware.language.speaking import LANGUAGE, Sentence, say
from hardware.board.board import PIN_OF, RING_SELECT, Board, Trouble, lamp_supply
from hardware.board.lamps import Lamp, LampPath, lamp_path
from hardware.board.netlist import RING_OHMS
from referee.telling import Language

WORDS: Mapping[str, str] = {
    "unreadable": "{file}: not a board: {why}",
    "no such profile": "there is no profile {name}; there are: {names}",
    "no such pin": "{what}: GPIO{gpio} is not on the header: take GPIO2 to GPIO27",
    "eeprom": "{what}: GPIO{gpio} is kept for the boards that are plugged on: take GPIO2 to GPIO27",
    "kept": "{what}: GPIO{gpio} belongs to {interface}, which is to stay free",
    "pulled up": "{what}: GPIO{gpio} has a resistor that pulls it up: good for a button, not for an output",
    "spi": "{what}: GPIO{gpio} belongs to SPI, on which this board has its lamps or digits: take another",
    "ring": "a ring has {leds} LEDs as bright as {light}: take 1 to {most} of them, a light of {least} to "
    "{full}",
    "digits": "a MAX7219 has {digits} digits as bright as {light}: take {least} to {most} of them, a light of "
    "0 to {full}",
    "two displays": "there are two displays: name display or max7219",
    "rail current": "ring and digits would draw {milliamps} mA from 5V, {most} at most: take fewer LEDs or "
    "less light",
    "clash": "{what}: GPIO{gpio} is taken by {other}",
    "seats": "a board has 0 to {most} seats, not {seats}",
    "table buttons": "the table has one button or two of its own, not {count}",
    "not for each seat": "{what}: {count} pins for {seats} seats: name one for each",
    "solderless": "without solder there is room for {most} buttons and nothing else; here are {count}, or "
    "other parts",
    "too few outputs": "{chips} shift registers have too few outputs: {needed} are needed, 8 are on a chip",
    "pin current": "{what}: GPIO{gpio} would give {milliamps} mA, {most} at most: take a larger resistor",
    "total current": "all pins together would give {milliamps} mA, {most} at most: take larger resistors",
    "output current": "a lamp would draw {milliamps} mA from its chip, {most} at most: take a larger resistor",
    "chip current": "a chip would give {milliamps} mA, {most} at most: take larger resistors",
    "dark": "{what}: a {colour} LED may need {volts} V, and a pin has {most}: take another colour, or drivers",
    "dim": "{what}: {milliamps} mA may be all it gets, {least} can be seen: take a smaller resistor",
    "driver volts": "the lamps' supply has {volts} V: behind a ULN2803 take {least} to {most}",
    "driver current": "a lamp draws {milliamps} mA: a ULN2803 bears up to {most} an output while all are on",
    "line current": "{what}: GPIO{gpio} would give {milliamps} mA to a press if it were an output, {most} at "
    "most: take a larger resistor in its line",
    "presses' current": "a press at each seat would take {milliamps} mA if the pins were outputs, {most} at "
    "most: take larger resistors in the lines",
    "not low": "{what}: GPIO{gpio} would only fall to {volts} V, {most} at most: take a smaller resistor in "
    "its line",
    # while it runs
    "no pin": "GPIO{gpio} can't be used: end the other program that has it ({why})",
    "no spi": "{file} isn't there: switch SPI on (dtparam=spi=on in /boot/firmware/config.txt), and restart "
    "the computer",
    "spi refused": "{file} can't be used ({why}): let this user into the group spi",
    "no pins": "no pin can be used ({why}): install lgpio, and let this user into the group gpio",
    "usb box gone": "USB buttons (seats {seats}): {box} isn't plugged in: plug it in again",
    "usb box taken": "USB buttons (seats {seats}): another program has {box}: end it ({why})",
    "usb box denied": "USB buttons (seats {seats}): this user may not read {box}: let it into the group input",
    "usb box failed": "USB buttons (seats {seats}): {box} isn't heard any more: restart the table ({why})",
    "no espeak": "nothing is spoken: espeak-ng isn't installed: apt install espeak-ng",
    "no loudspeaker": "nothing is heard: no loudspeaker: plug one in, or choose volume 0",
    "voice hangs": "{voice}: no answer; it is left out until the next start",
    "voice failed": "{voice}: broken, and left out until the next start ({why})",
}


def trouble_sentence(trouble: Trouble) -> Sentence:
    values = {
        name: f"{value:g}" if isinstance(value, float | int) else value
        for name, value in trouble.values.items()
    }
    return Sentence(WORDS[trouble.key], values)


def trouble_text(trouble: Trouble, language: Language = LANGUAGE) -> str:
    return trouble_sentence(trouble).told(language)


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
            "If no seat's lamp is lit: is the lamps' own supply on? Measure {volts} V between LAMP+ and GND; "
            "LAMP+ is at leg 10 of each ULN2803, GND at leg 9.",
            volts=f"{supply.volts:g}",
        )
    if path.output is not None:
        yield say(
            "If no seat's lamp is lit: measure 3.3 V at legs 16 and 10 of each 74HC595 against leg 8. Leg 13 "
            "(OE) is joined to leg 12 (latch), and 10 kΩ lead from there to 3V3."
        )
    if path.leds is not None:
        yield say(
            "If no seat's LED is lit: is SPI on (coyote doctor tells)? Measure 5 V between 5V and GND at the "
            "first LED. Its DIN comes by {ohms} Ω from leg 3 of the level shifter, whose leg 1 comes from "
            "GPIO{gpio}, pin {pin} of the header.",
            ohms=RING_OHMS,
            gpio=RING_SELECT,
            pin=PIN_OF[RING_SELECT].number,
        )


def _own_checks(board: Board, lamp: Lamp, path: LampPath) -> Iterator[Sentence]:
    if path.gpio is not None:
        pin = {"gpio": path.gpio, "pin": PIN_OF[path.gpio].number}
        yield say("If it is this one: its wire comes from GPIO{gpio}, pin {pin} of the header.", **pin)
    if path.output is not None:
        chip, leg = path.output
        yield say("If it is this one: it hangs at leg {leg} of 74HC595 no. {chip}.", leg=leg, chip=chip)
    if path.driver is not None:
        chip, leg, out = path.driver
        yield say(
            "ULN2803 no. {chip} switches it: into leg {leg}, out of leg {out}; its other end is at LAMP+.",
            chip=chip,
            leg=leg,
            out=out,
        )
    elif path.leds is not None:
        first, last = path.leds
        yield say(
            "If it is this one: these are LEDs {first} to {last}, counted from where the data come in. A LED "
            "that is dark passes nothing on: look at the joint from DOUT of the last one that is lit to DIN of "
            "the next.",
            first=first,
            last=last,
        )
    else:
        yield say(
            "A LED is lit one way round only: its long leg to the resistor ({ohms} Ω), the other one to GND.",
            ohms=getattr(board.ohms, lamp.what),
        )
