"""Bots that play a what-if to its end: in a process of its own, one at a time, and not too often."""

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
"""Seconds after which it is ended: what it does is bounded, but gives way to all else, and is slow to begin."""
EACH, ALL = 4, 6  # what one address and all of them may have played out within a minute
SEED = 1
Refused = Literal["busy", "often", "failed"]
"""Why bots don't play on: they play on another branch, played on too many, or can't from here."""


class TrialRequest(Struct, frozen=True):
    """Which branch bots play on: the branch of a record, as its link says it."""

    record: tuple[str, ...]
    at: int
    said: str
    strength: Strength


class Trials:
    """Lets bots play on from branches."""

    def __init__(self) -> None:
        self._lock, self._limit = Lock(), AttemptLimit(each=EACH, most=ALL)

    def play_out(self, wish: TrialRequest, who: str) -> str | Refused:
        """Play on once, each time in another way, and write the branch so that a link can carry it."""
        if not self._lock.acquire(blocking=False):
            return "busy"
        try:
            if not self._limit.may_try(who):
                return "often"
            return do_job(play_branch_out, wish, TRIAL_TIMEOUT) or "failed"
        finally:
            self._lock.release()


# in the process


def play_branch_out(asked: TrialRequest) -> str | None:
    """Play on once, each time in another way; None if that can't be done."""
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


PLAYING, FILE_WAITS = 10, 60.0
"""Seconds of a processor that a file may take, and that it may take beside the table and all others."""
MOST_HEARD = 20_000
"""Answers that a file may have heard, those that corrections did again, too: the table plays it once more."""
UnreadFile = Literal["busy", "too much", "no match"]
"""Why a file is no film: others are being played, it would take too long, or there is no match in it."""


class PlayedFile(Struct, frozen=True):
    """A match file as it was played: its record, now without holes, and what was wrong with it."""

    record: tuple[str, ...]
    fault: Fault | None
    gaps: tuple[Gap, ...]


class MatchFiles:
    """A reader of match files."""

    def __init__(self, seconds: int = PLAYING) -> None:
        self._seconds, self._queue = seconds, ReaderQueue()

    def read(self, file: IO[bytes]) -> bytes | UnreadFile:
        """Play a file after those that came before it, and give a PlayedFile as bytes; nothing is kept."""
        with self._queue.turn() as is_ours:
            if not is_ours:
                return "busy"
            try:
                return read_file(play_file, None, file, self._seconds, FILE_WAITS) or "no match"
            except JobError:
                # it was killed at a limit
                return "too much"


def play_file(_asked: None, file: IO[bytes]) -> bytes | None:
    """Play a match file; a byte that is no text damages only its own line."""
    reading = read_film(file.read().decode("utf-8-sig", errors="surrogateescape").rstrip().split("\n"))
    match = reading.match
    if match is None:
        return None
    if match.number + match.replayed > MOST_HEARD:
        raise JobError("heard too often")
    try:
        lines = record_lines(match) if reading.what_if is None else what_if_lines(match, reading.what_if)
        return msgspec.msgpack.encode(PlayedFile(tuple(lines), reading.fault, reading.gaps))
    except (OverflowError, UnicodeError):
        # what is wrong with it can't even be told
        return None


LOOKING = 60.0  # seconds that it may take: work is bounded, but a Pi is slow
KEPT_ANALYSES = 64  # analyses that are kept in memory


class AnalysisRequest(Struct, frozen=True):
    """Which match of a journal is looked at, and in which language it is told."""

    journal: Path
    match: int
    language: str


def analyse(asked: AnalysisRequest) -> AnalysisView | None:
    """Analyse a match; None if it isn't over or can't be read whole."""
    reading = History(asked.journal).match(asked.match)
    match = None if reading is None or reading.fault is not None else reading.match
    if match is None or match.outcome is None:
        return None
    return analysis_view(match, BotLaboratory(match.setup, SEED), SEED, spoken(asked.language))


class Analyses:
    """Looks at matches one by one."""

    def __init__(self, journal: Path) -> None:
        self._journal, self._lock = journal, Lock()
        self._known = dict[tuple[int, str, int], AnalysisView]()

    def analysis(self, number: int, language: str, record: Sequence[str]) -> AnalysisView | None:
        """Return what was found in a match with this record; None if it can't be analysed."""
        key = _analysis_key(number, language, record)
        with self._lock:
            if key not in self._known:
                found = do_job(analyse, AnalysisRequest(self._journal.resolve(), number, language), LOOKING)
                if found is None:
                    return None
                self._known = dict([*self._known.items(), (key, found)][-KEPT_ANALYSES:])
            return self._known[key]

    def found_before(self, number: int, language: str, record: Sequence[str]) -> AnalysisView | None:
        """Return what was found when this was last asked for, without waiting; None if it never was."""
        # without the lock, which is held while a match is looked at; what is known is only ever replaced
        return self._known.get(_analysis_key(number, language, record))


def _analysis_key(number: int, language: str, record: Sequence[str]) -> tuple[int, str, int]:
    return number, language, hash(tuple(record))
