"""What the companion says beside the game: cards in the way, a slow disk, a stuck button; data and words."""

from collections.abc import Mapping

from msgspec import Struct

from firmware.boards import said as board_said
from firmware.speaking import _
from firmware.troubles import said as sight_said
from hardware.board.board import Key
from hardware.board.troubles import Trouble
from referee.contract import Refusal
from referee.telling import Listener, tell_face, tell_refusal
from vision.troubles import Problem


class Notice(Struct, frozen=True):
    """Something that people have to know: a kind, and what belongs to it."""

    key: str
    values: Mapping[str, float | str] = {}
    refusal: Refusal | None = None


WORDS: Mapping[str, str] = {
    # cards
    "face down": _("A card lies face down: turn it over, please."),
    "unsure": _("One card can't be read for sure: move that card, please."),
    "impossible": _("I see {card}, and that can't be here: take another look, and move that card, please."),
    "too many": _("{shown} cards lie here, {wanted} should: take away what is too many, please."),
    "old cards": _("{cards}: I take that for what lay here before. Take it away; if it counts, lay it again."),
    # what the host does
    "paused": _("The table pauses: nothing counts until the host goes on."),
    "goes on": _("The table goes on."),
    "nothing shown": _("No cards have counted yet: there is nothing to put right."),
    "not all read": _("I read {shown} of {wanted} cards for sure: move what I can't read, then say it again."),
    "table agrees": _("Table and record agree."),
    "cards put aside": _("What lies there now doesn't count."),
    "put so": _("These counted: {cards}. Put them back so; what lies there now doesn't count."),
    # the house
    "not kept": _("The last answer doesn't count, as it couldn't be kept ({why}): say it again."),
    "slow disk": _("The disk takes long to keep the last answer: wait a moment."),
    "blind": _("The eyes don't open: say the cards by hand; the table starts again."),
    "stuck": _("{button} is stuck: let it go, or look at its wires."),
    "freed": _("{button} is free again."),
    "dead buttons": _("The buttons have died: the table starts again."),
    "over": _("The match is over: press any button for another one."),
}


def told(notice: Notice | Trouble | Problem, listener: Listener) -> str:
    """Put a notice, or trouble of the board or the eyes, into words."""
    match notice:
        case Trouble():
            return board_said(notice)
        case Problem():
            return sight_said(notice)
        case Notice(refusal=Refusal() as refusal):
            return tell_refusal(listener, refusal)
    values = dict(notice.values)
    for name in values.keys() & {"card", "cards"}:
        values[name] = ", ".join(tell_face(listener, face) for face in str(values[name]).split())
    return WORDS[notice.key].format(**values)


def button_name(key: Key) -> str:
    """Name a button as people do."""
    if key.role == "push":
        return _("The dial")
    if key.seat is None:
        return _("A button of the table")
    return _("The button of seat {seat}").format(seat=key.seat + 1)
