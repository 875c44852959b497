"""A companion in play while its camera fails: messages, readings, and delays."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic, perf_counter, sleep

from msgspec import Struct

from firmware.language.words import WORDS
from firmware.storage.journal import Journal, open_journal
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from hardware.twin.player import any_answer
from hardware.twin.rendering.scene import SceneCard
from tests.firmware.playing import any_match
from tests.firmware.start.program import holdings_of
from tests.firmware.table.tables import EyedTable, journal_disk
from tests.vision.process.live import CAPTAIN, DUKE, teach_artwork, with_cards
from tests.vision.table.faulty_camera import FAULTS, Fault, Faulty
from tests.waiting import came
from vision.process.messages import EyesMessage, EyesSettings, TableRead, TroubleBegan
from vision.troubles import Problem

MESSAGES: dict[Fault, frozenset[str]] = {
    "unplugged": frozenset({"gone", "missing"}),
    "busy": frozenset({"gone", "busy"}),
    "opening hangs": frozenset({"gone", "too slow"}),
    "reading hangs": frozenset({"too slow"}),
    "closing hangs": frozenset({"gone"}),
    "slow": frozenset({"too slow"}),
    "frozen": frozenset({"frozen"}),
    "stuck": frozenset({"frozen"}),
    "black": frozenset({"black"}),
    "white": frozenset({"too bright"}),
    "glaring": frozenset({"too bright"}),
    "half": frozenset({"garbled"}),
    "half black": frozenset({"garbled"}),
    "half old": frozenset({"frozen"}),
    "small": frozenset({"garbled", "wrong size"}),
    "garbage": frozenset({"garbled"}),
}
SELF_HEALING = frozenset[Fault]({"glaring", "small"})
"""Faults from which the eyes recover by themselves, without a change of the camera."""
HANGING: tuple[Fault, ...] = ("opening hangs", "reading hangs", "closing hangs", "slow")
"""Faults that require a restart of the eyes."""
LAID_CARDS: tuple[tuple[SceneCard, ...], ...] = ((DUKE,), (DUKE, CAPTAIN))
LIMIT = 60.0
ANSWER_INTERVAL = 0.06  # seconds between answers: a pace, nothing is awaited


class Figures(Struct):
    """Figures over all faults."""

    told: dict[str, list[float]] = {}  # seconds until a fault is reported
    back: dict[str, list[float]] = {}
    """Seconds from the camera's recovery until the whole table is read again."""
    phones: list[float] = []  # milliseconds from a phone's answer to the stored ruling
    starts: int = 0  # starts of the eyes
    read: int = 0  # readings of the whole table, each compared with the cards on it
    held: dict[str, list[float]] = {}  # resources held early on, and at the end
    wrong: list[str] = []


class CameraTable(EyedTable):
    """The table, with a camera that can fail."""

    def __init__(self, folder: Path, journal: Journal, figures: Figures, first: Fault | None) -> None:
        self._figures, self._rng = figures, Random(1)
        self._lying = 1
        self.camera = Faulty(folder / "camera", with_cards(*LAID_CARDS[1]).picture)
        self.camera.fail(first)
        self._news: SimpleQueue[tuple[float, EyesMessage]] = SimpleQueue()
        settings = EyesSettings("pi", str(teach_artwork(folder / "coup")))
        super().__init__(any_match(self._rng), folder, settings, journal_disk(journal))

    def hear_eyes(self, item: EyesStarted | EyesNews | EyesGone) -> None:
        if isinstance(item, EyesNews):
            self._news.put((monotonic(), item.news))
        super().hear_eyes(item)

    def close(self) -> None:
        self._figures.starts += self.eyes.starts
        self.camera.fail(None)
        super().close()

    # a single fault

    def until_read(self) -> float:
        """Play until the whole table is read again; return the seconds."""
        since = monotonic()
        return self._until(lambda at, news: isinstance(news, TableRead) and at > since) - since

    def strike(self, fault: Fault) -> None:
        came(lambda: fault != "glaring" or self.camera.is_held)
        since, spoken = monotonic(), len(self.voices.told)
        self.camera.fail(fault)
        self.suffer(fault, fault, since, spoken)

    def suffer(self, fault: Fault, name: str, since: float, spoken: int = 0) -> None:
        """Wait until a fault is reported, repair the camera, and wait until it sees."""
        figures = self._figures
        told = self._until(
            lambda _at, news: isinstance(news, TroubleBegan) and news.problem.key in MESSAGES[fault]
        )
        figures.told.setdefault(name, []).append(told - since)
        self._check_told(fault, spoken)
        if fault not in SELF_HEALING:
            self._lying = 1 - self._lying
            self.camera.show(with_cards(*LAID_CARDS[self._lying]).picture)
        self._play_blind(self._rng.uniform(0.2, 1.5), fault)
        came(lambda: fault != "glaring" or self.camera.is_held)
        self.camera.fail(None)
        figures.back.setdefault(name, []).append(self.until_read())
        came(lambda: not self._problems())
        if any(isinstance(each, Problem) and each.key == "wrong size" for each in self.client.troubles()):
            self._wrong(f"{fault}: the table isn't found again")

    def _check_told(self, fault: Fault, spoken: int) -> None:
        """Check that page, lamp and speech report the fault, with advice."""
        came(lambda: ("trouble", True) in self.voices.told[spoken:])
        keys = self._problems()
        if fault not in SELF_HEALING and (len(keys) != 1 or keys[0] not in MESSAGES[fault]):
            self._wrong(f"{fault}: the page tells {keys}")
        spoken_of = [value for kind, value in self.voices.told[spoken:] if kind == "said"]
        # the constant part of a sentence
        lines = [max(re.split(r"{\w+}", WORDS[key]), key=len) for key in MESSAGES[fault]]
        if not any(line in sentence for line in lines for sentence in spoken_of):
            self._wrong(f"{fault}: no voice tells it, but {spoken_of}")
        if ("trouble", True) not in self.voices.told[spoken:]:
            self._wrong(f"{fault}: no lamp shows it")

    def _play_blind(self, seconds: float, fault: Fault) -> None:
        end = monotonic() + seconds
        while monotonic() < end:
            self._answer()
            for _at, news in self._messages_arrived():
                if isinstance(news, TableRead) and fault not in SELF_HEALING:
                    self._wrong(f"{fault}: {news} is told meanwhile")

    def _problems(self) -> list[str]:
        return [
            each.key for each in self.client.troubles() if isinstance(each, Problem) and "camera" in each.values
        ]

    def _until(self, is_it: Callable[[float, EyesMessage], bool]) -> float:
        end = monotonic() + LIMIT
        while monotonic() < end:
            self._answer()
            for at, news in self._messages_arrived():
                if is_it(at, news):
                    return at
        self._wrong(f"it never came; the page tells {self.client.troubles()}")
        return end

    def _messages_arrived(self) -> Iterator[tuple[float, EyesMessage]]:
        """Return the eyes' messages; no card may be misread, and none has moved."""
        while not self._news.empty():
            at, news = self._news.get()
            if isinstance(news, TableRead):
                self._figures.read += 1
                faces = sorted(str(each.card.face) for each in news.cards)
                if faces != sorted(card.face for card in LAID_CARDS[self._lying]):
                    self._wrong(f"{faces} are read")
            yield at, news

    # people

    def _answer(self) -> None:
        match = self.client.moment()
        start = perf_counter()
        if match.asks:
            self.client.submit(any_answer(match.asks, match.number, self._rng)).result(LIMIT)
            self._figures.phones.append(1000 * (perf_counter() - start))
        else:
            self.client.sit(any_match(self._rng)).result(LIMIT)
        sleep(ANSWER_INTERVAL)

    # held resources

    def hold(self) -> None:
        for who, pid in (("here", "self"), ("the eyes", f"{self.eyes.pid}")):
            now = holdings_of(pid)
            for what, count in (("MB", now.memory), ("threads", now.threads), ("files", now.files)):
                self._figures.held.setdefault(f"{what} {who}", []).append(count)

    def _wrong(self, what: str) -> None:
        self._figures.wrong.append(what)


@contextmanager
def start_camera_table(folder: Path, figures: Figures, first: Fault | None = None) -> Iterator[CameraTable]:
    folder.mkdir(exist_ok=True)
    with open_journal(folder / "journal.sqlite3") as opened:
        sys.path.insert(0, str(folder / "camera"))
        since = monotonic()
        table = CameraTable(folder, opened.journal, figures, first)
        try:
            if first is None:
                table.until_read()
            else:
                table.suffer(first, f"{first} at the start", since)
            yield table
        finally:
            table.close()
            sys.path.remove(str(folder / "camera"))


def fail_often(folder: Path, unpluggings: int, times: int, figures: Figures) -> None:
    """Unplug the camera this often; also cause each other fault, and a busy camera at the start."""
    for number in range(times):
        with start_camera_table(folder / f"busy {number}", figures, "busy"):
            pass
    others = [fault for fault in FAULTS if fault not in {"unplugged", *HANGING} for _time in range(times)]
    strikes: list[Fault] = [*("unplugged" for _time in range(unpluggings)), *others]
    Random(2).shuffle(strikes)
    with start_camera_table(folder / "failing", figures) as table:
        # the eyes aren't replaced meanwhile, so their resources can be compared
        for number, fault in enumerate(strikes):
            if number == len(strikes) // 10:
                table.hold()
            table.strike(fault)
        table.hold()
        for fault in HANGING * times:
            table.strike(fault)
