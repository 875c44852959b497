"""What clips cost the eyes, and how many bytes they take: pictures of rendered tables, as from a camera."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from firmware.storage.eyes_settings import filmed_parts
from firmware.storage.found_table import parting_of, seat_zones
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCard, SceneTable, plates
from referee.contract import Answer
from referee.match import Match, moments
from vision.process.clip_recorder import ClipRecorder, DueClip, clip_of
from vision.process.messages import EyesSettings, LivePicture
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.table.calibration import Picture, calibrate

RATE = 15
"""Pictures a second while cards move."""
PICTURES = 450
"""Thirty seconds of them."""
SPECKLES = 6
"""How many noises there are, each of some grey levels: a picture without any would be too easy to pack."""
APART = (844.0, 556.0)


class ClipFigures(Struct, frozen=True):
    """What clips of a game come to."""

    game: str
    percent: float
    """Of a core, in CPU time, at 15 pictures a second of full size."""
    longest: float
    """Milliseconds that it kept the eyes from their next picture, at most; a picture is due every 67."""
    bytes: int
    rulings: int
    """Answers of the camera in a match."""
    match: int
    """Bytes of a match's clips, before older ones make room."""
    live_percent: float
    """Of a core, for a live picture beside the clips."""
    live_second: int
    """Bytes a second for each who watches it."""


def clip_figures(match: Match) -> ClipFigures:
    """Measure the clips of a match's game, on a table with cards in all open parts."""
    threads = cv2.getNumThreads()
    # what runs beside counts, too
    cv2.setNumThreads(1)
    try:
        percent, longest, size, _none = _record(match)
        live_percent, _longest, _size, second = _record(match, live=True)
    finally:
        cv2.setNumThreads(threads)
    rulings = sum(_is_by_camera(moment) for moment in moments(match))
    told = (round(percent, 2), round(longest, 1), size, rulings, size * rulings)
    return ClipFigures(match.setup.game.name, *told, round(live_percent, 2), second)


def _is_by_camera(moment: Match) -> bool:
    return isinstance(moment.entry, Answer) and isinstance(moment.entry.value, tuple)


def _record(match: Match, *, live: bool = False) -> tuple[float, float, int, int]:
    """Record for half a minute: percent of a core, longest pause in ms, bytes of a clip, of a second."""
    with TemporaryDirectory() as folder:
        bare, shown = _pictures(match)
        eyes = _eyes_over(match, bare, Path(folder), live=live)
        now = 0.0
        recorder = ClipRecorder(lambda: now)
        recorder.go_on(eyes)
        spent, longest, given = 0.0, 0.0, 0
        for number in range(PICTURES):
            now += 1 / RATE
            eyes = msgspec.structs.replace(eyes, picture=shown[number % len(shown)])
            start, busy = perf_counter(), process_time()
            eyes, news = recorder.go_on(eyes)
            spent, longest = spent + process_time() - busy, max(longest, perf_counter() - start)
            given += sum(len(each.jpeg) for each in news if isinstance(each, LivePicture))
        clip = clip_of(recorder.ring, DueClip("1", 1, now))
    size = len(msgspec.msgpack.encode(clip))
    return 100 * spent * RATE / PICTURES, 1000 * longest, size, given * RATE // PICTURES


def _eyes_over(match: Match, bare: Picture, folder: Path, *, live: bool) -> EyesState:
    """Give eyes that know the table and watch cards."""
    zones = seat_zones(parting_of(match), *APART)
    filmed = filmed_parts(match, zones, is_wanted=True)
    settings = EyesSettings("", table=calibrate(bare), zones=zones, evidence=str(folder), filmed=filmed)
    settings = msgspec.structs.replace(settings, live=live)
    return EyesState(settings, watch=begin_unread_watch(bare), picture=bare)


def _pictures(match: Match) -> tuple[Picture, list[Picture]]:
    """Render the bare table, and one with cards in its middle, several times with other noise."""
    deck, rng = match.setup.game.table.deck(match.setup.house), Random(1)
    spots = [(x, y) for x in (-205, -70, 0, 70, 205) for y in (-50, 50)]
    cards = tuple(
        SceneCard(rng.choice(list(deck.counts)), float(x), float(y), rng.uniform(-8, 8)) for x, y in spots
    )
    table = SceneTable("felt", plates=plates(APART[0] / 2, APART[1] / 2))
    bare = render(Scene(table=table), faces_of(deck.name)).picture
    full = render(Scene(table=table, cards=cards), faces_of(deck.name)).picture
    noise = np.random.default_rng(1)
    specks = (noise.integers(0, 4, full.shape, np.uint8) for _number in range(SPECKLES))
    return bare, [np.asarray(cv2.add(full, each), np.uint8) for each in specks]
