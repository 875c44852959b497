"""The journal's thread: stores entries, and reports each result through the loop's queue."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from firmware.language.speaking import Sentence, problem_sentence
from firmware.table.effects import Write
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.match import Match, SitDown, people_of
from vision.troubles import Problem, TroubleError

if TYPE_CHECKING:
    # for annotations only; this module loads no storage code
    from firmware.storage.forgetting import KeptEverywhere


class EntryKept(Struct, frozen=True):
    """The entry is stored, in the match of this number."""

    id: int


class EntryNotKept(Struct, frozen=True):
    """The entry is neither on the disk nor in memory, and why."""

    why: Sentence | str


class SaveAgain(Struct, frozen=True, eq=False):
    """A request to write lines from memory to the disk; the future receives whether all are written."""

    future: "Future[bool]"


class SavingReport(Struct, frozen=True):
    """Why lines go to memory; None if they go to the disk."""

    unsaved: Problem | None
    saved: Problem | None = None
    """What was just written from memory to the disk, if anything."""
    asked: "Future[bool] | None" = None


class JournalChange(Struct, frozen=True, eq=False):
    """A change of the journal; the future receives its result, or the notice of its failure."""

    do: Callable[["KeptEverywhere"], object]
    failure: NoticeKey
    future: "Future[Any]"
    name: str = ""  # the player to forget, who must not be in the open match


class Pause(Struct, frozen=True, eq=False):
    """A pause or its end; it is stored before it takes effect."""

    is_paused: bool
    future: Any = None  # None if people know already, because of another match
    match: Match | None = None  # set by the loop


class PauseKept(Struct, frozen=True, eq=False):
    """A pause is stored; with an error, it lasts only until the next start."""

    pause: Pause
    why: str | None = None


FromWriter = EntryKept | EntryNotKept | PauseKept | SavingReport


class Fallback(Protocol):
    """Storage for lines that the disk refuses."""

    @property
    def unsaved(self) -> Problem | None: ...
    def save(self) -> Problem | None: ...
    def save_if_due(self) -> Problem | None: ...


class NoFallback:
    """No fallback: entries that the disk refuses are lost."""

    unsaved = None

    def save(self) -> None:
        """Do nothing: all lines are on the disk."""

    save_if_due = save


NO_FALLBACK = NoFallback()


RETRY_INTERVAL = 10.0  # seconds between attempts to save lines from memory while nobody answers


class Writer:
    """Writes entries one after another; submitting one never blocks."""

    def __init__(
        self,
        journal: "KeptEverywhere",
        put: Callable[[FromWriter], None],
        fallback: Fallback = NO_FALLBACK,
        keep_pause: Callable[[Match, bool], None] = lambda _match, _is_paused: None,
    ) -> None:
        self._journal, self._put, self._fallback = journal, put, fallback
        self._keep_pause = keep_pause
        self._reported: Problem | None = None
        self._work: SimpleQueue[Write | JournalChange | Pause | SaveAgain | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def give(self, write: Write | JournalChange | Pause | SaveAgain) -> None:
        self._work.put(write)

    def close(self, seconds: float) -> bool:
        """Finish pending writes within some seconds; returns False on timeout."""
        self._work.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            try:
                # while lines are in memory, retry to save them meanwhile
                write = self._work.get(timeout=None if self._fallback.unsaved is None else RETRY_INTERVAL)
            except Empty:
                self._save_if_due()
                continue
            if write is None:
                break
            if isinstance(write, JournalChange):
                self._change(write)
            elif isinstance(write, Pause):
                why = None
                try:
                    if write.match is not None:
                        self._keep_pause(write.match, write.is_paused)
                except Exception as error:  # noqa: BLE001 - the host has to be able to pause whatever the disk does
                    why = getattr(error, "strerror", None) or str(error)
                if write.future is not None:
                    self._put(PauseKept(write, why))
            elif isinstance(write, SaveAgain):
                saved = self._fallback.save()
                self._report_saving(SavingReport(self._fallback.unsaved, saved, write.future))
            else:
                self._put(self._write_entry(write))
                # an entry in memory counts, even before the disk is retried
                self._save_if_due()
        self._fallback.save()

    def _save_if_due(self) -> None:
        saved = self._fallback.save_if_due()
        self._report_saving(SavingReport(self._fallback.unsaved, saved))

    def _report_saving(self, report: SavingReport) -> None:
        """Report changes, and every result that was requested."""
        if report != SavingReport(self._reported):
            self._reported = report.unsaved
            self._put(report)

    def _write_entry(self, write: Write) -> EntryKept | EntryNotKept:
        try:
            if write.id is None:
                return EntryKept(self._journal.begin(write.after))
            if write.is_resumed:
                self._journal.take_up(write.id)
            elif write.after.entry is None:
                self._journal.name_seats(write.id, write.after.setup.names)
            else:
                if isinstance(write.after.entry, SitDown):
                    # store the name first, because the entry can't be read without it
                    self._journal.name_seats(write.id, people_of(write.after))
                self._journal.append(write.id, write.after.number, write.after.entry)
        except TroubleError as error:
            return EntryNotKept(_said_without_folder(error))
        except Exception as error:  # noqa: BLE001 - a thread that ends in silence would leave the table waiting
            return EntryNotKept(f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}")
        return EntryKept(write.id)

    def _change(self, change: JournalChange) -> None:
        if not change.future.set_running_or_notify_cancel():
            return
        try:
            told = change.do(self._journal)
        except TroubleError as error:
            told = Notice(change.failure, {"why": _said_without_folder(error)})
        except Exception as error:  # noqa: BLE001 - the thread that waits has to know
            told = Notice(change.failure, {"why": str(error)})
        change.future.set_result(told)


def _said_without_folder(error: TroubleError) -> Sentence:
    """Return why storing failed, without paths, because everybody in the room may read it."""
    values = error.problem.values
    name = {"path": Path(str(values["path"])).name} if "path" in values else {}
    return problem_sentence(Problem(error.problem.key, {**values, **name}))
