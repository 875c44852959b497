"""The dial's choice: the seat whose lamp blinks, the spoken sentence, four signs for the display."""

from collections.abc import Mapping

from firmware.board.outputs.segments import WIDTH, plain_text, write_signs
from firmware.board_events import DialState
from referee.sentences import Listener, labelled_text, value_text


def dial_signs(listener: Listener, dial: DialState) -> str:
    pick = dial.at
    if pick is None:
        return ""
    match pick.step:
        case "number":
            return plain_text(str(pick.number)).rjust(WIDTH)
        case "who":
            return _seat_signs(listener, pick.seat or 0)
        case "done":
            return word_signs(value_text(listener, None))


def word_signs(sentence: str) -> str:
    """Return the start of a sentence's last word: "choose on a phone" is "Phon"."""
    return write_signs(sentence.rsplit(maxsplit=1)[-1])[:WIDTH].ljust(WIDTH)


def _seat_signs(listener: Listener, seat: int) -> str:
    """Return the seat's number after the first letter of "Seat" in the table's language: "S  3"."""
    return write_signs(listener.language.gettext("Seat {number}")[:1]) + str(seat + 1).rjust(WIDTH - 1)


def dial_words(listener: Listener, dial: DialState) -> Mapping[str, str]:
    return {"shown": dial_signs(listener, dial), "said": dial_sentence(listener, dial)}


def dial_sentence(listener: Listener, dial: DialState) -> str:
    """Return the dial's choice as a sentence, with its seat if that was chosen first."""
    pick = dial.at
    if pick is None:
        return ""
    if pick.step == "who":
        return listener.names[pick.seat or 0]
    text = value_text(listener, pick.number)
    return text if dial.seat is None else labelled_text(listener.language, listener.names[dial.seat], text)


def pointed_seat(dial: DialState) -> int | None:
    """Return the seat to point out: the one that answers, if it is chosen on the dial."""
    return dial.at.seat if dial.at is not None and dial.at.step == "who" else dial.seat
