"""What the table does with its lamps, digits and speech beside telling moments."""

from firmware.board_events import TableSign
from firmware.table.effects import BlinkLamp, ShowGoingDown, ShowLamp, ShowSign
from firmware.table.notices import Notice, sentence_for
from firmware.table.protocols import Announcer
from referee.telling import Listener


def show_on_lamps(
    voices: Announcer, deed: BlinkLamp | ShowLamp | ShowGoingDown | ShowSign, listener: Listener
) -> None:
    """Do what lamps do beside telling moments, and tell that by which a phone proves that it is here."""
    match deed:
        case BlinkLamp(seat):
            voices.try_lamp(seat)
        case ShowLamp(lamp):
            voices.show_lamp(lamp)
        case ShowGoingDown(is_so):
            voices.tell_going_down(is_so=is_so)
        case ShowSign(sign):
            voices.tell_sign(sign, _sign_sentence(sign, listener))


def _sign_sentence(sign: TableSign | None, listener: Listener) -> str:
    """Word what is said of a code; it is for those in the room alone: no log and no page is told."""
    if sign is None or not sign.code:
        return ""
    half = len(sign.code) // 2
    first, second = " ".join(sign.code[:half]), " ".join(sign.code[half:])
    return sentence_for(Notice("table sign", {"first": first, "second": second}), listener)
