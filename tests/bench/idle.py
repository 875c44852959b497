"""The load of an idle table, estimated for a Raspberry Pi 4.

Valgrind counts the instructions of each part in a short and a long run; the difference excludes the start.
Vectors are limited to 128 bits, as on a Pi; an ARM needs about as many instructions as an x86. A picture's copy
takes few instructions but waits for memory, so its cost is estimated from its bytes.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import cycle, islice
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import SimpleNamespace
from typing import Any, cast

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.decks import deck_folder
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of, render
from tests.bench.instructions import PI_4, count_instructions, require_valgrind
from tests.bench.measured import Measured
from tests.firmware.start.crowd import CrowdPlan, listen_requests, visit
from tests.firmware.start.served_table import serve_table
from tests.hardware.twin.plays import still_scenes
from tests.vision.process.live import look_next
from tests.vision.rendered_tables import EXPOSURES, apart_under, heights_to_try, scene_under
from vision.files import read_json
from vision.process.eyes import HeartbeatLine
from vision.process.messages import EyesSettings
from vision.process.on_frame import CALM, LEISURE, RESTED, open_eyes, pause_after
from vision.process.supervision import SupervisedEyes
from vision.table.calibration import calibrate
from vision.table.camera import Camera, WatchedCamera
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL
from vision.table.values import Calibration, Optics

COPIED = 2e9  # bytes copied per second by a Pi 4
LEAST = 20.0
"""Seconds of the table's shorter run; under valgrind, phones take long to connect."""
PROGRAM = "import sys; from tests.bench.idle import do_part; do_part(sys.argv[1:])"
SHOWN, CARDS = "coup", 6
CAMERA = "imx708"
TABLE, LENS, DECK, BARE = "table.json", "lens.json", "deck", "bare.npy"
PHONES = 2
READ = 20  # pictures until all cards are read


class IdleCost(Struct, frozen=True):
    """The load of a part while the table is idle."""

    part: str
    millions: float  # instructions per second
    percent: float  # of a core of a Pi 4


def idle(seconds: float = 30.0, *, small: bool = False) -> Measured:
    """An idle table: what it takes of a Pi 4, by counted instructions."""
    require_valgrind()
    optics = made_smaller(CAMERAS[CAMERA], SMALL.share) if small else CAMERAS[CAMERA]
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as counters:
        home = Path(folder)
        _lay_table(home, optics)
        eyes = tuple(counters.map(partial(_count, "eyes", home), (0, RESTED)))
        table = tuple(counters.map(partial(_count, "table", home), (LEAST, LEAST + seconds)))
    costs = [
        _cost("eyes", eyes, RESTED * LEISURE),
        # the camera's library returns copies of its buffers
        IdleCost("copies of pictures", 0.0, round(100 * 3 * prod(optics.mode) / LEISURE / COPIED, 1)),
        _cost("loop and pages, two phones", table, seconds),
    ]
    told = (
        f"together: {sum(each.percent for each in costs):.1f} % of a core, without the camera's own library",
        "counted by valgrind, vectors of 128 bits; a Pi 4's core does 1500 million a second, copies 2 GB",
    )
    ratios = {f"{each.part}, of a Pi 4's core": f"{each.percent} %" for each in costs}
    return Measured(ratios, told)


def _count(part: str, folder: Path, much: float) -> int:
    return count_instructions(PROGRAM, part, str(folder), f"{much:g}")


def _cost(part: str, counted: tuple[int, ...], seconds: float) -> IdleCost:
    short, long = counted
    rate = (long - short) / seconds
    return IdleCost(part, round(rate / 1e6, 1), round(100 * rate / PI_4, 1))


def _lay_table(folder: Path, optics: Optics, cards: int = CARDS) -> None:
    """Store pictures of a table, with cards and bare, its position in them, the lens, and its deck."""
    apart, height = apart_under(optics), heights_to_try(optics)[1]
    noise, names = EXPOSURES["33 ms"], tuple(islice(cycle(PRINTED[SHOWN].faces), cards))
    faces = faces_of(SHOWN)
    scene = scene_under(optics, apart, height, noise, names, 1)
    bare = render(replace(scene, cards=()), faces)
    table = calibrate(bare, apart)
    (folder / TABLE).write_bytes(msgspec.json.encode(table))
    (folder / LENS).write_bytes(msgspec.json.encode(optics))
    np.save(folder / BARE, bare)
    for number, each in enumerate(still_scenes(scene, 3)):
        np.save(folder / f"{number}.npy", render(each, faces))
    deck_folder(SHOWN, folder).rename(folder / DECK)


# the parts, each in its own process


def watch_still_table(folder: str, count: str) -> None:
    """Watch a still table until the eyes are at rest, and then for `count` more pictures."""
    cv2.setNumThreads(1)
    home = Path(folder)
    table, lens = read_json(home / TABLE, Calibration), read_json(home / LENS, Optics)
    shown = [np.load(file) for file in sorted(home.glob("[0-9].npy"))]
    # a camera returns copies, because its buffers are reused
    taken = cycle(shown)
    device = SimpleNamespace(picture=lambda: next(taken).copy(), optics=lambda: lens)
    camera = WatchedCamera(cast(Camera, device))
    eyes, _news = open_eyes(EyesSettings("pi", str(home / DECK), table=table))
    for _picture in range(READ + CALM + int(count)):
        picture = camera.picture()
        if picture is not None:
            eyes, _news = look_next(eyes, picture, lens)
    if pause_after(eyes) != LEISURE:
        raise RuntimeError("the eyes found no rest")


def keep_idle_table(folder: str, seconds: str) -> None:
    """Serve an idle table, whose eyes send nothing, to connected phones."""
    home = Path(folder, seconds)
    home.mkdir()
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as crowd,
        serve_table(home, lambda: SupervisedEyes(_tell_nothing)) as table,
    ):
        listening = tuple(listen_requests(table.seats, PHONES))
        seen = crowd.submit(visit, CrowdPlan(table.port, float(seconds), listening)).result()
        if not seen.heard or seen.lost:
            raise RuntimeError("the phones heard nothing")


def _tell_nothing(theirs: Connection, _settings: Any) -> None:
    HeartbeatLine(theirs)
    while True:
        sleep(1)


def do_part(arguments: Sequence[str]) -> None:
    part, folder, much = arguments
    {"eyes": watch_still_table, "table": keep_idle_table}[part](folder, much)
