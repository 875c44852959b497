"""Analyses of matches, each in a limited separate process."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Thread

from msgspec import Struct

from firmware.language.catalogues import language as spoken
from firmware.services.jobs import do_job
from firmware.storage.match_history import History
from hardware.twin.playouts import BotLaboratory
from referee.coaching import AnalysisView, analysis_view

SEED = 1
ANALYSIS_TIMEOUT = 60.0  # seconds for an analysis; its work is bounded, but a Pi is slow
KEPT_ANALYSES = 64  # analyses cached in memory


class AnalysisRequest(Struct, frozen=True):
    """The match of a journal to analyse, and the language of the result."""

    journal: Path
    match: int
    language: str


def analyse(asked: AnalysisRequest) -> AnalysisView | None:
    """Analyse a match; None if it isn't over or can't be read completely."""
    reading = History(asked.journal).match(asked.match)
    match = None if reading is None or reading.fault is not None else reading.match
    if match is None or match.outcome is None:
        return None
    return analysis_view(match, BotLaboratory(match.setup, SEED), SEED, spoken(asked.language))


class Analyses:
    """Analyses of matches, one at a time, each in a thread that goes on without its reader."""

    def __init__(self, journal: Path) -> None:
        self._journal, self._lock = journal, Lock()
        self._known = dict[tuple[int, str, int], AnalysisView | None]()
        self._thread = Thread()

    def analysis(
        self, number: int, language: str, record: Sequence[str], patience: float
    ) -> AnalysisView | None:
        """Return the analysis of a match with this record; None if it can't be analysed.

        Raises TimeoutError if that takes longer than some seconds; ask again then.
        """
        key = _analysis_key(number, language, record)
        with self._lock:
            if key not in self._known and not self._thread.is_alive():
                self._thread = Thread(target=self._analyse, args=(key,), name="analysis", daemon=True)
                self._thread.start()
        if key not in self._known:
            self._thread.join(patience)
        if key not in self._known:
            raise TimeoutError
        # a failed analysis may succeed later
        return self._known.get(key) or self._known.pop(key, None)

    def _analyse(self, key: tuple[int, str, int]) -> None:
        number, language, _record = key
        asked = AnalysisRequest(self._journal.resolve(), number, language)
        found = do_job(analyse, asked, ANALYSIS_TIMEOUT)
        self._known = dict([*self._known.items(), (key, found)][-KEPT_ANALYSES:])

    def found_before(self, number: int, language: str, record: Sequence[str]) -> AnalysisView | None:
        """Return a cached analysis without waiting; None if there is none."""
        return self._known.get(_analysis_key(number, language, record))


def _analysis_key(number: int, language: str, record: Sequence[str]) -> tuple[int, str, int]:
    return number, language, hash(tuple(record))
