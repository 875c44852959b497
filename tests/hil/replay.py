"""Replay a report of `coyote doctor --report` without a bench: python -m tests.hil.replay FILE.

The owner's presses are repeated edge by edge, and each must be detected once. The owner's camera, as described
in the report, must support everything that our code requires.
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.buttons import Buttons
from firmware.board.inputs.presses import DEBOUNCE
from firmware.board_events import BoardAnswers, BoardEvent, Chord, Edge, PressUnderstood, VoidPress
from firmware.start.board_tries import PressTold
from firmware.start.report import Report, read_report
from hardware.board.board import Board, Key, wires
from hardware.board.checks import troubles
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Setup, begin
from tests.firmware.board.inputs.waves import MIN_PRESS_INTERVAL
from tests.given import allowed
from tests.hil.figures import end, print_count, print_figure, spread
from vision.table.camera_facts import CameraFacts
from vision.table.device_cameras import MAINS, PiCamera
from vision.table.thrift import PLENTY, SMALL

NAMES = ("Ana", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hui")
SECOND, REST = 1_000_000, 0.1  # microseconds of a second, and the seconds around a press


class SimulatedFingers(MockFactory):  # type: ignore[misc]
    """Simulated presses on gpiozero's mock pins; a clock that advances only by waiting stamps their edges."""

    def __init__(self) -> None:
        super().__init__(pin_class=_StampedPin)
        self.time = 100.0

    def press(self, gpio: int) -> None:
        self.pin(gpio).drive_low()

    def release(self, gpio: int) -> None:
        self.pin(gpio).drive_high()

    def tap(self, gpio: int, seconds: float = 1.0) -> None:
        self.press(gpio)
        self.time += seconds
        self.release(gpio)
        self.time += 1.0

    def play(self, press: PressTold) -> None:
        """Make all edges of a press, and release its pins."""
        begun = self.time + REST
        for edge in sorted(press.edges, key=lambda edge: edge.after):
            self.time = max(self.time, begun + edge.after / SECOND)
            (self.press if edge.is_down else self.release)(edge.gpio)
        for gpio in {edge.gpio for edge in press.edges}:
            self.release(gpio)
        self.time += REST


class _StampedPin(MockPin):  # type: ignore[misc]
    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self.factory.time, self._state)


class Listener:
    """The part of the table that receives presses: it always asks who opens."""

    def __init__(self, board: Board) -> None:
        names = NAMES[: max(3, min(board.seats, 6))]
        self._match, self._hands = allowed(begin(Setup(COYOTE, House(), names))), ButtonInput(board)
        self.queue: SimpleQueue[Edge] = SimpleQueue()

    def events(self, now: float) -> list[BoardEvent]:
        events = list[BoardEvent]()
        while not self.queue.empty():
            events += self._hands.feed(self.queue.get(), self._match)
        return events + self._hands.look(now, self._match)

    def heard(self, now: float) -> list[Key]:
        return [
            event.key for event in self.events(now) if isinstance(event, PressUnderstood | VoidPress | Chord)
        ]


def answered(events: Iterable[BoardEvent]) -> list[int | None]:
    """Return the seats that have answered alone, in their order."""
    groups = [event.answers for event in events if isinstance(event, BoardAnswers)]
    return [group[0].seat for group in groups if len(group) == 1]


def read_replayable(file: Path) -> Report:
    """Read a report; exit with one line if it is invalid or can't be replayed."""
    try:
        report = read_report(file)
    except OSError as error:
        raise SystemExit(f"{file}: it is no report: {error.strerror}") from error
    used = {edge.gpio for press in report.presses for edge in press.edges}
    wrong = [] if report.board is None else troubles(report.board)
    if wrong or not used <= set(wires(report.board).values() if report.board else ()):
        raise SystemExit(f"{file}: its board can't be, or isn't that of its presses")
    return report


def report_presses(report: Report, board: Board) -> None:
    """Repeat the owner's presses, and report those that aren't detected once."""
    fingers, listener = SimulatedFingers(), Listener(board)
    keys = {gpio: key for key, gpio in wires(board).items()}
    with closing(Buttons(board, listener.queue.put, fingers)):
        for press in (press for press in report.presses if press.edges):
            fingers.play(press)
            own = [edge for edge in press.edges if edge.gpio == press.edges[0].gpio]
            between = [(later, later.after - edge.after) for edge, later in pairwise(own)]
            # no person releases as briefly as a bouncing contact
            made = 1 + sum(later.is_down and gap >= MIN_PRESS_INTERVAL * SECOND for later, gap in between)
            gaps = [gap for _later, gap in between if gap < DEBOUNCE * SECOND]
            key, heard = keys[own[0].gpio], listener.heard(fingers.time)
            bounce = f", {len(gaps)} gaps of {min(gaps)} to {max(gaps)} µs" if gaps else ""
            what = f"{key.role} {key.seat}, {len(press.edges)} edges{bounce}: {made} made, {len(heard)} heard"
            print_count(what, heard == [key] * made, 1)
    latest = [edge.heard / SECOND for press in report.presses for edge in press.edges[:1]]
    written = [press.lamp.written / SECOND for press in report.presses if press.lamp is not None]
    for what, seconds in (("kernel's stamp -> our handler", latest), ("our handler -> lamp", written)):
        if seconds:
            print_figure(what, spread(seconds), "-")


# the camera


class RecordedCamera:
    """The used part of picamera2, for a described camera; it records unsupported settings."""

    def __init__(self, facts: CameraFacts, wrong: list[str]) -> None:
        self._facts, self._wrong = facts, wrong
        self.camera_properties, self.camera_controls = facts.properties, facts.controls
        self._main = next((each for each in facts.streams if each.name == "main"), None)

    def create_video_configuration(self, **wish: Any) -> dict[str, Any]:
        main, given = wish["main"], self._main
        if given is None or (given.size, given.format) != (main["size"], main["format"]):
            self._wrong.append(f"main: {main} was asked for, {given} was given")
        if given is not None and given.stride * given.size[1] > given.bytes:
            self._wrong.append(f"main: {given} has too few bytes for its rows")
        if wish["raw"] is None and any(each.name == "raw" for each in self._facts.streams):
            self._wrong.append("raw: it was given, though nobody asked for it")
        if wish["buffer_count"] != self._facts.buffers:
            self._wrong.append(f"buffers: {wish['buffer_count']} were asked for, {self._facts.buffers} given")
        sensor, sizes = wish.get("sensor"), [mode.get("size") for mode in self._facts.modes]
        if sensor and sensor["output_size"] not in sizes:
            self._wrong.append(f"sensor: {sensor['output_size']} is none of its modes: {sizes}")
        self.set_controls(wish["controls"])
        return wish

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        for name, value in controls.items():
            least, most, _usual = self.camera_controls.get(name, (None, None, None))
            if name not in self.camera_controls:
                self._wrong.append(f"{name}: it has no such control")
            elif not _is_within(value, least, most):
                self._wrong.append(f"{name}: {value} isn't within {least} and {most}")

    def capture_metadata(self) -> Mapping[str, Any]:
        free = [frame.told for frame in self._facts.frames if not frame.is_held]
        return free[-1] if free else {}

    def capture_array(self, _stream: str) -> Any:
        assert self._main is not None
        width, height = self._main.size
        rows = np.zeros((height, max(self._main.stride, 3 * width)), np.uint8)
        return np.ascontiguousarray(rows[:, : 3 * width]).reshape(height, width, 3)

    def configure(self, *_wish: Mapping[str, Any]) -> None: ...

    start = stop = close = configure


def _is_within(value: Any, least: Any, most: Any) -> bool:
    """Compare each part of a value with its bounds; non-numeric bounds are ignored."""
    if isinstance(value, tuple):
        bounds = (bound if isinstance(bound, tuple) else (bound,) * len(value) for bound in (least, most))
        return all(_is_within(*each) for each in zip(value, *bounds, strict=False))
    above = not isinstance(least, int | float) or value >= least
    return above and (not isinstance(most, int | float) or value <= most)


def camera_faults(facts: CameraFacts) -> list[str]:
    """Open, lock and unlock the camera like the table; return the unsupported settings."""
    wrong = list[str]()
    thrift = SMALL if facts.buffers == SMALL.buffers else PLENTY
    module = SimpleNamespace(Picamera2=lambda: RecordedCamera(facts, wrong))
    with patch.dict(sys.modules, {"picamera2": module}), closing(PiCamera(MAINS, thrift)) as camera:
        camera.picture()
        camera.lock()
        camera.unlock()
    return wrong


def report_camera(facts: CameraFacts) -> None:
    wrong = camera_faults(facts)
    print_count(f"{facts.properties.get('Model')}: all can be asked of it; {wrong}", int(not wrong), 1)
    stamps = [(frame.arrived, frame.told.get("SensorTimestamp")) for frame in facts.frames]
    sure = [(arrived, stamp) for arrived, stamp in stamps if isinstance(stamp, int)]
    periods = [(later[1] - before[1]) / 1e9 for before, later in pairwise(sure)]
    for what, seconds in (("frame -> frame", periods), ("frame -> eyes", [(a - b) / 1e9 for a, b in sure])):
        if seconds:
            print_figure(what, spread(seconds), "-")


def replay(file: Path) -> None:
    report = read_replayable(file)
    if report.board is not None:
        report_presses(report, report.board)
    if report.camera is not None:
        report_camera(report.camera)
    print_figure("not in this report", ", ".join(report.absent), "-")
    end()


if __name__ == "__main__":
    replay(Path(sys.argv[1]))
