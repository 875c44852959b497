"""What the bench reads in pins' edges: lines as data sheets draw them, and lines that are wrong."""

from collections.abc import Iterable

from hardware.board.board import DisplayPins, Register
from tests.hil.edges import Edge
from tests.hil.signals import Buzzer, Chain, Latched, Message, messages, texts

DISPLAY, REGISTER = DisplayPins(clock=20, data=21), Register(data=13, clock=19, latch=26, chips=1)


def edges(steps: Iterable[tuple[int, bool]]) -> list[Edge]:
    """Give pins their levels, a millisecond apart."""
    return [Edge(place / 1000, gpio, level) for place, (gpio, level) in enumerate(steps)]


def rest() -> list[tuple[int, bool]]:
    """Let both lines of a display rest."""
    return [(DISPLAY.clock, True), (DISPLAY.data, True)]


def sent(*numbers: int, acknowledged: bool = True) -> list[tuple[int, bool]]:
    """Send bytes to a display: a start, each bit while the clock is low, a stop."""
    clock, data = DISPLAY.clock, DISPLAY.data
    steps = [(data, False)]
    for number in numbers:
        bits = [bool(number >> place & 1) for place in range(8)] + [not acknowledged]
        for bit in bits:
            steps += [(clock, False), (data, bit), (clock, True)]
    return [*steps, (clock, False), (data, False), (clock, True), (data, True)]


def read(*sendings: list[tuple[int, bool]]) -> list[Message]:
    """Read what a display hears."""
    return list(messages(edges([*rest(), *(step for each in sendings for step in each)]), DISPLAY))


def test_a_display_reads_bytes_from_their_lowest_bit_and_only_whole_ones() -> None:
    whole = sent(0xC0, 0x3F, 0x06)
    (message,) = read(whole)
    assert (message.bytes, message.is_whole) == ((0xC0, 0x3F, 0x06), True)
    for broken in (sent(0x40, acknowledged=False), whole[:22] + whole[-4:]):
        assert [message.is_whole for message in read(broken)] == [False]


def test_digits_stand_where_they_are_addressed_once_the_display_is_on() -> None:
    counting, at_one = sent(0x40), sent(0x44)
    shown = texts(read(counting, sent(0xC0, 0x00, 0x40, 0x5B, 0x3F), sent(0x8A), at_one, sent(0xC1, 0x06)))
    assert [text.text for text in shown] == ["", "", " -20", " -20", " 120"]
    # strokes that are no sign are told from signs
    assert [*texts(read(sent(0xC0, 0x01, 0x3F, 0x3F, 0x3F), sent(0x8A)))][-1].text == "?000"


def latched(*numbers: int, latch: bool = True) -> list[Latched]:
    """Shift bytes into a chain, each followed by the latch; the last output comes first."""
    steps = list[tuple[int, bool]]()
    for number in numbers:
        for place in reversed(range(8)):
            bit = bool(number >> place & 1)
            steps += [(REGISTER.data, bit), (REGISTER.clock, True), (REGISTER.clock, False)]
        steps += [(REGISTER.latch, True), (REGISTER.latch, False)] if latch else []
    chain = Chain(REGISTER)
    return [shown for shown in map(chain.hear, edges(steps)) if shown is not None]


def test_registers_show_what_was_shifted_in_once_the_latch_falls() -> None:
    first, second = latched(0b00000001, 0b10000110)
    assert [place for place, lit in enumerate(first.outputs) if lit] == [0]
    assert [place for place, lit in enumerate(second.outputs) if lit] == [1, 2, 7]
    assert (first.shifted, second.shifted) == (8, 8)
    assert latched(0b00000001, latch=False) == []


def test_a_wave_begins_where_the_level_rises_and_not_where_it_is_told_again() -> None:
    buzzer, steps = Buzzer(12), edges([(5, True), (12, True), (12, True), (12, False), (12, True)])
    assert [at for at in map(buzzer.hear, steps) if at is not None] == [0.001, 0.004]
