"""Work beside the table: a function of ours is done by a process of its own, which can be killed.

Threads would share one interpreter with the table. What is asked goes to the process, and what came of it comes
back; `firmware/start/job_process.py` is what runs there. What reads a stranger's file has walls around it.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import IO, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

PROGRAM = "firmware.start.job_process"
MEMORY = 1_500_000_000
"""Bytes of addresses that a reader may take; OpenCV alone takes half of that without filling it."""
READING = 40  # seconds of a processor that reading a photograph may take
NICE = 10  # the table goes first
WAITING = 3  # files that are read or wait; more are turned away
GRACE = 1.0  # seconds that a process may take to die
CALLER_CHECK_INTERVAL = 0.5  # seconds between two looks at whether anybody still waits for an answer
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""One thread: the others are the table's."""
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class JobError(Exception):
    """A job has no answer: its process couldn't begin, or died."""


class JobSlowError(JobError):
    """A job took too long, and was killed."""


class Limits(Struct, frozen=True):
    """Limits of a process that reads a stranger's file."""

    cpu_seconds: int
    largest_file: int = 0  # bytes of a file that it may write
    memory: int = MEMORY


class JobTerms(Struct, frozen=True):
    """What a process has to know before it reads what it is asked."""

    work: str  # the function, as `module:name`
    limits: Limits | None = None  # of a job that reads a stranger's file; all others have none
    has_file: bool = False  # whether a file follows what is asked
    has_games: bool = True


class Job(Generic[Answer]):
    """A function at work in a process of its own; it is asked once its answer is waited for.

    Games take a while to load.
    """

    def __init__(
        self,
        work: Callable[..., Answer],
        asked: object,
        file: IO[bytes] | None = None,
        limits: Limits | None = None,
        *,
        has_games: bool = True,
    ) -> None:
        name = f"{work.__module__}:{work.__qualname__}"
        terms = JobTerms(name, limits, has_file=file is not None, has_games=has_games)
        self._asked = None if file else encode_asked(asked)
        self._kind = get_type_hints(work)["return"]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own Python, and nothing that a phone says
                (sys.executable, "-P", "-m", PROGRAM, msgspec.json.encode(terms).decode()),
                stdin=file or subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **ALONE},
            )
        except OSError as error:
            raise JobError(str(error)) from error

    def answer(self, seconds: float, is_gone: Callable[[], bool] = lambda: False) -> Answer:
        """Wait for the answer; kill the process after so many seconds, or once whoever asked is gone."""
        until = monotonic() + seconds
        said = self._written(self._asked, min(CALLER_CHECK_INTERVAL, seconds))
        while said is None:
            left = until - monotonic()
            if left <= 0 or is_gone():
                self.kill()
                # one that sticks in the kernel ends when it can
                self._written(None, GRACE)
                raise JobSlowError if left <= 0 else JobError("nobody waits for it any more")
            said = self._written(None, min(CALLER_CHECK_INTERVAL, left))
        try:
            answer: Answer = msgspec.msgpack.decode(said, type=self._kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise JobError(str(error)) from error
        return answer

    def _written(self, asked: bytes | None, seconds: float) -> bytes | None:
        """Give all that the process has written; None if it isn't over within so many seconds."""
        try:
            return self._process.communicate(asked, timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        self._process.kill()

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None


def do_job(
    work: Callable[[Asked], Answer], asked: Asked, patience: float, *, has_games: bool = True
) -> Answer | None:
    """Give what a function makes of what it is asked; None if it has no answer within so many seconds."""
    with suppress(JobError):
        return Job(work, asked, has_games=has_games).answer(patience)
    return None


def read_file(
    work: Callable[[Asked, IO[bytes]], Answer], asked: Asked, file: IO[bytes], seconds: int, patience: float
) -> Answer:
    """Give what a function makes of a stranger's file, behind walls, in so many seconds of a processor."""
    with TemporaryFile() as spooled:
        spooled.write(encode_asked(asked))
        while part := file.read(1 << 20):
            spooled.write(part)
        spooled.seek(0)
        return Job(work, asked, spooled, Limits(seconds)).answer(patience)


class ReaderQueue:
    """Lets one file be read at a time."""

    def __init__(self) -> None:
        self._places, self._turn = BoundedSemaphore(WAITING), Lock()

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Wait for the files that came before; false where too many wait already."""
        if not self._places.acquire(blocking=False):
            yield False
            return
        try:
            with self._turn:
                yield True
        finally:
            self._places.release()


def clean_lines(record: Iterable[str]) -> tuple[str, ...]:
    """Give the lines of a record as text that can be sent: they may hold bytes that are no text."""
    return tuple(line.encode(errors="replace").decode() for line in record)


# in the process


def encode_asked(asked: object) -> bytes:
    return msgspec.json.encode(asked, enc_hook=str) + b"\n"


def answer_asked(work: Callable[..., object], given: IO[bytes], *more: IO[bytes]) -> bytes:
    """Do what the first line asks, and write down what came of it."""
    kind = next(iter(get_type_hints(work).values()))
    asked = msgspec.json.decode(given.readline(), type=kind, dec_hook=lambda kind, value: kind(value))
    return msgspec.msgpack.encode(work(asked, *more))


def let_table_go_first() -> None:
    """Let others go first, and be the first to end where memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    os.setpriority(os.PRIO_PROCESS, 0, NICE)


def build_walls(limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.largest_file, limits.largest_file))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
