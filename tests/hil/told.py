"""What a round showed and sounded like, as its signals tell, held against what people have to see and hear."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from firmware.board.voices.tunes import TUNES
from hardware.board.board import DisplayPins, Register
from tests.hil.edges import Edge
from tests.hil.figures import print_count, print_figure
from tests.hil.hands import Hands
from tests.hil.signals import CHIP, Latched, messages, texts, waves

COLOURS = {(False, False): "", (True, False): "green", (False, True): "red", (True, True): "amber"}
LAMPS = (("green",), ("green", "amber", "green"), ("green", "amber", "red", "green"), ("green", "amber"))
"""The colours at each seat, one after another: one opens and took it, one calls and loses, one calls again."""
STARTS = 2
"""How often the companion starts."""
TEXTS = ("----", *(f"{number:4}" for number in (*range(1, 13), *range(1, 4))))
"""What the digits show, one after another: nothing said yet, the dial turned to 12, and then to 3."""
KEPT = ("----", "  12", "   3")
"""What stands there for so long that no machine is too slow to show it."""
FEWEST, MOST = 0.3, 3.0
"""The share of a tune's waves that has to be heard: a busy machine leaves some out or holds a note."""


def judge_digits(edges: Sequence[Edge], display: DisplayPins) -> None:
    """Read the display's lines as its chip does."""
    # an output is low before it is high: on opened lines that is a start and a stop with nothing between
    heard = [message for message in messages(edges, display) if message.bytes]
    print_count("messages that the display could read", sum(message.is_whole for message in heard), len(heard))
    shown = _without_repeats(text.text for text in texts(heard) if text.text)
    print_count("texts that the digits showed in their order", _in_order(shown, TEXTS), len(shown))
    print_count("texts that stayed there", sum(text in shown for text in KEPT), len(KEPT))


def judge_lamps(latched: Sequence[Latched], register: Register) -> None:
    """Read the lamps behind the registers as they do."""
    bits = register.chips * CHIP
    whole = sum(each.shifted == bits for each in latched)
    print_count("lamps' changes with a bit for each output", whole, len(latched) - STARTS)
    seats = len(LAMPS)
    dark = sum(not any(each.outputs[2 * seats :]) for each in latched)
    print_count("lamps' changes that leave seats dark where nobody sits", dark, len(latched))
    right = sum(_colours(latched, seat) == LAMPS[seat] for seat in range(seats))
    print_count("seats whose lamps had the right colours, one after another", right, seats)


def judge_tune(name: str, edges: Iterable[Edge], board: Hands, since: float) -> None:
    """Count the waves of a tune that was played since a time, and was the only one."""
    meant = sum(note.hertz * note.seconds for note in TUNES[name])
    seconds = sum(note.seconds for note in TUNES[name])
    begun = [at for at in waves(edges, board.board.buzzer or 0) if at >= since]
    measured = f"{len(begun)} in {begun[-1] - begun[0]:.2f} s" if begun else "none"
    print_figure(f"waves of the tune '{name}'", measured, f"{meant:.0f} in {seconds:.2f} s")
    print_count(f"the tune '{name}' is heard", FEWEST * meant < len(begun) < MOST * meant, 1)
    print_count("after it, no current flows through the buzzer", not board.buzzes(), 1)


def _colours(latched: Iterable[Latched], seat: int) -> tuple[str, ...]:
    """List the colours that a seat's lamp had, one after another, however often it went out between."""
    lights = (COLOURS[each.outputs[2 * seat], each.outputs[2 * seat + 1]] for each in latched)
    return _without_repeats(light for light in lights if light)


def _without_repeats(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(item for item, _same in groupby(items))


def _in_order(items: Iterable[str], order: Sequence[str]) -> int:
    """Count the items that come in an order, which may have more."""
    rest = iter(order)
    return sum(item in rest for item in items)
