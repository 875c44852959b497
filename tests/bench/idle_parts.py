"""What an idle table does, part by part: for `python -m tests.bench idle`, each in a process of its own."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np

from tests.firmware.start.crowd import CrowdPlan, visit
from tests.firmware.start.served_table import listen_requests, serve_table
from vision.files import read_json
from vision.process.eyes import HeartbeatLine
from vision.process.messages import EyesSettings
from vision.process.on_frame import CALM, LEISURE, look_at_picture, open_eyes, pause_after
from vision.process.supervision import SupervisedEyes
from vision.table.calibration import Calibration
from vision.table.camera import Camera, WatchedCamera
from vision.table.optics import Optics

CAMERA = "imx708"
TABLE, LENS, DECK = "table.json", "lens.json", "deck"
PHONES = 2
READ = 20
"""Pictures after which all cards are read."""


def watch_still_table(folder: str, count: str) -> None:
    """Look at a table at which nothing moves until the eyes are at rest, and so many pictures more."""
    cv2.setNumThreads(1)
    home = Path(folder)
    table, lens = read_json(home / TABLE, Calibration), read_json(home / LENS, Optics)
    shown = [np.load(file) for file in sorted(home.glob("*.npy"))]
    # a camera hands over copies: its buffers are filled again
    taken = cycle(shown)
    device = SimpleNamespace(picture=lambda: next(taken).copy(), optics=lambda: lens)
    camera = WatchedCamera(cast(Camera, device))
    eyes, _news = open_eyes(EyesSettings("pi", str(home / DECK), table=table))
    for _picture in range(READ + CALM + int(count)):
        picture = camera.picture()
        if picture is not None:
            eyes, _news = look_at_picture(eyes, picture, lens)
    if pause_after(eyes) != LEISURE:
        raise RuntimeError("the eyes found no rest")


def keep_idle_table(folder: str, seconds: str) -> None:
    """Serve a table at which nobody does anything to phones that listen; the eyes have nothing to tell."""
    home = Path(folder, seconds)
    home.mkdir()
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as crowd,
        serve_table(home, lambda: SupervisedEyes(_tell_nothing)) as table,
    ):
        listening = tuple(listen_requests(table, PHONES))
        seen = crowd.submit(visit, CrowdPlan(table.port, float(seconds), listening)).result()
        if not seen.heard or seen.lost:
            raise RuntimeError("the phones heard nothing")


def _tell_nothing(theirs: Connection, _settings: Any) -> None:
    HeartbeatLine(theirs)
    while True:
        sleep(1)


def main(arguments: Sequence[str]) -> None:
    """Do one part."""
    part, folder, much = arguments
    {"eyes": watch_still_table, "table": keep_idle_table}[part](folder, much)
