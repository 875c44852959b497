"""Match files from phones: played one at a time, each in a process of its own that can be killed."""

from typing import IO

from firmware.parts.reader_process import ReaderQueue, run_reader
from firmware.start.match_file_process import NO_MATCH
from webui.doors.films import UnreadFile

PROCESS = "firmware.start.match_file_process"
SECONDS, PATIENCE = 10, 60.0
"""Seconds of a processor that a file may take, and that it may take beside the table and all others."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a film that is remembered."""


class MatchFiles:
    """A reader of match files; threads would share one interpreter with the table."""

    def __init__(self, process: str = PROCESS, seconds: int = SECONDS) -> None:
        """Take the module that plays them, and how long it may."""
        self._process, self._seconds, self._queue = process, seconds, ReaderQueue()

    def read(self, file: IO[bytes]) -> bytes | UnreadFile:
        """Play a file after those that came before it, and give its film."""
        with self._queue.turn() as is_ours:
            if not is_ours:
                return "busy"
            said = run_reader(self._process, str(self._seconds), file, PATIENCE)
        # it was killed at a limit, if it says nothing
        if not said or len(said) > LARGEST:
            return "too much"
        return "no match" if said == NO_MATCH else said
