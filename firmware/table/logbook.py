"""The log: one JSON object per line in private, rotated files, written by a separate thread."""

import logging
from contextlib import suppress
from datetime import datetime
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from time import time
from typing import Any

import msgspec

from referee.summaries import day_of
from vision.files import write_whole

MAX_LOG_BYTES, OLDER_FILES = 1_000_000, 3  # bytes of a log file, and number of older files


class PrivateFiles(RotatingFileHandler):
    """Log files that only their owner can read."""

    def _open(self) -> TextIOWrapper:
        with suppress(OSError):
            Path(self.baseFilename).touch(0o600)
        return super()._open()


class Logbook:
    """Writes log lines without blocking."""

    def __init__(self, file: Path) -> None:
        with suppress(OSError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = PrivateFiles(file, "a", MAX_LOG_BYTES, OLDER_FILES, "utf-8", delay=True)
        # a full disk is reported elsewhere; log lines may be lost
        self._file.handleError = lambda record: None  # type: ignore[method-assign] # noqa: ARG005
        queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
        self._handler, self._listener = QueueHandler(queue), QueueListener(queue, self._file)
        self._listener.start()

    def note(self, what: str, **values: object) -> None:
        line = msgspec.json.encode({"at": round(time(), 3), "what": what, **values}, enc_hook=str).decode()
        self._handler.handle(logging.LogRecord("coyote", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        self._listener.stop()
        self._file.close()


def forget_day(log: Path, day: str) -> None:
    """Remove one day's lines from a log and its older files; no table may be writing to them."""
    for file in filter(Path.is_file, log.parent.glob(f"{log.name}*")):
        lines = file.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if not _is_of_day(line, day)]
        if len(kept) < len(lines):
            write_whole(file, b"".join(kept), is_private=True)


def _is_of_day(line: bytes, day: str) -> bool:
    try:
        at = msgspec.json.decode(line, type=dict[str, Any])["at"]
        return day_of(datetime.fromtimestamp(at).astimezone().isoformat()) == day
    except (msgspec.DecodeError, ValueError, TypeError, KeyError, OverflowError, OSError, RecursionError):
        return False
