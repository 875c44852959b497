"""The simulated chips behind the board's pins: shift registers for lamps, a TM1637 for digits."""

from msgspec import Struct
from msgspec.structs import replace

FIRST_DIGIT, KIND = 0xC0, 0xC0
"""A command that begins with these two bits gives the address of the digits that follow."""
DIGITS = 4
BYTE = 8


class RegisterChain(Struct, frozen=True):
    """A chain of shift registers: the bits pushed in, the newest first, and the outputs."""

    pushed: tuple[bool, ...]
    shown: tuple[bool, ...]


def chain(outputs: int) -> RegisterChain:
    """Make a chain with all outputs dark."""
    return RegisterChain((False,) * outputs, (False,) * outputs)


def push_bit(register: RegisterChain, bit: bool) -> RegisterChain:
    """Push a bit in, as a rising clock does."""
    return replace(register, pushed=(bit, *register.pushed[:-1]))


def latch_outputs(register: RegisterChain) -> RegisterChain:
    """Show the bits pushed in, as a rising latch does."""
    return replace(register, shown=register.pushed)


class DisplayChip(Struct, frozen=True):
    """A TM1637: its lines' levels, the message being received, and the segments that it shows."""

    clock: bool = True
    data: bool = True
    is_open: bool = False
    bits: tuple[bool, ...] = ()
    message: tuple[int, ...] = ()
    shown: tuple[int, ...] = (0,) * DIGITS


def hear_lines(display: DisplayChip, clock: bool, data: bool) -> DisplayChip:
    """Follow the lines: while the clock is high, falling data begins a message and rising data ends it."""
    was_high, fell, rose = display.clock and clock, display.data and not data, data and not display.data
    is_bit = clock and not display.clock and display.is_open
    display = replace(display, clock=clock, data=data)
    if was_high and fell:
        return replace(display, is_open=True, bits=(), message=())
    if was_high and rose and display.is_open:
        return replace(display, is_open=False, shown=_shown_strokes(display))
    return _with_bit(display, data) if is_bit else display


def _with_bit(display: DisplayChip, bit: bool) -> DisplayChip:
    """Take a bit, the lowest first; the ninth is the chip's acknowledgement."""
    if len(display.bits) < BYTE:
        return replace(display, bits=(*display.bits, bit))
    byte = sum(1 << place for place, is_set in enumerate(display.bits) if is_set)
    return replace(display, bits=(), message=(*display.message, byte))


def _shown_strokes(display: DisplayChip) -> tuple[int, ...]:
    if not display.message or display.message[0] & KIND != FIRST_DIGIT:
        return display.shown
    return (*display.message[1 : DIGITS + 1], *display.shown)[:DIGITS]
