"""Kill a table at any moment, many times, and count what became of the answers that it had acknowledged.

The table runs in a forked child and tells each answer through a pipe once it is kept; then comes SIGKILL.
"""

import os
import signal
import sqlite3
import tempfile
import time
import traceback
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NoReturn
from zlib import crc32

from msgspec import Struct

from firmware.storage.database import Database
from firmware.storage.errors import JournalError
from firmware.storage.journal import hear, open_journal, open_matches
from referee.match import Match
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match, kept_lines, replay_to_bytes, state_bytes

LIVES_OF_A_JOURNAL = 40
MOST_ANSWERS = 12
UP = "up"
"""What the table says first: the journal is open."""


class Figures(Struct):
    """What is counted over all kills."""

    kills: int = 0
    unacknowledged: int = 0
    """Answers that a kill left in the journal before they were acknowledged, counted at each kill since."""
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    wrong_state: int = 0


def kill_often(points: int, seed: int) -> Figures:
    """Kill tables, a new journal for every few dozen, and count."""
    figures, rng = Figures(), Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, points, LIVES_OF_A_JOURNAL):
            path = Path(folder, str(first), "journal.sqlite3")
            _kill_journal(path, min(LIVES_OF_A_JOURNAL, points - first), rng, figures)
    return figures


def _kill_journal(path: Path, lives: int, rng: Random, figures: Figures) -> None:
    """Kill the tables of one journal one after the other; look at all of it each time."""
    told: dict[tuple[int, int], tuple[int, str]] = {}
    for life in range(lives):
        for said in _kill_table(path, rng, at_start=rng.random() < (0.1 if life else 0.5)):
            number, entry, state, line = said.split(" ", 3)
            told[int(number), int(entry)] = int(state), line
        figures.kills += 1
        if rng.random() < 0.25:
            # mostly nothing is mended, so that the next table finds it as it was left
            with open_journal(path) as opened:
                assert opened.aside is None
        try:
            lines = kept_lines(path)
        except JournalError:
            lines = {}
        kept = {(number, entry): line for number, some in lines.items() for entry, line in enumerate(some)}
        figures.lost += sum(kept.get(place) != line for place, (_state, line) in told.items())
        figures.unacknowledged += sum(place not in told for place in kept)
        for number, entry in {number: entry for number, entry in told if (number, entry) in kept}.items():
            state = crc32(replay_to_bytes(lines[number][: entry + 1]))
            figures.wrong_state += state != told[number, entry][0]
    figures.doubled += gaps_and_doubles(path)
    figures.acknowledged += len(told)


def gaps_and_doubles(path: Path) -> int:
    """Count lines that don't follow the one before them."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT match, number FROM line NOT INDEXED").fetchall()
    numbers: dict[int, list[int]] = {}
    for match_id, number in rows:
        numbers.setdefault(match_id, []).append(number)
    return sum(sorted(each) != list(range(len(each))) for each in numbers.values())


def _kill_table(path: Path, rng: Random, *, at_start: bool) -> list[str]:
    """Start a table, kill it after a few answers, and give what it had acknowledged."""
    reader, writer = os.pipe()
    seed, heard = rng.getrandbits(32), ""
    child = os.fork()
    if child == 0:
        os.close(reader)
        _live(path, seed, writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        if not at_start:
            heard = "".join(pipe.readline() for _answer in range(rng.randint(2, MOST_ANSWERS)))
        # a moment that the table doesn't know of: nothing is asserted of how far it comes
        time.sleep(rng.uniform(0, 0.004 if at_start else 0.001))
        os.kill(child, signal.SIGKILL)
        heard += pipe.read()
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the table ended by itself; its error stands above")
    return [line for line in heard.splitlines() if line != UP]


def _live(path: Path, seed: int, pipe: int) -> NoReturn:
    """Be a table until killed."""
    try:
        _play_on_and_on(path, Random(seed), pipe)
    finally:
        traceback.print_exc()
        os._exit(1)


def _play_on_and_on(path: Path, rng: Random, pipe: int) -> None:
    """Go on with the open match, and begin another whenever one is over."""
    checkpoint = rng.choice((7, 1000))

    def connect(where: Path) -> Database:
        db = sqlite3.connect(where, isolation_level=None)
        db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")
        return db

    def acknowledge(match_id: int, match: Match) -> None:
        """Tell the world outside, in one write: a pipe takes it whole or not at all."""
        told = f"{match_id} {match.number} {crc32(state_bytes(match))} {record_lines(match)[-1]}\n"
        os.write(pipe, told.encode())

    with open_journal(path, connect) as opened:
        if opened.aside is not None:
            raise RuntimeError("a kill has damaged the journal")
        resumed = next(open_matches(opened.journal), None)
        os.write(pipe, f"{UP}\n".encode())
        match, number = (resumed.match, resumed.id) if resumed is not None else (None, 0)
        while True:
            if match is None or not match.asks:
                match = any_match(rng)
                number = opened.journal.begin(match)
                acknowledge(number, match)
            after = hear(opened.journal, number, match, any_entry(match, rng))
            if isinstance(after, Match):
                match = after
                acknowledge(number, match)
