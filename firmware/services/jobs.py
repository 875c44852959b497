"""Runs functions in separate processes that can be killed, outside the table's interpreter.

The argument is sent to the process, which returns the result; it runs `firmware/start/job_process.py`. Jobs
that read untrusted files have resource limits.
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
"""Address space in bytes for a reader; OpenCV alone maps half of it."""
READ_CPU_SECONDS = 40  # CPU seconds for reading a photograph
NICE = 10  # the table has priority
MAX_WAITING = 3  # files being read or waiting; further ones are rejected
KILL_GRACE = 1.0  # seconds for a killed process to end
CALLER_CHECK_INTERVAL = 0.5  # seconds between checks whether anybody still waits for an answer
SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""One thread per process; other cores are for the table."""
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class JobError(Exception):
    """A job has no answer: its process failed to start, or died."""


class JobSlowError(JobError):
    """A job took too long, and was killed."""


class Limits(Struct, frozen=True):
    """Resource limits of a process that reads an untrusted file."""

    cpu_seconds: int
    largest_file: int = 0  # bytes of a file that it may write
    memory: int = MEMORY


class JobTerms(Struct, frozen=True):
    """Settings that a process needs before it reads its argument."""

    work: str  # the function, as `module:name`
    limits: Limits | None = None  # only for jobs that read untrusted files
    has_file: bool = False  # whether a file follows the argument
    has_games: bool = True


class Job(Generic[Answer]):
    """A function running in a separate process; the argument is sent by `answer`.

    Loading games takes a while, so jobs that don't need them should pass `has_games=False`.
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
                env={**os.environ, **SINGLE_THREADED},
            )
        except OSError as error:
            raise JobError(str(error)) from error

    def answer(self, seconds: float, is_gone: Callable[[], bool] = lambda: False) -> Answer:
        """Return the answer; kill the process on timeout, or once `is_gone` returns true."""
        until = monotonic() + seconds
        said = self._written(self._asked, min(CALLER_CHECK_INTERVAL, seconds))
        while said is None:
            left = until - monotonic()
            if left <= 0 or is_gone():
                self.kill()
                # a process stuck in the kernel ends later
                self._written(None, KILL_GRACE)
                raise JobSlowError if left <= 0 else JobError("nobody waits for it any more")
            said = self._written(None, min(CALLER_CHECK_INTERVAL, left))
        try:
            answer: Answer = msgspec.msgpack.decode(said, type=self._kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise JobError(str(error)) from error
        return answer

    def _written(self, asked: bytes | None, seconds: float) -> bytes | None:
        """Return all output of the process; None if it hasn't ended in time."""
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
    """Return a function's result, computed in a separate process; None on failure or timeout."""
    with suppress(JobError):
        return Job(work, asked, has_games=has_games).answer(patience)
    return None


def read_file(
    work: Callable[[Asked, IO[bytes]], Answer], asked: Asked, file: IO[bytes], seconds: int, patience: float
) -> Answer:
    """Return a function's result for an untrusted file, read in a process with resource limits."""
    with TemporaryFile() as spooled:
        spooled.write(encode_asked(asked))
        while part := file.read(1 << 20):
            spooled.write(part)
        spooled.seek(0)
        return Job(work, asked, spooled, Limits(seconds)).answer(patience)


class ReaderQueue:
    """Serializes the reading of files."""

    def __init__(self) -> None:
        self._places, self._turn = BoundedSemaphore(MAX_WAITING), Lock()

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Wait for earlier files; yields False if too many are waiting."""
        if not self._places.acquire(blocking=False):
            yield False
            return
        try:
            with self._turn:
                yield True
        finally:
            self._places.release()


def clean_lines(record: Iterable[str]) -> tuple[str, ...]:
    """Replace bytes of a record that are not valid text, so that it can be sent."""
    return tuple(line.encode(errors="replace").decode() for line in record)


# in the process


def encode_asked(asked: object) -> bytes:
    return msgspec.json.encode(asked, enc_hook=str) + b"\n"


def answer_asked(work: Callable[..., object], given: IO[bytes], *more: IO[bytes]) -> bytes:
    """Return the encoded result of a function for the argument on the first line."""
    kind = next(iter(get_type_hints(work).values()))
    asked = msgspec.json.decode(given.readline(), type=kind, dec_hook=lambda kind, value: kind(value))
    return msgspec.msgpack.encode(work(asked, *more))


def let_table_go_first() -> None:
    """Lower this process's priority, and make it the first to be killed when memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    os.setpriority(os.PRIO_PROCESS, 0, NICE)


def build_walls(limits: Limits) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.largest_file, limits.largest_file))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
