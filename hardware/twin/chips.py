"""Simulated chips: shift registers and WS2812 for lamps, a TM1637 or MAX7219 for digits."""

from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from hardware.board.lamps import Rgb

FIRST_DIGIT, KIND = 0xC0, 0xC0
"""Prefix bits of a command that sets the address of the following digits."""
DIGITS = 4
BYTE = 8


class DisplayChip(Struct, frozen=True):
    """A TM1637: its lines' levels, the message being received, and the visible segments."""

    clock: bool = True
    data: bool = True
    is_open: bool = False
    bits: tuple[bool, ...] = ()
    message: tuple[int, ...] = ()
    shown: tuple[int, ...] = (0,) * DIGITS


def hear_lines(display: DisplayChip, clock: bool, data: bool) -> DisplayChip:
    """Process line levels: while the clock is high, falling data starts a message and rising data ends it."""
    was_high, fell, rose = display.clock and clock, display.data and not data, data and not display.data
    is_bit = clock and not display.clock and display.is_open
    display = replace(display, clock=clock, data=data)
    if was_high and fell:
        return replace(display, is_open=True, bits=(), message=())
    if was_high and rose and display.is_open:
        return replace(display, is_open=False, shown=_shown_strokes(display))
    return _with_bit(display, data) if is_bit else display


def _with_bit(display: DisplayChip, bit: bool) -> DisplayChip:
    """Receive a bit, lowest first; the ninth is the chip's acknowledgement."""
    if len(display.bits) < BYTE:
        return replace(display, bits=(*display.bits, bit))
    byte = sum(1 << place for place, is_set in enumerate(display.bits) if is_set)
    return replace(display, bits=(), message=(*display.message, byte))


def _shown_strokes(display: DisplayChip) -> tuple[int, ...]:
    if not display.message or display.message[0] & KIND != FIRST_DIGIT:
        return display.shown
    return (*display.message[1 : DIGITS + 1], *display.shown)[:DIGITS]


# SPI devices

SHORT_NANOSECONDS, LONG_NANOSECONDS = (250, 550), (650, 950)
"""Pulse lengths that a WS2812B accepts as a zero and as a one."""
REST_NANOSECONDS = 280_000  # idle time after which the LEDs latch their colours
LED_BITS = 24


def ring_colours(sent: bytes, hertz: int) -> tuple[Rgb, ...]:
    """Return the colours of LEDs after these bits; empty if no rest latched them."""
    bits, shown = list[int](), tuple[Rgb, ...]()
    levels = "".join(f"{byte:08b}" for byte in sent)
    for level, run in groupby(levels):
        nanoseconds = len(list(run)) * 1_000_000_000 / hertz
        if level == "1":
            bits.append(_pulse(nanoseconds))
        elif nanoseconds >= REST_NANOSECONDS:
            shown = _leds(bits)
    return shown


def _pulse(nanoseconds: float) -> int:
    for bit, (least, most) in enumerate((SHORT_NANOSECONDS, LONG_NANOSECONDS)):
        if least <= nanoseconds <= most:
            return bit
    raise ValueError(f"a pulse of {nanoseconds:.0f} ns is neither zero nor one")


def _leds(bits: list[int]) -> tuple[Rgb, ...]:
    """Decode complete LEDs: green, red and blue, highest bit first."""
    starts = range(0, len(bits) - LED_BITS + 1, LED_BITS)
    leds = (int("".join(map(str, bits[start : start + LED_BITS])), 2) for start in starts)
    return tuple((led >> 8 & 0xFF, led >> 16, led & 0xFF) for led in leds)


Registers = tuple[int, ...]
AWAKE: Registers = (0,) * 16  # a MAX7219's sixteen registers; it is dark at power-on
DECODE, BRIGHTNESS, LAST, IS_ON, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


def hear_word(registers: Registers, sent: bytes) -> Registers:
    """Apply the last sixteen bits before the select line rose: a register's number and its value."""
    number, value = sent[-2] & 0x0F, sent[-1]
    return tuple(value if at == number else old for at, old in enumerate(registers))


def digit_strokes(registers: Registers, digits: int) -> tuple[int, ...]:
    """Return the lit strokes of a module's digits from the left; stroke A is the lowest bit."""
    if registers[TEST] & 1:
        return (0x7F,) * digits
    if not registers[IS_ON] & 1:
        return (0,) * digits
    if registers[DECODE]:
        raise ValueError("these digits are decoded by the chip: their bits are no strokes")
    lit = (registers[place] if place <= registers[LAST] + 1 else 0 for place in range(digits, 0, -1))
    return tuple(int(f"{value & 0x7F:07b}"[::-1], 2) for value in lit)
