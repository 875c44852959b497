"""Simulated chips of digits: a TM1637 or MAX7219."""

from msgspec import Struct
from msgspec.structs import replace

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
