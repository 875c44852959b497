"""Kill a table at any moment, many times, and count what became of the answers that it had acknowledged.

The table runs in a forked child and tells each answer through a pipe once it is kept; then comes SIGKILL.
"""

import os
import signal
import sqlite3
import struct
import tempfile
import time
import traceback
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple, NoReturn
from zlib import crc32

from msgspec import Struct

from firmware.storage.database import Database
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal, hear, open_journal
from referee.match import Match
from referee.record import read_record, record_lines
from tests.firmware.playing import any_entry, any_match, kept_lines, state_bytes
from tests.firmware.storage.open_match import last_open_match

LIVES_OF_A_JOURNAL = 40
_ACKNOWLEDGED = struct.Struct("<IIII")


class Acknowledged(NamedTuple):
    """An answer that the table said is kept: where, and checksums of its line and of the state after it."""

    match_id: int
    number: int
    line: int
    state: int


UP = Acknowledged(0, 0, 0, 0)
"""What the table says first: the journal is open."""


class Figures(Struct):
    """What is counted over all kills."""

    kills: int = 0
    at_start: int = 0
    """While the journal was being opened."""
    playing: int = 0
    """After the first answer that this life of the table had acknowledged."""
    unacknowledged: int = 0
    """Kills that left an answer in the journal before it was acknowledged."""
    acknowledged: int = 0
    matches_over: int = 0
    lost: int = 0
    doubled: int = 0
    wrong_state: int = 0
    seconds: float = 0.0


def kill_often(points: int, seed: int) -> Figures:
    """Kill tables, a new journal for every few dozen, and count."""
    figures, rng, begun = Figures(), Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, points, LIVES_OF_A_JOURNAL):
            path = Path(folder, str(first), "journal.sqlite3")
            _kill_journal(path, min(LIVES_OF_A_JOURNAL, points - first), rng, figures)
    figures.seconds = round(time.monotonic() - begun, 1)
    return figures


def _kill_journal(path: Path, lives: int, rng: Random, figures: Figures) -> None:
    """Kill the tables of one journal one after the other; check each time, and all of it at the end."""
    known: dict[tuple[int, int], Acknowledged] = {}
    lines: dict[int, list[str]] = {}
    for life in range(lives):
        had = _count(lines)
        told = _kill_table(path, rng, at_start=rng.random() < (0.1 if life else 0.5))
        _count_kill(figures, told)
        known |= {(each.match_id, each.number): each for each in told}
        lines = _look(path, rng)
        figures.unacknowledged += _count(lines) > had + len(told)
        _check_lines(figures, known, lines)
        _check_state(figures, told[-1:], lines)
    last_of_each = {each.match_id: each for each in known.values()}
    _check_state(figures, list(last_of_each.values()), lines)
    figures.doubled += gaps_and_doubles(path)
    figures.acknowledged += len(known)
    figures.matches_over += sum(_is_over(each) for each in lines.values())


def _count(lines: dict[int, list[str]]) -> int:
    return sum(map(len, lines.values()))


def _is_over(lines: list[str]) -> bool:
    match = read_record(lines).match
    return match is not None and match.outcome is not None


def _count_kill(figures: Figures, told: list[Acknowledged]) -> None:
    figures.kills += 1
    figures.at_start += UP not in told
    if UP in told:
        told.remove(UP)
    figures.playing += bool(told)


def _look(path: Path, rng: Random) -> dict[int, list[str]]:
    """Read the journal, mostly without repairing anything, so that the next table finds it as it was left."""
    if rng.random() < 0.25:
        with open_journal(path) as opened:
            assert opened.aside is None
    try:
        return kept_lines(path)
    except JournalError:
        return {}


def _check_lines(
    figures: Figures, known: dict[tuple[int, int], Acknowledged], lines: dict[int, list[str]]
) -> None:
    """Count acknowledged answers that aren't there, or not as they were."""
    checksums = {
        (match_id, number): crc32(line.encode())
        for match_id, match_lines in lines.items()
        for number, line in enumerate(match_lines)
    }
    figures.lost += sum(checksums.get(place) != each.line for place, each in known.items())


def _check_state(figures: Figures, told: list[Acknowledged], lines: dict[int, list[str]]) -> None:
    """Play the lines again up to each acknowledged one, and compare the state."""
    for each in told:
        reading = read_record(lines.get(each.match_id, [])[: each.number + 1])
        figures.wrong_state += reading.fault is not None or crc32(state_bytes(reading.match)) != each.state


def gaps_and_doubles(path: Path) -> int:
    """Count lines that don't follow the one before them."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT match, number FROM line NOT INDEXED").fetchall()
    numbers: dict[int, list[int]] = {}
    for match_id, number in rows:
        numbers.setdefault(match_id, []).append(number)
    return sum(sorted(each) != list(range(len(each))) for each in numbers.values())


def _kill_table(path: Path, rng: Random, *, at_start: bool) -> list[Acknowledged]:
    """Start a table, kill it after a moment, and give what it had acknowledged."""
    reader, writer = os.pipe()
    seed = rng.getrandbits(32)
    child = os.fork()
    if child == 0:
        os.close(reader)
        _live(path, seed, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        heard = b"" if at_start else pipe.read(_ACKNOWLEDGED.size)
        time.sleep(rng.uniform(0, 0.004 if at_start else 0.006))
        os.kill(child, signal.SIGKILL)
        heard += pipe.read()
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the table ended by itself; its error stands above")
    return [Acknowledged(*each) for each in _ACKNOWLEDGED.iter_unpack(heard)]


def _live(path: Path, seed: int, pipe: int) -> NoReturn:
    """Be a table until killed."""
    try:
        _play_on_and_on(path, Random(seed), pipe)
    finally:
        traceback.print_exc()
        os._exit(1)


def _play_on_and_on(path: Path, rng: Random, pipe: int) -> None:
    """Go on with the open match, and begin another whenever one is over."""
    often = rng.random() < 0.5
    with open_journal(path, _checkpoints_often if often else _checkpoints_rarely) as opened:
        if opened.aside is not None:
            raise RuntimeError("a kill has damaged the journal")
        resumed = last_open_match(opened.journal)
        os.write(pipe, _ACKNOWLEDGED.pack(*UP))
        if resumed is not None and resumed.match is not None:
            _play_out(opened.journal, resumed.id, resumed.match, rng, pipe)
        while True:
            match = any_match(rng)
            match_id = opened.journal.begin(match)
            _acknowledge(pipe, match_id, match)
            _play_out(opened.journal, match_id, match, rng, pipe)


def _play_out(journal: Journal, match_id: int, match: Match, rng: Random, pipe: int) -> None:
    while match.asks:
        after = hear(journal, match_id, match, any_entry(match, rng))
        if isinstance(after, Match):
            match = after
            _acknowledge(pipe, match_id, match)


def _acknowledge(pipe: int, match_id: int, match: Match) -> None:
    """Tell the world outside, in one write: a pipe takes it whole or not at all."""
    line = record_lines(match)[-1].encode()
    told = Acknowledged(match_id, match.number, crc32(line), crc32(state_bytes(match)))
    os.write(pipe, _ACKNOWLEDGED.pack(*told))


def _checkpoints_often(path: Path) -> Database:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA wal_autocheckpoint = 7")
    return db


def _checkpoints_rarely(path: Path) -> Database:
    return sqlite3.connect(path, isolation_level=None)
