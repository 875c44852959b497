"""Check a round's lights and sounds, decoded from its signals, against the expected ones."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from time import monotonic

from firmware.board.outputs.tunes import HOWL, LOSS
from hardware.board.board import DisplayPins, Register
from tests.hil.figures import print_count, print_figure
from tests.hil.hands import COLOURS, Hands
from tests.hil.signals import CHIP, Edge, Latched, messages, texts

LAMPS = (("green",), ("green", "amber", "green"), ("green", "amber", "red", "green"), ("green", "amber"))
"""The expected colours at each seat: one opens and scores, one calls and loses, one calls again."""
STARTS = 2  # number of starts of the companion
TEXTS = tuple(text for most in (12, 3) for text in ("----", *(f"{number:4}" for number in range(1, most + 1))))
"""The expected digits in order: nothing announced, the dial at 12, the same total, nothing, the dial at 3."""
KEPT = ("----", "  12", "   3")
"""Texts displayed long enough to be seen even on a slow machine."""
TUNES = {"howl": HOWL, "loss": LOSS}
FEWEST = 0.25  # least audible share of a tune's waves; a busy machine drops some
SILENT = 1.0  # seconds without a wave before a tune is over


def check_digits(edges: Sequence[Edge], display: DisplayPins) -> None:
    # outputs are low before they are high: on newly opened lines that is a start and a stop without data
    heard = [message for message in messages(edges, display) if message.bytes]
    print_count("messages that the display could read", sum(message.is_whole for message in heard), len(heard))
    shown = _without_repeats(filter(None, texts(heard)))
    print_count("texts that the digits showed in their order", _in_order(shown, TEXTS), len(shown))
    print_count("texts that stayed there", sum(text in shown for text in KEPT), len(KEPT))


def check_leds(latched: Sequence[Latched], register: Register) -> None:
    bits = register.chips * CHIP
    whole = sum(each.shifted == bits for each in latched)
    print_count("lamps' changes with a bit for each output", whole, len(latched) - STARTS)
    seats = len(LAMPS)
    dark = sum(not any(each.outputs[2 * seats :]) for each in latched)
    print_count("lamps' changes that leave seats dark where nobody sits", dark, len(latched))


def check_colours(latched: Sequence[Latched]) -> None:
    """Check each seat's colours over a round without presses out of turn."""
    seats = len(LAMPS)
    right = sum(_colours(latched, seat) == LAMPS[seat] for seat in range(seats))
    print_count("seats whose lamps had the right colours, one after another", right, seats)


def is_played(name: str, board: Hands, since: float) -> bool:
    begun = board.waves_since(since)
    return len(begun) >= FEWEST * _waves_meant(name) and monotonic() > begun[-1] + SILENT


def check_tune(name: str, board: Hands, since: float) -> None:
    """Describe the tune played since a time, and check that the buzzer is off afterwards."""
    begun, seconds = board.waves_since(since), sum(seconds for _hertz, seconds in TUNES[name])
    measured = f"{len(begun)} in {begun[-1] - begun[0]:.2f} s"
    print_figure(f"waves of the tune '{name}'", measured, f"{_waves_meant(name):.0f} in {seconds:.2f} s")
    print_count("after it, no current flows through the buzzer", not board.buzzes(), 1)


def _waves_meant(name: str) -> float:
    return sum(hertz * seconds for hertz, seconds in TUNES[name])


def _colours(latched: Iterable[Latched], seat: int) -> tuple[str, ...]:
    lights = (COLOURS[each.outputs[2 * seat], each.outputs[2 * seat + 1]] for each in latched)
    return _without_repeats(light for light in lights if light)


def _without_repeats(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(item for item, _same in groupby(items))


def _in_order(items: Iterable[str], order: Sequence[str]) -> int:
    rest = iter(order)
    return sum(item in rest for item in items)
