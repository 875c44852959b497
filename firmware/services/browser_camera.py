"""A browser as the camera, a phone's or this computer's: its frames go to the eyes as a file.

Frames are untrusted. Their size, format and rate are checked here, and only the eyes' process decodes them. A
single picture, which a phone's camera program may have encoded, is decoded in an untrusted process first.
Nothing is stored: each frame replaces the last one in the working folder.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO, Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.services.jobs import READ_CPU_SECONDS, JobError, ReaderQueue, read_file
from firmware.table.watcher import EyesNews, EyesStarted, FromEyes
from vision.process.messages import PaceChanged, TableRead, TroubleBegan
from vision.sent_frames import SentFrame, bare_frame
from vision.sightings import Sighting
from vision.table.values import Size
from vision.troubles import TroubleError

QUICK, CALM = 0.2, 1.0
"""Seconds between frames while something moves, and while nothing does."""
MOST_IN_A_SECOND = 10
SETTLED = 5.0  # seconds of a stream after which exposure, focus and white balance are held
GAP = 5.0  # seconds without a frame that end a stream
LONGEST_SIDE = 2560  # pixels of a single picture
PICTURE_TIMEOUT = 30.0  # seconds for decoding a single picture
SHOWN_AGAIN, SHOWN_TIMES = 0.25, 60
"""Seconds between repetitions of a single picture, and their number: the eyes compare several frames."""

FrameFault = Literal["not a picture", "too fast", "busy", "not the camera", "disk full"]
"""Why a frame wasn't taken."""


class CameraReply(Struct, frozen=True):
    """The reply to a frame: when to send the next one, whether to hold the light, and the cards in it."""

    after: float  # seconds
    size: Size
    holds: bool = False
    cards: tuple[Sighting, ...] = ()


class CameraStream(Struct, frozen=True):
    """The state of a browser's stream."""

    arrivals: tuple[float, ...] = ()  # times of the frames in the last second
    since: float | None = None
    size: Size = (0, 0)
    is_calm: bool = False
    cards: tuple[Sighting, ...] = ()


def with_frame(stream: CameraStream, size: Size, now: float) -> CameraStream | None:
    """Return the stream after a frame; None if frames come too fast."""
    recent = tuple(at for at in stream.arrivals if at > now - 1.0)
    if len(recent) >= MOST_IN_A_SECOND:
        return None
    last = stream.arrivals[-1] if stream.arrivals else None
    is_new = last is None or now - last > GAP
    # outlines in another size, or from before a gap, don't fit
    cards = () if is_new or size != stream.size else stream.cards
    since = now if is_new else stream.since
    return replace(stream, arrivals=(*recent, now), since=since, size=size, cards=cards)


def with_news(stream: CameraStream, item: FromEyes) -> CameraStream:
    """Return the stream after a message of the eyes."""
    match item:
        case EyesStarted():
            return replace(stream, is_calm=False, cards=())
        case EyesNews(PaceChanged(is_calm)):
            return replace(stream, is_calm=is_calm)
        case EyesNews(TableRead(cards)):
            return replace(stream, cards=tuple(each.card for each in cards))
        case EyesNews(TroubleBegan(problem)) if "camera" in problem.values:
            return replace(stream, cards=())
        case _:
            return stream


def reply_to(stream: CameraStream, now: float) -> CameraReply:
    holds = stream.since is not None and now - stream.since >= SETTLED
    return CameraReply(CALM if stream.is_calm else QUICK, stream.size, holds, stream.cards)


class BrowserCamera:
    """Takes the frames of the browser that the host has confirmed; the pages check that."""

    def __init__(
        self,
        file: Path | None = None,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[Event, float], bool] = Event.wait,
    ) -> None:
        """Write frames to a file; without one, this table has another camera."""
        self._file, self._clock, self._wait = file, clock, wait
        self._lock, self._queue = Lock(), ReaderQueue()
        self._stream = CameraStream()
        self._superseded = Event()
        self.is_reached = False
        """Whether another device than this computer has opened the camera page since the start."""

    @property
    def is_there(self) -> bool:
        return self._file is not None

    def hear(self, item: FromEyes) -> None:
        """Take in a message of the eyes."""
        with self._lock:
            self._stream = with_news(self._stream, item)

    def take(
        self, content: bytes, is_camera: Callable[[], bool], superseded: Event | None = None
    ) -> CameraReply | FrameFault:
        """Check a frame, and pass it to the eyes if its browser is still the camera when it has arrived.

        `superseded` is set once another frame comes, or the camera is stopped.
        """
        frame = bare_frame(content)
        if frame is None:
            return "not a picture"
        with self._lock:
            # `stop` waits for this lock, so that no frame comes after it
            if not is_camera():
                return "not the camera"
            now = self._clock()
            stream = with_frame(self._stream, frame.size, now)
            if stream is None:
                return "too fast"
            self._superseded.set()
            self._superseded, self._stream = superseded or Event(), stream
            return reply_to(stream, now) if self._show(frame) else "disk full"

    def take_picture(self, photograph: IO[bytes], is_camera: Callable[[], bool]) -> CameraReply | FrameFault:
        """Decode a single picture, and pass it to the eyes as often as they need to read it."""
        with self._queue.turn() as is_ours:
            if not is_ours:
                return "busy"
            try:
                jpeg = read_file(decode_picture, LONGEST_SIDE, photograph, READ_CPU_SECONDS, PICTURE_TIMEOUT)
            except JobError:
                return "not a picture"
        superseded = Event()
        taken = self.take(jpeg, is_camera, superseded)
        if isinstance(taken, CameraReply):
            Thread(target=self._repeat, args=(jpeg, superseded), name="single picture", daemon=True).start()
        return taken

    def stop(self) -> None:
        """Forget the last frame, so that the eyes report that none comes."""
        with self._lock:
            self._superseded.set()
            self._stream = replace(self._stream, arrivals=(), since=None, cards=())
            if self._file is not None:
                self._file.unlink(missing_ok=True)

    def _repeat(self, content: bytes, superseded: Event) -> None:
        frame = bare_frame(content)
        for _time in range(SHOWN_TIMES if frame is not None else 0):
            if self._wait(superseded, SHOWN_AGAIN):
                return
            with self._lock:
                if superseded.is_set() or frame is None:
                    return
                self._show(frame)

    def _show(self, frame: SentFrame) -> bool:
        """Write a frame for the eyes; returns False if the disk is full."""
        if self._file is None:
            return True
        draft = self._file.with_name(f".{self._file.name}")
        try:
            draft.write_bytes(frame.jpeg)
            draft.replace(self._file)
        except OSError:
            return False
        return True


def decode_picture(longest: int, file: IO[bytes]) -> bytes:
    """Return a photograph as an upright JPEG with a longest side in pixels; empty if it isn't one."""
    # decoders may be vulnerable, so they are loaded only behind the limits
    from vision.photographs import decode_photograph  # noqa: PLC0415
    from vision.pictures import packed_jpeg  # noqa: PLC0415

    try:
        return packed_jpeg(decode_photograph(file, longest), 90)
    except TroubleError:
        return b""
