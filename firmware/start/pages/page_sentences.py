"""Sentences for the messages that pages get from the table's door."""

from firmware.core.notices import Notice, sentence_for
from hardware.board.troubles import Trouble
from referee.telling import Listener
from vision.troubles import Problem
from webui.doors.messages import TableMessage


def sentence_for_page(message: TableMessage, listener: Listener) -> str:
    """Put a message of the table into words."""
    if not isinstance(message, Notice | Trouble | Problem):
        raise TypeError(message)
    return sentence_for(message, listener)
