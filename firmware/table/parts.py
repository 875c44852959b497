"""What the loop is given when the table is put together, and what comes through its queue."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, time
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from firmware.board_events import DialMoved, Edge, TableSign
from firmware.table.door import Errand
from firmware.table.effects import BlinkLamp, BoardEffect, ShowLamp, ShowSign
from firmware.table.notices import Notice, sentence_for
from firmware.table.watcher import FromEyes, Watcher
from firmware.table.writer import EntryKept, EntryNotKept, PauseKept, Writer
from referee.match import Match
from referee.telling import Listener
from vision.process.messages import EyesOrder

if TYPE_CHECKING:
    # the loop names what it is handed, and loads none of it
    from firmware.board.senses.buttons import Buttons
    from firmware.board.senses.hands import Hands
    from firmware.board.voices.voices import Voices

# the log: a JSON object on each line, in files of bounded size; written by a thread of its own

LARGEST, FILES = 1_000_000, 3  # bytes of a log file, and how many older ones are kept


class Logbook:
    """Notes what happens; never blocks."""

    def __init__(self, file: Path) -> None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
        self._file = RotatingFileHandler(file, "a", LARGEST, FILES, "utf-8", delay=True)
        # a line may be lost: a full disk is told elsewhere
        self._file.handleError = lambda record: None  # type: ignore[method-assign] # noqa: ARG005
        queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
        self._handler, self._listener = QueueHandler(queue), QueueListener(queue, self._file)
        self._listener.start()

    def note(self, what: str, **values: object) -> None:
        line = msgspec.json.encode({"at": round(time(), 3), "what": what, **values}, enc_hook=str).decode()
        self._handler.handle(logging.LogRecord("coyote", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        self._listener.stop()
        self._file.close()


class Failure(Struct, frozen=True):
    """Something has failed in another thread that the table shouldn't be without."""

    error: Exception


Item = Edge | EntryKept | EntryNotKept | PauseKept | Errand | FromEyes | Failure


class Parts(Struct, frozen=True, eq=False):
    """What the loop is given: senses, voices, the writer, the log, and who listens."""

    queue: "SimpleQueue[Item]"
    hands: "Hands"
    buttons: "Buttons"
    voices: "Voices"
    writer: Writer
    eyes: Watcher
    log: Logbook
    listener: Callable[[Match], Listener]
    sights: Callable[[Match], Sequence[EyesOrder]] = lambda _match: ()
    """What the eyes have to be told when people sit down at another match; it may take its time."""
    clock: Callable[[], float] = monotonic
    is_wanted: Callable[[], bool] = lambda: True
    """Whether the process that started us is still alive."""
    at_ready: Callable[[], None] = lambda: None
    """What is done once the table is ready, and its eyes have told something."""
    set_aside: Notice | None = None
    """What people have to know of the start, for as long as the table runs."""
    unsaved: Notice | None = None  # why nothing is kept, if so: then the match is only in memory
    was_paused: bool = False  # whether the match paused when the table ended
    needs_eyes: bool = True  # whether eyes that don't open are a reason to start again
    slowness: float = 1.0  # how many times as much time they are given as on a Pi
    dial_words: Callable[[Match, Listener, DialMoved], Mapping[str, str]] = lambda *_: {"shown": "", "said": ""}
    """What the dial came to rest on, as its display shows it and in full."""


def show_on_lamps(voices: "Voices", deed: BoardEffect, listener: Listener) -> None:
    """Do what lamps do beside telling moments, and tell that by which a phone proves that it is here."""
    match deed:
        case BlinkLamp(seat):
            voices.try_lamp(seat)
        case ShowLamp(lamp):
            voices.show_lamp(lamp)
        case ShowSign(sign):
            voices.tell_sign(sign, _sign_sentence(sign, listener))


def _sign_sentence(sign: TableSign | None, listener: Listener) -> str:
    """Word what is said of a code; it is for those in the room alone: no log and no page is told."""
    if sign is None or not sign.code:
        return ""
    half = len(sign.code) // 2
    first, second = " ".join(sign.code[:half]), " ".join(sign.code[half:])
    return sentence_for(Notice("table sign", {"first": first, "second": second}), listener)
