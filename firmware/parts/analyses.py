"""What could be known of decisions: each match is looked at once, by a process of its own."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from msgspec import Struct

from firmware.language.catalogues import language as spoken
from firmware.parts.jobs import JobError, do_job
from firmware.storage.match_history import History
from hardware.twin.playouts import BotLaboratory
from referee.coaching import ToldAnalysis, tell_analysis

PATIENCE = 60.0
"""Seconds that it may take: work is bounded, but a Pi is slow."""
REMEMBERED = 64
"""Analyses that are kept in memory."""
SEED = 1


class AnalysisRequest(Struct, frozen=True):
    """Which match of a journal is looked at, and in which language it is told."""

    journal: Path
    match: int
    language: str


def analyse(asked: AnalysisRequest) -> ToldAnalysis | None:
    """Tell what was found; nothing of a match that isn't over or can't be read whole."""
    reading = History(asked.journal).match(asked.match)
    match = None if reading is None or reading.fault is not None else reading.match
    if match is None or match.outcome is None:
        return None
    return tell_analysis(match, BotLaboratory(match.setup, SEED), SEED, spoken(asked.language))


class Analyses:
    """Looks at matches one by one."""

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
        try:
            return do_job(analyse, AnalysisRequest(self._journal.resolve(), number, language), PATIENCE)
        except JobError:
            return None


def _key(number: int, language: str, record: Sequence[str]) -> tuple[int, str, int]:
    return number, language, hash(tuple(record))
