"""The simulated chips show what drivers send over simulated pins."""

import pytest

from hardware.twin import chips


def test_a_chain_shows_what_was_pushed_in_once_it_is_latched() -> None:
    chain = chips.chain(4)
    for bit in (True, False, False, True):
        chain = chips.push_bit(chain, bit)
    assert chain.shown == (False,) * 4
    assert chips.latch_outputs(chain).shown == (True, False, False, True)


def send_bytes(display: chips.DisplayChip, *message: int) -> chips.DisplayChip:
    """Send bytes as a driver does: start, eight bits and an acknowledgement each, stop."""
    levels = [(True, True), (True, False)]
    for byte in message:
        for place in range(8):
            bit = bool(byte >> place & 1)
            levels += [(False, levels[-1][1]), (False, bit), (True, bit)]
        levels += [(False, levels[-1][1]), (False, False), (True, False)]
    levels += [(False, False), (True, False), (True, True)]
    for clock, data in levels:
        display = chips.hear_lines(display, clock, data)
    return display


@pytest.mark.parametrize("strokes", [(0x3F, 0x06, 0x5B, 0x4F), (0x7F, 0, 0x40, 0x6D)])
def test_a_display_shows_the_strokes_that_it_was_told(strokes: tuple[int, ...]) -> None:
    display = send_bytes(send_bytes(chips.DisplayChip(), 0x40), 0xC0, *strokes)
    assert display.shown == strokes
    assert send_bytes(display, 0x8A).shown == strokes
