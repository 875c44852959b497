"""What the loop is given when the table is put together, and what comes through its queue."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, time
from typing import Protocol

import msgspec
from msgspec import Struct

from firmware.board_events import BoardEvent, DialMoved, Edge, TableSign
from firmware.table.door import Errand
from firmware.table.effects import BlinkLamp, ShowGoingDown, ShowLamp, ShowSign
from firmware.table.notices import Notice, sentence_for
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted, Watcher
from firmware.table.writer import EntryKept, EntryNotKept, PauseKept, Writer
from hardware.board.board import Key, Trouble
from hardware.board.lamps import Lamp
from referee.match import Match
from referee.telling import Listener
from vision.process.messages import EyesOrder

# the log: a JSON object on each line, in files of bounded size; written by a thread of its own

LARGEST, FILES = 1_000_000, 3
"""Bytes of a log file, and how many older ones are kept."""


class _File(RotatingFileHandler):
    """A file of which a line may be lost: a full disk is told elsewhere."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Let a line go that can't be written."""


class Logbook:
    """Notes what happens; never blocks."""

    def __init__(self, file: Path) -> None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
        handler = _File(file, maxBytes=LARGEST, backupCount=FILES, encoding="utf-8", delay=True)
        queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
        self._handler = QueueHandler(queue)
        self._listener = QueueListener(queue, handler)
        self._listener.start()
        self._file = handler

    def note(self, what: str, **values: object) -> None:
        """Note something that happened."""
        line = msgspec.json.encode({"at": round(time(), 3), "what": what, **values}, enc_hook=str).decode()
        self._handler.handle(logging.LogRecord("coyote", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Write what is left."""
        self._listener.stop()
        self._file.close()


class ButtonReader(Protocol):
    """The buttons' pins."""

    failures: int
    held: list[Key]

    def lost_edges(self, now: float) -> list[Edge]:
        """Find edges that weren't heard."""

    def is_alive(self) -> bool:
        """Return whether edges can still come."""

    def close(self) -> None:
        """Give the pins back."""


class BoardHands(Protocol):
    """What becomes of edges: presses and turns, and what they mean."""

    def hold(self, down: Iterable[Key], at: float) -> None:
        """Know of buttons that were down before anybody listened."""

    def feed(self, heard: Edge, match: Match) -> list[BoardEvent]:
        """Hear an edge; the match is the one that stood at its stamp."""

    def look(self, now: float, match: Match) -> list[BoardEvent]:
        """Settle what time settles."""

    def due(self) -> float | None:
        """Return when to look again, if no edge comes before."""

    def unsettled_since(self) -> float | None:
        """Return since when it isn't known what a press says: no clock may answer before that is."""


class Announcer(Protocol):
    """All that tells: lamps, digits, sounds, speech, a terminal; no call waits for any of them."""

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        """Show and say a new moment."""

    def tell_dialled(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Show what is on the dial."""

    def tell_rested(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Say in full what the dial came to rest on."""

    def tell_heard(self, seat: int | None) -> None:
        """Answer a press that means something."""

    def tell_nothing(self, seat: int | None) -> None:
        """Answer a press that means nothing."""

    def tell_trouble(self, match: Match, *, is_in_trouble: bool) -> None:
        """Show that something is wrong, or well again."""

    def try_lamp(self, seat: int | None) -> None:
        """Let a lamp blink, so that people see which it is."""

    def show_lamp(self, lamp: Lamp | None) -> None:
        """Light one lamp and no other, for a while or until the next moment; None ends that."""

    def tell_going_down(self, *, is_so: bool) -> None:
        """Show until the end that the computer goes down, or that it doesn't after all."""

    def tell_sign(self, sign: TableSign | None, sentence: str) -> None:
        """Show and say that by which a phone proves that it is at the table; None ends that."""

    def means(self) -> frozenset[str]:
        """List what can tell something now."""

    def say(self, sentence: str) -> None:
        """Say a sentence that is no ruling."""

    def troubles(self) -> list[Trouble]:
        """Drop what is broken; give what is wrong, each once."""

    def close(self) -> None:
        """End all of them."""


class Failure(Struct, frozen=True):
    """Something has failed in another thread that the table shouldn't be without."""

    error: Exception


class Stop(Struct, frozen=True):
    """End: with 0 on request, with anything else to be started again."""

    code: int = 0


Item = Edge | EntryKept | EntryNotKept | PauseKept | Errand | EyesNews | EyesStarted | EyesGone | Failure | Stop


NO_WORDS: Mapping[str, str] = {"shown": "", "said": ""}
"""What is on a dial that nothing shows."""


class Parts(Struct, frozen=True, eq=False):
    """What the loop is given: senses, voices, the writer, the log, and who listens."""

    queue: "SimpleQueue[Item]"
    hands: BoardHands
    buttons: ButtonReader
    voices: Announcer
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
    unsaved: Notice | None = None
    """Why nothing is kept, if so: then the match is only in memory."""
    was_paused: bool = False
    """Whether the match paused when the table ended."""
    needs_eyes: bool = True
    """Whether eyes that don't open are a reason to start again."""
    slowness: float = 1.0
    """How many times as much time they are given as on a Pi."""
    dial_words: Callable[[Match, Listener, DialMoved], Mapping[str, str]] = lambda *_dialled: NO_WORDS
    """What the dial came to rest on, as its display shows it and in full."""


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
