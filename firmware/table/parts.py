"""What the loop is given when the table is put together, and what comes through its queue."""

from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from time import monotonic

from msgspec import Struct

from firmware.board_events import DialMoved, Edge
from firmware.table.door import Errand
from firmware.table.logbook import Logbook
from firmware.table.notices import Notice
from firmware.table.protocols import Announcer, BoardHands, ButtonReader, EyesWatcher, JournalWriter
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from firmware.table.writer import EntryKept, EntryNotKept, PauseKept
from referee.match import Match
from referee.telling import Listener
from vision.process.messages import EyesOrder


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
    writer: JournalWriter
    eyes: EyesWatcher
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
    dial_words: Callable[[Match, Listener, DialMoved], Mapping[str, str]] = lambda *_dialled: NO_WORDS
    """What the dial came to rest on, as its display shows it and in full."""
