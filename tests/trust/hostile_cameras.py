"""Attack a table by its network camera: `python -m tests.trust.hostile_cameras`; takes ten minutes.

A camera by HTTP shows cards, which the table reads, and then everything in `ATTACKS`; one by RTSP attacks a
second table. The memory of all processes of a table is measured together, shared pages counted once. It fails
if an attack takes 300 MB more than the honest camera, ends a process but FFmpeg's, or reaches another host.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import msgspec
from msgspec import Struct

from tests.firmware.start.program import run_table
from tests.firmware.start.whole_table import WholeTable, create_folders, processes
from tests.given import present
from tests.proc import reported
from tests.scripts import say, script
from tests.tidiness import MARK
from tests.vision.table.hostile_camera import ATTACKS, FILMS, HostileCamera, start_of, table_picture
from tests.vision.table.network_server import camera_server
from tests.vision.table.rtsp_server import describe_endlessly, refuse, rtsp_server
from vision.table.calibration import calibrate

MOST = 300.0  # megabytes that an attack may take beyond the honest camera
SECONDS = 12.0  # of each attack: FFmpeg is killed after 8 s without a picture, and started again
LOOK = 0.02


class Figures(Struct):
    """Megabytes of all processes of a table."""

    without_camera: float = 0.0
    honest_camera_adds: float = 0.0
    attack_adds: dict[str, float] = {}
    """Most beyond the table without a camera."""
    wrong: list[str] = []


class Watch:
    """A table whose camera attacks it."""

    def __init__(self, table: WholeTable, figures: Figures) -> None:
        self._table, self._figures = table, figures
        sleep(SECONDS)
        self._before, self._processes = memory_of(table.folder), (table.companion(), table.eyes())

    def grown(self) -> float:
        """Return the most megabytes that all processes have taken in the next seconds."""
        end, most = monotonic() + SECONDS, 0.0
        while monotonic() < end:
            most = max(most, memory_of(self._table.folder) - self._before)
            sleep(LOOK)
        return most

    def attack(self, name: str, asked: Callable[[], int]) -> None:
        before = asked()
        grown = self._figures.attack_adds[name] = self.grown()
        say(f"{name} -> {grown:.0f} MB, {asked() - before} requests")
        if grown > self._figures.honest_camera_adds + MOST:
            self._figures.wrong.append(f"{name}: {grown:.0f} MB")
        if asked() == before:
            self._figures.wrong.append(f"{name}: the camera isn't asked")
        if (self._table.companion(), self._table.eyes()) != self._processes:
            self._figures.wrong.append(f"{name}: a process of the table has ended")


def memory_of(folder: Path) -> float:
    """Return the megabytes of a table's processes; shared pages are divided among their users."""
    return sum(reported("Pss", f"{pid}/smaps_rollup") for pid in processes(folder)) / 1000


@contextmanager
def _table(address: str, figures: Figures) -> Iterator[tuple[WholeTable, Watch]]:
    with TemporaryDirectory() as folder:
        os.environ[MARK] = folder
        create_folders(Path(folder), "coup")
        table = msgspec.json.encode(present(calibrate(table_picture())))
        Path(folder, "state", "table.json").write_bytes(table)
        with run_table(Path(folder), "--camera", address) as running:
            yield running, Watch(running, figures)


def attack_by_http(figures: Figures) -> None:
    with camera_server(HostileCamera) as place, _table(f"http://{place}/live", figures) as (table, watch):
        figures.without_camera = memory_of(table.folder)
        HostileCamera.attack = "honest"
        figures.honest_camera_adds = watch.grown()
        log = Path(table.folder, "log", "coyote.jsonl")
        table.await_true(lambda: '"laid ' in log.read_text(encoding="utf-8"))
        say(f"an honest camera -> {figures.honest_camera_adds:.0f} MB")
        for name in ATTACKS:
            if name in FILMS:
                start_of(name)
            HostileCamera.attack = name
            watch.attack(name, lambda: HostileCamera.asked)
        if HostileCamera.shown_elsewhere:
            figures.wrong.append("a redirect to another host is followed")


def attack_by_rtsp(figures: Figures) -> None:
    requests, elsewhere = list[str](), list[str]()
    attacks = {"": refuse("404 Not Found"), "RTSP: 2 GB description": describe_endlessly}
    name = ""

    def answer(line: socket, request: str) -> None:
        requests.append(request)
        attacks[name](line, request)

    with (
        rtsp_server(lambda _line, request: elsewhere.append(request)) as other,
        rtsp_server(answer) as place,
        _table(f"rtsp://{place}/live", figures) as (_running, watch),
    ):
        to = f"rtsp://{other.replace('127.0.0.1', 'localhost')}/live"
        attacks["RTSP: redirect"] = refuse("302 Found", f"Location: {to}\r\n")
        for name in tuple(attacks)[1:]:
            watch.attack(name, lambda: len(requests))
    if elsewhere:
        figures.wrong.append("an RTSP redirect to another host is followed")


@script
def main() -> Iterator[Figures]:
    yield (figures := Figures())
    attack_by_http(figures)
    attack_by_rtsp(figures)
