"""How soon the eyes report a card, recover from a fault, and what they cost."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter, sleep

import click
import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.eyes_settings import SHARPNESS, deck_folder
from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.motions import laying_scenes, still_scenes
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneCard
from tests.bench.measured import json_option, milliseconds, print_figures
from tests.bench.twin import _contours as yardstick
from vision.process.eyes import run_eyes
from vision.process.messages import (
    CardChanged,
    EyesMessage,
    EyesReady,
    EyesSettings,
    TableRead,
    TroubleEnded,
    settings_after,
)
from vision.process.on_frame import look_at_picture, open_eyes
from vision.process.supervision import SupervisedEyes
from vision.process.watching import begin_unread_watch, gate_picture, note_motion
from vision.reading.templates import BACK
from vision.table.file_cameras import show_live
from vision.teaching.taught_decks import TaughtDeck, save_deck

DECK, LAID = "coup", SceneCard("captain", 150.0, 40.0, -9.0)
LYING = ("duke", "assassin", "contessa")
MOTION, STILL = 10, 14
"""Frames of a hand that lays a card, and of the still table after it."""
FACES = 112
LIMIT = 60.0
FAULTS: tuple[str, ...] = ("killed", "stopped", "unplugged")


class Latency(Struct, frozen=True):
    """How many frames after the hand has left a card is reported."""

    level: str
    tables: int
    told: int
    median: float
    most: int


class Recovery(Struct, frozen=True):
    """How many seconds after a fault the eyes are back, and how many until they have read the whole table."""

    fault: str
    times: int
    back_median: float
    back_most: float
    read_median: float
    read_most: float


class EyesCost(Struct, frozen=True):
    """What the eyes take."""

    faces: int
    size: str
    memory_mb: float
    """The most that the process has ever had."""
    gate_ratio: float
    """A frame without change, over one cvtColor, Otsu and findContours of it."""
    longest_wait_ms: float
    """The longest wait for a call to the eyes, faults included."""


@click.command(help="The eyes: frames until a card is told, seconds until they are back, memory, gate.")
@click.option(
    "--tables", default=3, show_default=True, type=click.IntRange(1, 100), help="How many at each level."
)
@click.option(
    "--times", default=5, show_default=True, type=click.IntRange(1, 100), help="How often each fault comes."
)
@click.option("--seed", default=1000, show_default=True, help="The first table's seed.")
@json_option
def eyes(tables: int, times: int, seed: int, *, as_json: bool) -> None:
    """Measure the eyes."""
    with TemporaryDirectory() as scratch:
        folder = deck_folder(DECK, Path(scratch))
        latencies = [_latency(level, folder, range(seed, seed + tables)) for level in LEVELS]
        recoveries, cost = _measure_process(Path(scratch), times, seed)
    figures = {"latency": latencies, "recovery": recoveries, "cost": cost, "seed": seed}
    print_figures("eyes", figures, _table(latencies, recoveries, cost), as_json=as_json)


# frames until a card is told


def _latency(level: str, folder: Path, seeds: range) -> Latency:
    waits = [wait for seed in seeds if (wait := _frames_until_told(_scene(level, seed), folder)) is not None]
    return Latency(level, len(seeds), len(waits), median(waits or [0]), max(waits, default=0))


def _scene(level: str, seed: int) -> Scene:
    return random_scene(LEVELS[level], LAYOUTS["separate"], LYING, seed)


def _frames_until_told(scene: Scene, folder: Path) -> int | None:
    """Let a hand lay a card, and count the frames without it until the card is told; none if it never is."""
    now, _news = open_eyes(EyesSettings("twin", str(folder)))
    moving = laying_scenes(replace(scene, time=2.0), LAID, MOTION, scene.seed)
    after = still_scenes(replace(scene, cards=(*scene.cards, LAID), time=9.0), STILL)
    gone = 0
    for shown in (*still_scenes(scene, STILL), *moving, *after):
        gone = 0 if shown.hands else gone + 1
        now, news = look_at_picture(replace(now, warm=0), render(shown, faces_of(DECK)).picture)
        if shown.time >= moving[0].time and any(_is_laid(each) for each in news):
            return gone
    return None


def _is_laid(news: EyesMessage) -> bool:
    return isinstance(news, CardChanged) and news.what == "laid" and news.card.card.face == LAID.face


# the living process


def _measure_process(scratch: Path, times: int, seed: int) -> tuple[list[Recovery], EyesCost]:
    """Open real eyes on a large deck, and do to them what happens."""
    shown = render(_scene("L0", seed), faces_of(DECK)).picture
    with _running_feed(scratch / "frame.bmp", shown) as feed:
        held = _TimedEyes(EyesSettings(f"live:{feed.file}", str(_large_deck(scratch))))
        try:
            held.wait_until_read()
            memory = _memory(held.eyes.pid)
            spent = {fault: [_time_recovery(held, feed, fault) for _time in range(times)] for fault in FAULTS}
        finally:
            held.eyes.close()
    rows = [_recovery(fault, each) for fault, each in spent.items()]
    wait = round(held.longest, 1)
    size = f"{shown.shape[1]}x{shown.shape[0]}"
    return rows, EyesCost(FACES, size, memory, _gate_ratio(shown), wait)


def _recovery(fault: str, spent: list[tuple[float, float]]) -> Recovery:
    back, read = ([each[i] for each in spent] for i in (0, 1))
    figures = (median(back), max(back), median(read), max(read))
    return Recovery(fault, len(spent), *(round(figure, 2) for figure in figures))


class _TimedEyes:
    """The eyes as a companion holds them, with the longest time that it had to wait for a call."""

    def __init__(self, settings: EyesSettings) -> None:
        self.longest = 0.0
        self.eyes: SupervisedEyes = SupervisedEyes(run_eyes, settings, remembered=settings_after)

    def news(self) -> list[EyesMessage]:
        heard: list[EyesMessage] = []
        self.longest = max(self.longest, milliseconds(lambda: heard.extend(self.eyes.news())))
        return heard

    def wait_until_read(self) -> tuple[float, float]:
        """Wait until a picture has come, and until the whole table has been read; tell how long both took."""
        start, back = perf_counter(), 0.0
        while perf_counter() - start < LIMIT:
            for each in self.news():
                back = back or perf_counter() - start if isinstance(each, EyesReady | TroubleEnded) else back
                if isinstance(each, TableRead):
                    return back, perf_counter() - start
            sleep(0.005)
        raise click.ClickException("the eyes didn't come back")


class _Feed:
    """Shows a still table with fresh noise, as a live camera does."""

    def __init__(self, file: Path, picture: Pixels) -> None:
        self.file, self.unplugged, self.over = file, Event(), Event()
        rng = np.random.default_rng(1)
        noise = [rng.integers(0, 4, picture.shape, np.uint8) for _frame in range(4)]
        self._frames = [np.asarray(cv2.add(picture, each), np.uint8) for each in noise]
        self.thread = Thread(target=self._show, daemon=True)
        self.thread.start()

    def _show(self) -> None:
        number = 0
        while not self.over.wait(0.05):
            if self.unplugged.is_set():
                self.file.unlink(missing_ok=True)
            else:
                show_live(self.file, self._frames[number % len(self._frames)])
            number += 1


@contextmanager
def _running_feed(file: Path, picture: Pixels) -> Iterator[_Feed]:
    feed = _Feed(file, picture)
    try:
        yield feed
    finally:
        feed.over.set()
        feed.thread.join()


def _time_recovery(held: _TimedEyes, feed: _Feed, fault: str) -> tuple[float, float]:
    """Bring about a fault; time from it, or from the camera's return, until the table has been read again."""
    if fault == "unplugged":
        feed.unplugged.set()
        _wait(held, 1.0)
        feed.unplugged.clear()
    elif held.eyes.pid is not None:
        os.kill(held.eyes.pid, signal.SIGKILL if fault == "killed" else signal.SIGSTOP)
    return held.wait_until_read()


def _wait(held: _TimedEyes, seconds: float) -> None:
    start = perf_counter()
    while perf_counter() - start < seconds:
        held.news()
        sleep(0.005)


def _large_deck(scratch: Path) -> Path:
    """Put cards of all our decks into one."""
    drawings = (
        (f"{name}-{face}", drawing) for name, each in PRINTED.items() for face, drawing in each.faces.items()
    )
    faces = {name: (picture(drawing, SHARPNESS),) for name, drawing in islice(drawings, FACES - 1)}
    faces[BACK] = (picture(PRINTED[DECK].back, SHARPNESS),)
    save_deck(TaughtDeck("large", (63.0, 88.0), dict.fromkeys(faces, 1), faces), scratch / "large")
    return scratch / "large"


def _memory(pid: int | None) -> float:
    """Read the most memory that a process has had, in megabytes; nothing where the system doesn't tell."""
    file = Path(f"/proc/{pid}/status")
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    kilobytes = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return round(kilobytes[0] / 1024, 1) if kilobytes else 0.0


def _gate_ratio(shown: Pixels) -> float:
    watch = begin_unread_watch(shown)
    watch = replace(watch, settled=watch.last)
    gate = median(milliseconds(lambda: note_motion(watch, gate_picture(shown))) for _time in range(15))
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    base = median(milliseconds(lambda: yardstick(shown)) for _time in range(15))
    cv2.setNumThreads(threads)
    return round(gate / base, 2)


def _table(latencies: Iterable[Latency], recoveries: Iterable[Recovery], cost: EyesCost) -> Iterable[str]:
    yield f"{'level':10} {'tables':>7} {'told':>6} {'median':>7} {'most':>6}"
    for each in latencies:
        yield f"{each.level:10} {each.tables:>7} {each.told:>6} {each.median:>7g} {each.most:>6}"
    yield "frames from the hand's leaving until the card is told"
    yield ""
    yield f"{'fault':10} {'times':>7} {'back':>7} {'most':>6} {'read':>7} {'most':>6}"
    for row in recoveries:
        back, read = f"{row.back_median:>7g} {row.back_most:>6g}", f"{row.read_median:>7g} {row.read_most:>6g}"
        yield f"{row.fault:10} {row.times:>7} {back} {read}"
    yield "seconds from the fault, or the camera's return, until pictures come and until all of the table is read"
    yield ""
    told = "{faces} faces, {size}: {memory} MB at most; a frame without change costs {gate} of the yardstick;"
    yield told.format(faces=cost.faces, size=cost.size, memory=cost.memory_mb, gate=cost.gate_ratio)
    yield f"longest wait for the eyes: {cost.longest_wait_ms} ms"
