"""A companion with fakes of slow or fragile parts, or on the twin with the real eyes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.buttons import Buttons
from firmware.board.outputs.dialled import dial_words
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.board_events import DialState, Edge
from firmware.cli.terminal import listener_of
from firmware.storage.decks import deck_folder
from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.found_table import parting_of, seat_zones
from firmware.storage.journal import Journal, open_journal
from firmware.table.client import Stop
from firmware.table.effects import Write
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Item, Parts
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted, Watcher
from firmware.table.writer import EntryKept, JournalChange, Pause, PauseKept, SaveAgain, Writer
from firmware.twin.simulated_board import Fingers
from firmware.twin.world import World
from hardware.board.board import Key
from referee.match import Match
from referee.sentences import Listener
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.waiting import until
from vision.process.eyes import run_eyes
from vision.process.messages import EyesSettings
from vision.process.supervision import SupervisedEyes
from vision.troubles import Problem

SIX = OWN_BOARDS["six"]


def _remember(kind: str) -> Callable[..., None]:
    """Return a method that records its one argument besides the match and the listener."""

    def remember(self: "SilentOutputs", *values: Any, **named: Any) -> None:
        value = [*values, *named.values()][-1]
        self.told.append((kind, value.at if isinstance(value, DialState) else value))

    return remember


class SilentOutputs:
    """Outputs that only record their input."""

    tell_dialled, tell_rested = _remember("dialled"), _remember("rested")
    tell_heard, tell_nothing = _remember("heard"), _remember("nothing")
    tell_phone_needed = _remember("phone needed")
    tell_sign = _remember("sign")
    try_lamp, show_lamp, say = _remember("tried"), _remember("lamp"), _remember("said")

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []
        self.broken: list[Problem] = []
        self.is_closed = False

    def tell_trouble(self, _match: Match, *, is_going_down: bool, is_in_trouble: bool) -> None:
        self.told += [("going down", is_going_down), ("trouble", is_in_trouble)]

    def tell(self, match: Match, _listener: Listener, *, is_in_trouble: bool = False) -> None:
        self.told.append(("moment", (match.number, is_in_trouble)))

    def troubles(self) -> list[Problem]:
        """Return the broken parts, once."""
        broken, self.broken = self.broken, []
        return broken

    def means(self) -> frozenset[str]:
        return frozenset()

    def close(self) -> None:
        self.is_closed = True


class FakeButtons:
    """Buttons pressed only by the test."""

    failures = 0

    def __init__(self) -> None:
        self.lives, self.held = True, list[Key]()

    def lost_edges(self, _now: float) -> list[Edge]:
        return []

    def is_alive(self) -> bool:
        return self.lives

    def close(self) -> None:
        """Release nothing."""


class FakeEyes:
    """Eyes that record their orders; their messages are put into the queue by the test."""

    def __init__(self) -> None:
        self.orders: list[object] = []
        self.is_closed = False

    def tell(self, order: object) -> None:
        self.orders.append(order)

    def close(self) -> None:
        self.is_closed = True


class HeldDisk:
    """A disk that stores entries only on demand, but pauses at once."""

    def __init__(self, queue: "SimpleQueue[Item]") -> None:
        self._queue = queue
        self.given: SimpleQueue[Any] = SimpleQueue()
        self.is_closed = False

    def give(self, write: Write | JournalChange | Pause | SaveAgain) -> None:
        if not isinstance(write, Pause):
            self.given.put(write)
        elif write.future is not None:
            self._queue.put(PauseKept(write))

    def keep_next(self) -> Write:
        write = self.given.get(timeout=30)
        self._queue.put(EntryKept(write.id or 1))
        return write

    def close(self, _seconds: float) -> bool:
        self.is_closed = True
        return True


class QuickDisk(HeldDisk):
    """A disk that stores entries at once."""

    def give(self, write: Write | JournalChange | Pause | SaveAgain) -> None:
        if isinstance(write, Write):
            self._queue.put(EntryKept(write.id or 1))


def journal_disk(journal: Journal) -> Callable[["SimpleQueue[Item]"], Writer]:
    """Return a factory of disks that store everything in a journal."""
    return lambda queue: Writer(journal, queue.put)


def fallback_disk(journal: FallbackJournal) -> Callable[["SimpleQueue[Item]"], Writer]:
    """Return a factory of disks that continue in memory when the journal refuses."""
    return lambda queue: Writer(journal, queue.put, journal)


class Bench:
    """A companion with its loop in a thread; by default with a quiet board and a held disk."""

    def __init__(
        self,
        match: Match,
        folder: Path,
        number: int | None = 1,
        disk: Any = HeldDisk,
        *,
        watch: Callable[[], Any] | None = None,
        pins: Callable[[Callable[[Item], None]], Any] = lambda _put: FakeButtons(),
        voices: Any = None,
        **more: Any,
    ) -> None:
        """Begin; `watch` opens real eyes."""
        self.queue: SimpleQueue[Item] = SimpleQueue()
        self.voices, self.pins, self.disk = voices or SilentOutputs(), pins(self.queue.put), disk(self.queue)
        self.seer: Any = FakeEyes() if watch is None else Watcher(watch, self.hear_eyes)
        board = ButtonInput(SIX), self.pins, self.voices
        beside = self.disk, self.seer, Logbook(folder / "log.jsonl"), listener_of
        parts = Parts(self.queue, *board, *beside, **{"dial_words": dial_words, **more})
        self.companion = Companion(parts, match, number)
        self.code: int | None = None
        self.thread = Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        self.code = self.companion.run()

    def hear_eyes(self, item: EyesStarted | EyesNews | EyesGone) -> None:
        self.queue.put(item)

    def see(self, *news: object) -> None:
        for each in news:
            self.queue.put(EyesNews(each))

    def press(self, seat: int, at: float | None = None, seconds: float = 0.01) -> None:
        down = monotonic() if at is None else at
        self.queue.put(Edge(Key("call", seat), down, is_down=True))
        self.queue.put(Edge(Key("call", seat), down + seconds, is_down=False))

    def wait(self, kind: str, value: Any) -> None:
        until(lambda: (kind, value) in self.voices.told)

    def stop(self) -> int | None:
        self.queue.put(Stop())
        self.thread.join(30)
        return self.code


@contextmanager
def open_bench(match: Match, folder: Path, **more: Any) -> Iterator[Bench]:
    bench = Bench(match, folder, **more)
    try:
        yield bench
    finally:
        bench.stop()


class EyedTable(Bench):
    """A bench with the real eyes over a test's camera."""

    def __init__(
        self, match: Match, folder: Path, settings: EyesSettings, disk: Any, number: int | None = None
    ) -> None:
        self.eyes = SupervisedEyes(run_eyes, settings)
        super().__init__(match, folder, number, disk, watch=lambda: self.eyes)
        self.client = self.companion.client

    def close(self) -> None:
        self.stop()


class Twin(Bench):
    """The companion on the twin: gpiozero's mock pins, rendered frames, and the real eyes and journal."""

    def __init__(self, match: Match, folder: Path) -> None:
        factory = MockFactory(pin_class=MockPWMPin)
        self.fingers = Fingers(SIX, factory)
        zones = seat_zones(parting_of(match), 844.0, 556.0)
        self.world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), folder / "camera.bmp")
        self._opened = open_journal(folder / "journal.sqlite3")
        deck = match.setup.game.table.deck(match.setup.house)
        self.world.shown.wait()
        cards = deck_folder(deck.name, folder / "decks")
        camera = f"live:{folder / 'camera.bmp'}"
        settings = EyesSettings(camera, str(cards), deck.counts, zones=zones, evidence=str(folder / "evidence"))
        super().__init__(
            match,
            folder,
            None,
            journal_disk(self._opened.journal),
            watch=lambda: SupervisedEyes(run_eyes, settings),
            pins=lambda put: Buttons(SIX, put, factory),
            voices=Voices(SIX, Sound(volume=0), factory),
        )

    def close(self) -> None:
        self.stop()
        self.world.close()
        self._opened.journal.close()
