"""What pages are told of the messages from the table's door: sentences, and the part that is concerned."""

from firmware.language.storage_troubles import UNSAVED_WORDS
from firmware.table.notices import Notice, sentence_for
from firmware.table.troubles import is_of_second
from hardware.board.troubles import Trouble
from referee.telling import Listener
from vision.troubles import Problem
from webui.doors.messages import Concern, TableMessage

BLIND = frozenset({"blind", "no eyes", "no eyes now"})
UNSAVED = frozenset({"disk", *UNSAVED_WORDS})


def sentence_for_page(message: TableMessage, listener: Listener) -> str:
    """Put a message of the table into words."""
    if not isinstance(message, Notice | Trouble | Problem):
        raise TypeError(message)
    return sentence_for(message, listener)


def concern_of(message: TableMessage) -> Concern:
    """Tell which part of the table a message is about; pictures that can't be read well are no blindness."""
    if message.key in UNSAVED:
        return Concern("record", is_grave=True)
    if message.key == "second copy":
        return Concern("record")
    if message.key == "board asleep":
        return Concern("buttons", is_grave=True)
    if message.key == "stuck":
        return Concern("buttons")
    if isinstance(message, Problem):
        # without the second camera, the one that counts sees as before
        is_other = is_of_second(message)
        return Concern("other") if is_other else Concern("camera", is_grave="camera" in message.values)
    return Concern("camera", is_grave=True) if message.key in BLIND else Concern("other")
