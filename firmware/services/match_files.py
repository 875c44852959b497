"""Reads guests' match files, each in a limited separate process."""

from typing import IO, Literal

import msgspec
from msgspec import Struct

from firmware.services.jobs import JobError, ReaderQueue, read_file
from referee.gaps import Gap
from referee.record import Fault, read_record, record_lines

FILE_CPU_SECONDS, FILE_TIMEOUT = 10, 60.0
"""CPU seconds for a file, and maximum seconds including waiting."""
MAX_ANSWERS = 20_000
"""Maximum answers of a file, including those replayed for corrections; the table replays them once more."""
UnreadFile = Literal["busy", "too much", "no match"]
"""Why a file wasn't read: others are being read, it takes too long, or it contains no match."""


class PlayedFile(Struct, frozen=True):
    """A replayed match file: its record without gaps, and its faults."""

    record: tuple[str, ...]
    fault: Fault | None
    gaps: tuple[Gap, ...]


class MatchFiles:
    """Reads match files."""

    def __init__(self, seconds: int = FILE_CPU_SECONDS) -> None:
        self._seconds, self._queue = seconds, ReaderQueue()

    def read(self, file: IO[bytes]) -> bytes | UnreadFile:
        """Replay a file after earlier ones; returns an encoded PlayedFile. Nothing is stored."""
        with self._queue.turn() as is_ours:
            if not is_ours:
                return "busy"
            try:
                return read_file(play_file, None, file, self._seconds, FILE_TIMEOUT) or "no match"
            except JobError:
                # the process was killed at a limit
                return "too much"


def play_file(_asked: None, file: IO[bytes]) -> bytes | None:
    """Replay a match file; an invalid byte damages only its own line."""
    reading = read_record(file.read().decode("utf-8-sig", errors="surrogateescape").rstrip().split("\n"))
    match = reading.match
    if match is None:
        return None
    if match.number + match.replayed > MAX_ANSWERS:
        raise JobError("heard too often")
    try:
        return msgspec.msgpack.encode(PlayedFile(tuple(record_lines(match)), reading.fault, reading.gaps))
    except (OverflowError, UnicodeError):
        # the fault can't even be encoded
        return None
