"""Bot play-outs of a what-if, analyses and match files, each in a limited separate process."""

from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from threading import Lock
from typing import IO, Literal

import msgspec
from msgspec import Struct

from firmware.language.catalogues import language as spoken
from firmware.services.attempt_limits import AttemptLimit
from firmware.services.jobs import JobError, ReaderQueue, do_job, read_file
from firmware.storage.match_history import History
from hardware.twin.playouts import BotLaboratory, play_out
from hardware.twin.strengths import Strength
from referee.coaching import AnalysisView, analysis_view
from referee.film import MAX_BRANCH_ANSWERS, Branch, encode_branch, film_of, read_branch
from referee.gaps import Gap
from referee.record import Fault, read_film, record_lines, what_if_lines

TRIAL_TIMEOUT = 240.0
"""Seconds before a play-out is killed; it starts slowly and yields to all other work."""
PER_ADDRESS, IN_TOTAL = 4, 6  # play-outs per minute for one address, and for all
SEED = 1
Refused = Literal["busy", "often", "failed"]
"""Why bots don't play on: another play-out is running, too many were requested, or it failed."""


class TrialRequest(Struct, frozen=True):
    """The branch of a record that bots continue, encoded as in its link."""

    record: tuple[str, ...]
    at: int
    said: str
    strength: Strength


class Trials:
    """Play-outs of branches by bots."""

    def __init__(self) -> None:
        self._lock, self._limit = Lock(), AttemptLimit(each=PER_ADDRESS, most=IN_TOTAL)

    def play_out(self, wish: TrialRequest, who: str) -> str | Refused:
        """Play a branch out, differently each time; returns it encoded for a link."""
        if not self._lock.acquire(blocking=False):
            return "busy"
        try:
            if not self._limit.may_try(who):
                return "often"
            return do_job(play_branch_out, wish, TRIAL_TIMEOUT) or "failed"
        finally:
            self._lock.release()


# functions that run in the job's process


def play_branch_out(asked: TrialRequest) -> str | None:
    """Play a branch out, differently each time; None if that is impossible."""
    branch = _branch_in(asked)
    if branch is None:
        return None
    more = play_out(
        branch.match, asked.strength, SystemRandom().getrandbits(32), MAX_BRANCH_ANSWERS - len(branch.answers)
    )
    return encode_branch((*branch.answers, *more)) if more else None


def _branch_in(asked: TrialRequest) -> Branch | None:
    reading = read_film(asked.record)
    if reading.match is None or reading.match.outcome is None:
        return None
    film = film_of(reading.match)
    branch = read_branch(film, asked.at, asked.said) if 0 <= asked.at <= film.last else None
    return branch if isinstance(branch, Branch) else None


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
    reading = read_film(file.read().decode("utf-8-sig", errors="surrogateescape").rstrip().split("\n"))
    match = reading.match
    if match is None:
        return None
    if match.number + match.replayed > MAX_ANSWERS:
        raise JobError("heard too often")
    try:
        lines = record_lines(match) if reading.what_if is None else what_if_lines(match, reading.what_if)
        return msgspec.msgpack.encode(PlayedFile(tuple(lines), reading.fault, reading.gaps))
    except (OverflowError, UnicodeError):
        # the fault can't even be encoded
        return None


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
    """Analyses of matches, one at a time."""

    def __init__(self, journal: Path) -> None:
        self._journal, self._lock = journal, Lock()
        self._known = dict[tuple[int, str, int], AnalysisView]()

    def analysis(self, number: int, language: str, record: Sequence[str]) -> AnalysisView | None:
        """Return the analysis of a match with this record; None if it can't be analysed."""
        key = _analysis_key(number, language, record)
        with self._lock:
            if key not in self._known:
                found = do_job(
                    analyse, AnalysisRequest(self._journal.resolve(), number, language), ANALYSIS_TIMEOUT
                )
                if found is None:
                    return None
                self._known = dict([*self._known.items(), (key, found)][-KEPT_ANALYSES:])
            return self._known[key]

    def found_before(self, number: int, language: str, record: Sequence[str]) -> AnalysisView | None:
        """Return a cached analysis without waiting; None if there is none."""
        # the lock is held during an analysis, and the cache is only ever replaced
        return self._known.get(_analysis_key(number, language, record))


def _analysis_key(number: int, language: str, record: Sequence[str]) -> tuple[int, str, int]:
    return number, language, hash(tuple(record))
