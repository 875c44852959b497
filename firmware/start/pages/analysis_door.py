"""What the pages may know of decisions: each match is looked at by a process of its own, once."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import msgspec

from firmware.start.pages.own_process import run_module
from referee.coaching import ToldAnalysis

PROCESS = "firmware.start.analysis_process"
PATIENCE = 60.0
"""Seconds that it may take: work is bounded, but a Pi is slow."""
REMEMBERED = 64
"""Analyses that are kept in memory."""


class Analyses:
    """Looks at matches one by one; threads would share one interpreter with the table."""

    def __init__(self, journal: Path) -> None:
        """Take the journal's place."""
        self._journal, self._lock = journal, Lock()
        self._known = dict[tuple[int, str, int], ToldAnalysis]()

    def analysis(self, number: int, language: str, record: Sequence[str]) -> ToldAnalysis | None:
        """Tell what was found in a match with this record; None if it can't be looked at."""
        key = _key(number, language, record)
        with self._lock:
            if key not in self._known:
                found = self._look_at(number, language)
                if found is None:
                    return None
                self._known = dict([*self._known.items(), (key, found)][-REMEMBERED:])
            return self._known[key]

    def found_before(self, number: int, language: str, record: Sequence[str]) -> ToldAnalysis | None:
        """Tell what was found when this was last asked for; None if it never was: nothing is waited for."""
        # without the lock, which is held while a match is looked at; what is known is only ever replaced
        return self._known.get(_key(number, language, record))

    def _look_at(self, number: int, language: str) -> ToldAnalysis | None:
        told = run_module(PROCESS, str(self._journal.resolve()), str(number), language, patience=PATIENCE)
        try:
            return msgspec.json.decode(told, type=ToldAnalysis)
        except msgspec.DecodeError:
            return None


def _key(number: int, language: str, record: Sequence[str]) -> tuple[int, str, int]:
    return number, language, hash(tuple(record))
