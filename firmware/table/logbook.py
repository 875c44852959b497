"""The log: a JSON object on each line, in files of bounded size; written by a thread of its own."""

import logging
from contextlib import suppress
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from time import time

import msgspec

LARGEST, FILES = 1_000_000, 3
"""Bytes of a log file, and how many older ones are kept."""


class _File(RotatingFileHandler):
    """A file of which a line may be lost: a full disk is told elsewhere."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Let a line go that can't be written."""


class Logbook:
    """Notes what happens; never blocks."""

    def __init__(self, file: Path) -> None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
        handler = _File(file, maxBytes=LARGEST, backupCount=FILES, encoding="utf-8", delay=True)
        queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
        self._handler = QueueHandler(queue)
        self._listener = QueueListener(queue, handler)
        self._listener.start()
        self._file = handler

    def note(self, what: str, **values: object) -> None:
        """Note something that happened."""
        line = msgspec.json.encode({"at": round(time(), 3), "what": what, **values}, enc_hook=str).decode()
        self._handler.handle(logging.LogRecord("coyote", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Write what is left."""
        self._listener.stop()
        self._file.close()
