"""What the table does with its lamps beside telling moments."""

from firmware.core.effects import BlinkLamp, ShowGoingDown, ShowLamp
from firmware.core.protocols import Announcer


def show_on_lamps(voices: Announcer, deed: BlinkLamp | ShowLamp | ShowGoingDown) -> None:
    """Let a lamp blink, light one alone, or say that the computer goes down."""
    match deed:
        case BlinkLamp(seat):
            voices.try_lamp(seat)
        case ShowLamp(lamp):
            voices.show_lamp(lamp)
        case ShowGoingDown(is_so):
            voices.tell_going_down(is_so=is_so)
