"""The main function of the camera process: take pictures, read, report, obey; `SupervisedEyes` runs it.

Camera faults are reported, and the camera is reopened. The process ends with its parent. An untried deck is
tried in a thread, which takes half a minute on a slow computer; until then it counts as untried.
"""

import os
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread, get_native_id
from time import monotonic, sleep

from msgspec.structs import replace

from vision.pictures import Picture
from vision.process import on_frame
from vision.process.eyes_state import EyesState, EyesStep
from vision.process.messages import EyesSettings, TroubleBegan
from vision.process.supervision import BEAT, is_orphaned
from vision.reading.templates import UNTRIED, Certainty, Templates
from vision.table.camera import (
    LONGEST,
    WARM,
    Camera,
    CameraTroubleError,
    SentPictures,
    WatchedCamera,
    slow_camera,
    watched,
)
from vision.table.camera_names import is_live, shown_name
from vision.table.device_cameras import open_camera
from vision.table.thrift import give_back_memory
from vision.table.values import Optics
from vision.teaching.taught_decks import load_deck
from vision.teaching.tried_decks import prepare_deck
from vision.troubles import Problem, TroubleError

GENTLE = 15  # nice value of the trial thread, so that reading goes first


class DeckTrial:
    """Tries the current deck in a thread, once for each deck."""

    def __init__(self) -> None:
        self._deck: Templates | None = None
        self._learned: Certainty | None = None
        self._thread: Thread | None = None

    def go_on(self, eyes: EyesState) -> EyesState:
        """Start the trial of an untried deck; once it is done, return the state with its result."""
        deck, settings = eyes.deck, eyes.settings
        if deck is None or deck.certainty is not UNTRIED or not settings.tried:
            return eyes
        if self._thread is not None and self._thread.is_alive():
            return eyes
        if self._deck is not deck:
            self._deck, self._learned = deck, None
            folders = Path(settings.deck), Path(settings.tried)
            self._thread = Thread(target=self._try, args=folders, name="deck trial", daemon=True)
            self._thread.start()
        elif self._learned is not None:
            return replace(eyes, deck=replace(deck, certainty=self._learned))
        return eyes

    def wait(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def _try(self, folder: Path, tried: Path) -> None:
        # on Linux, each thread has its own priority
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), GENTLE)
        # a deck that can't be read is reported by `on_frame`
        with suppress(TroubleError):
            taught = load_deck(folder)
            self._learned = prepare_deck(taught.faces, taught.card, tried).certainty


BEATS = 0.25  # seconds between two beats
LOADING, LOOKING = 30.0, 20.0
"""Seconds allowed for loading a deck or a camera's library, and for a picture's reading and free cards."""
DAZZLED = frozenset({"black", "too bright"})
"""Faults of a camera whose exposure was locked in other light."""


class HeartbeatLine:
    """The connection to the parent; it sends heartbeats until the current step's time is up."""

    def __init__(self, theirs: Connection) -> None:
        self._theirs, self._lock = theirs, Lock()
        self.allow_seconds(LOADING)
        Thread(target=self._beat, args=(os.getppid(),), daemon=True).start()

    def allow_seconds(self, seconds: float, late: Problem | None = None) -> None:
        """Begin a step with a time limit. After it, the process reports `late` and exits."""
        self._step = (monotonic() + seconds, late)

    def send(self, step: EyesStep) -> EyesState:
        """Send a step's messages. Returns its state."""
        eyes, news = step
        for each in news:
            with self._lock:
                self._theirs.send(each)
        return eyes

    def _beat(self, parent: int) -> None:
        with suppress(OSError):
            while not is_orphaned(parent) and monotonic() < self._step[0]:
                with self._lock:
                    self._theirs.send(BEAT)
                # at most until the step's limit, so that a hang is reported at once
                sleep(max(0.01, min(BEATS, self._step[0] - monotonic())))
            if (late := self._step[1]) is not None:
                with self._lock:
                    self._theirs.send(TroubleBegan(late))
        # a hanging call holds the camera until the process ends, and could block a normal exit
        os._exit(1)


class EyesCamera:
    """A camera by its name: opened on demand, its light locked once the table is known."""

    def __init__(self, settings: EyesSettings) -> None:
        self._settings = settings
        self._camera: Camera | None = None
        self._watched: WatchedCamera | SentPictures | None = None
        self._held, self._is_dazzled, self._taken = False, False, 0

    def picture(self, *, held: bool) -> Picture | Problem:
        try:
            camera = self._ensure_open()
            self._hold_light(camera, held=held)
            shown = (self._watched or camera).picture()
            self._taken, self._is_dazzled = self._taken + 1, False
        except CameraTroubleError as error:
            self._is_dazzled = error.problem.key in DAZZLED
            return error.problem
        return Problem("over", {"camera": shown_name(self._settings.camera)}) if shown is None else shown

    def patience(self, *, held: bool) -> float:
        """Open the camera and return the seconds allowed for its next picture."""
        try:
            return self._ensure_open().patience * (2 if self._is_light_due(held=held) else 1)
        except CameraTroubleError:
            return LONGEST

    def optics(self) -> Optics | None:
        return None if self._camera is None else self._camera.optics()

    def _is_light_due(self, *, held: bool) -> bool:
        """Return whether to lock or unlock exposure now; after a change, a camera needs WARM pictures."""
        return (self._held and self._is_dazzled) or (held != self._held and self._taken >= WARM)

    def _hold_light(self, camera: Camera, *, held: bool) -> None:
        if not self._is_light_due(held=held):
            return
        if self._held and self._is_dazzled:
            held, self._taken = False, 0
        (camera.lock if held else camera.unlock)()
        self._held = held

    def _ensure_open(self) -> Camera:
        if self._camera is None:
            name, table = self._settings.camera, self._settings.table
            # without markers, the table can't be found in a picture of another size
            size = None if table is None or table.markers else table.size
            self._camera = open_camera(name, self._settings.mains, self._settings.thrift, size)
            self._watched = watched(self._camera) if is_live(name) else None
        return self._camera


def run_eyes(theirs: Connection, settings: EyesSettings) -> None:
    if settings.thrift.gives_back:
        give_back_memory()
    with suppress(EOFError, ConnectionError):
        _look_until_closed(theirs, settings)


def _look_until_closed(theirs: Connection, settings: EyesSettings) -> None:
    line, sight = HeartbeatLine(theirs), EyesCamera(settings)
    eyes, trial = line.send(on_frame.open_eyes(settings)), DeckTrial()
    while True:
        start = monotonic()
        line.allow_seconds(LOADING)
        while theirs.poll():
            eyes = line.send(on_frame.obey_order(eyes, theirs.recv()))
        held = on_frame.holds_light(eyes)
        seconds = sight.patience(held=held)
        slow = slow_camera(settings.camera, seconds).problem
        line.allow_seconds(seconds, None if eyes.wrong.get("camera") else slow)
        shown = sight.picture(held=held)
        line.allow_seconds(LOOKING)
        if isinstance(shown, Problem):
            step = on_frame.go_without_picture(eyes, shown)
        else:
            step = on_frame.look_at_picture(eyes, shown, monotonic(), sight.optics())
        eyes = trial.go_on(line.send(step))
        # an order ends the wait
        theirs.poll(max(0.0, start + on_frame.pause_after(eyes) - monotonic()))
