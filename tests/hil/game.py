"""The real companion at a table: lgpio on kernel pins, picamera2 on a camera with the twin's frames.

A round of Coyote is played by presses and cards alone; then the companion is killed, and must resume it.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np

from firmware.start.supervisor import PROGRAM
from firmware.storage.journal import open_matches, open_readonly
from hardware.board.board import Register
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from tests.hil.figures import FailedError, end, print_count, print_figure, read_log, spread, until
from tests.hil.hands import Hands
from tests.hil.limits import Limits
from tests.hil.told import STARTS, check_colours, check_digits, check_leds, check_tune, is_played
from tests.proc import parent, reported, running

NAMES = ("Ana", "Bo", "Cleo", "Dan")
RUN = Path("/run")
NAMED = ("journal.sqlite3", "coyote.jsonl", "frames", "spoken", "printed")
JOURNAL, LOG, FRAMES, SPOKEN, PRINTED = (RUN / name for name in NAMED)
SURROUNDINGS = {
    "GPIOZERO_PIN_FACTORY": "lgpio",
    "STATE_DIRECTORY": str(RUN),
    "LOGS_DIRECTORY": str(RUN),
    "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:/opt/camera",
    "LD_PRELOAD": "/opt/camera/preload.so",
    "LIBCAMERA_LOG_LEVELS": "*:ERROR",
    "BENCH_FRAMES": str(FRAMES),
    "BENCH_SPOKEN": str(SPOKEN),
    # releasing and reallocating memory pages costs more here than on a machine
    "GLIBC_TUNABLES": f"glibc.malloc.mmap_threshold={1 << 30}:glibc.malloc.trim_threshold={1 << 30}"
    ":glibc.malloc.top_pad=67108864",
}
ARGUMENTS = ("run", "--camera", "pi", "--seats", ",".join(NAMES), "--journal", str(JOURNAL))
ROOM = 64 << 20  # bytes that are too few for the vision process, and enough for all else
NOISES = 4
Cards = Mapping[str, tuple[float, float]]
LAID: Cards = {"10": (-35.0, -48.0), "5": (35.0, -48.0), "2": (-35.0, 48.0), "-5": (35.0, 48.0)}
"""They add up to the announced twelve, so the calling player loses."""
PRESSES = 200


# the camera's picture


def drawn(cards: Cards, camera: SceneCamera) -> Iterator[Pixels]:
    """Draw cards on felt with new noise; an unchanged picture would count as a frozen camera."""
    laid = tuple(SceneCard(face, x, y, 2.0) for face, (x, y) in cards.items())
    picture = render(Scene(camera, SceneTable("felt"), SceneLight(), laid), faces_of("coyote-kidult"))
    picture, rng = np.minimum(picture, 251), np.random.default_rng(0)
    return (picture + rng.integers(0, 4, picture.shape, np.uint8) for _noise in range(NOISES))


def show(cards: Cards) -> None:
    draft = FRAMES.with_suffix(".draft")
    draft.write_bytes(b"".join(map(_nv12, drawn(cards, SceneCamera(jpeg=0)))))
    draft.replace(FRAMES)


def _nv12(picture: Pixels) -> bytes:
    """Write a picture in a camera's format: luma, then pairs of chroma."""
    height, width = picture.shape[:2]
    planes = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)
    blue, red = planes[height:].reshape(2, height // 2, width // 2)
    return planes[:height].tobytes() + np.stack([blue, red], -1).tobytes()


# the companion's observable state


def read_journal_state() -> tuple[int, Any]:
    with open_readonly(JOURNAL) as journal:
        match = next(each.match for each in open_matches(journal) if each.match is not None)
    return match.number, match.state


def noted(what: str, **values: Any) -> list[Mapping[str, Any]]:
    return [note for note in read_log(LOG) if note["what"] == what and values.items() <= note.items()]


def moment(number: int, *rulings: str) -> None:
    until(f"moment {number}", lambda: noted("moment", number=number))
    (ruled,) = {tuple(note["rulings"]) for note in noted("moment", number=number)}
    print_count(f"moment {number}: {', '.join(rulings)}", set(rulings) <= set(ruled), 1)


def children(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents = {each: parent(each) for each in running()}
    found = [pid]
    for each in found:
        found += [child for child, above in parents.items() if above == each]
    return found


def has_pages() -> bool:
    """Return whether the phone pages are served; this Linux has no IPv6."""
    with suppress(OSError), urlopen("http://127.0.0.1:8000/"):
        return True
    return False


@contextmanager
def companion(profile: str, limits: Limits) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-P", "-c", PROGRAM, *ARGUMENTS, "--board", profile]
    with PRINTED.open("wb") as printed:
        process = subprocess.Popen(
            command,
            env={**os.environ, **SURROUNDINGS},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            preexec_fn=limits.join,  # noqa: PLW1509 - no other thread runs here
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        print_count("ends with 0", process.wait(30) == 0, 1)


# a round


def first_round(board: Hands) -> None:
    """Open, announce by the dial, call, show the cards; the caller was wrong."""
    board.press(1)
    moment(1, "round")
    until("Bo's lamp", lambda: board.is_lit(1, "green"))
    board.announce(12)
    moment(2, "announced")
    until("Cleo's lamp", lambda: board.is_lit(2, "green"))
    called = monotonic()
    board.press(2)
    moment(3, "called")
    until("the end of the howl", lambda: is_played("howl", board, called))
    check_tune("howl", board, called)
    laid = monotonic()
    show(LAID)
    took = until("the verdict", lambda: noted("moment", number=4))
    print_figure("cards before the camera -> verdict", f"{took:.1f} s", "-")
    moment(4, "shown", "enough", "mark", "round")
    until("Cleo's red lamp", lambda: board.is_lit(2, "red"))
    spoken = SPOKEN.read_text()
    print_count("the verdict is spoken", "Coyote" in spoken and "12" in spoken, 1)
    until("Cleo's lamp after it", lambda: board.is_lit(2, "green"))
    until("the end of the lament", lambda: is_played("loss", board, laid))
    check_tune("loss", board, laid)


def kill_companion(board: Hands, process: "subprocess.Popen[bytes]") -> None:
    """Kill the companion in the middle of a round; it must resume the round."""
    show({})
    board.announce(3)
    moment(5, "announced")
    before, opened = read_journal_state(), len(noted("eyes"))
    until("Dan's lamp", lambda: board.is_lit(3, "green"))
    killed = monotonic()
    os.kill(children(process.pid)[1], signal.SIGKILL)
    board.clear_leds()
    until("the same moment again", lambda: len(noted("moment", number=5)) == STARTS)
    until("Dan's lamp again", lambda: board.is_lit(3, "green"))
    print_figure("killed -> lamps", f"{monotonic() - killed:.1f} s", "3 s")
    print_count("the same moment after it", read_journal_state() == before, 1)
    board.press(3)
    moment(6, "called")
    until("Dan's lamp in amber", lambda: board.is_lit(3, "amber"))
    # opening a camera delays the process's end, and the supervisor doesn't wait for it
    until("eyes again", lambda: len(noted("eyes")) > opened)


# figures


def presses(board: Hands) -> None:
    """Press out of turn; the LED rejects the press at once."""
    rng, late = Random(1), list[float]()
    seats = [0, 2, 3]
    for place in range(PRESSES):
        seat = seats[place % len(seats)]
        at = board.chip.press(board.board.call[seat])
        until("a red lamp", partial(board.is_lit, seat, "red"), 0.0002)
        late.append(monotonic() - at)
        sleep(0.02)  # hold the button briefly, and press again later
        board.chip.release(board.board.call[seat])
        sleep(rng.uniform(0.15, 0.2))
    print_figure("press -> lamp, the camera at 30 fps", spread(late), "median 6 ms, p95 20 ms")


def memory(process: "subprocess.Popen[bytes]") -> None:
    supervisor, loop, *eyes = children(process.pid)
    ours = ("the bench's own program, which draws the table", [os.getpid()])
    for what, pids in (("supervisor", [supervisor]), ("loop and pages", [loop]), ("eyes", eyes), ours):
        most = sum(reported("VmHWM", f"{pid}/status") for pid in pids) // 1024
        print_figure(f"memory, {what}, at most", f"{most} MB", "-")
    whole, left = (reported(name, "meminfo") // 1024 for name in ("MemTotal", "MemAvailable"))
    print_figure("memory left while it plays", f"{left} of {whole} MB", "-")


def memory_of(pid: int) -> int:
    return reported("VmRSS", f"{pid}/status")


def check_signals(board: Hands) -> None:
    board.look()
    print_count("edges noted", len(board.recording.edges), len(board.recording.edges) + board.recording.lost())
    if board.board.display is not None:
        check_digits(board.recording.edges, board.board.display)
    if isinstance(board.board.lamps, Register):
        check_leds(board.latched, board.board.lamps)


# the service's limits


def check_limits(limits: Limits) -> None:
    memory, tasks = limits.peaks()
    of = f"up to {limits.memory >> 20} MB, {limits.tasks} tasks"
    print_figure("the service at most, with what it has read of files", f"{memory >> 20} MB, {tasks} tasks", of)
    print_count("nothing of it was killed or refused", not limits.killed() and not limits.refused(), 1)


def starve_vision(board: Hands, process: "subprocess.Popen[bytes]", limits: Limits) -> None:
    """Leave no memory for a new vision process: it alone is killed; the table answers and recovers."""
    _supervisor, loop, *others = children(process.pid)
    eyes = max(others, key=memory_of)
    os.kill(eyes, signal.SIGKILL)
    until("the eyes' end", lambda: memory_of(eyes) == 0)
    until("a kill for want of memory", lambda: limits.leave(ROOM) and limits.killed())
    print_figure("the service's memory without room for eyes", f"{limits.leave(ROOM) >> 20} MB", "-")
    board.press(0)
    until("Ana's lamp", lambda: board.is_lit(0, "red"))
    print_count("without memory for eyes the table answers", children(process.pid)[1] == loop, 1)
    seen = len(noted("seen"))
    limits.give_back()
    until("what new eyes see", lambda: len(noted("seen")) > seen)
    print_count("with memory it sees again, and was never started anew", children(process.pid)[1] == loop, 1)


def play_and_measure(profile: str, *wishes: str) -> None:
    board, limits = Hands(profile), Limits(1024 * reported("MemTotal", "meminfo"))
    show({})
    start = monotonic()
    with companion(profile, limits) as process:
        until("the table's lamp", lambda: board.chip.is_high(board.board.attention or 0))
        print_figure("start -> first lamp", f"{monotonic() - start:.1f} s", "3 s")
        until("the table is found", lambda: noted("table found"))
        print_figure("start -> table found", f"{monotonic() - start:.1f} s", "-")
        until("the pages for phones", has_pages)
        first_round(board)
        if "figures" in wishes:
            presses(board)
        memory(process)
        check_limits(limits)
        if "figures" in wishes:
            starve_vision(board, process, limits)
        kill_companion(board, process)
        check_signals(board)
        # the figures press out of turn, which lights LEDs red
        if "figures" not in wishes and isinstance(board.board.lamps, Register):
            check_colours(board.latched)
    longest = max(note["longest"] for note in read_log(LOG) if note["what"] == "end")
    print_figure("the loop's longest turn", f"{1000 * longest:.0f} ms", "100 ms")
    end()


if __name__ == "__main__":
    try:
        play_and_measure(*sys.argv[1:])
    except FailedError:
        for file in (PRINTED, LOG):
            sys.stderr.write(file.read_text() if file.exists() else "")
        raise
