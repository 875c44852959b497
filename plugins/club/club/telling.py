"""Publish the state of each match by replaying its lines, independently of storing them.

Everything published can be recomputed from the lines at any time, so nothing waits for it, not even a disk.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any, LiteralString

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from psycopg import Connection, Error

from club.database import NEWS, Pool
from club.keeping import Key
from referee.contract import Answer
from referee.house_rules import edition_name
from referee.match import Entry, Match, hear, without_answers
from referee.public_moment import encode_moment
from referee.record import read_record
from referee.sentences import Language

MOST_PLAYED = 5000
"""Most lines of a match that are replayed; a longer one is stored, but no longer published."""
REMEMBERED = 4096  # matches whose newest moment is cached, so that the next line needs no replay
AT_ONCE = 64
POLL_INTERVAL = 1.0  # seconds between checks for lines stored by another hub
SHARE = 5
"""Pause of a table after a slow match, as a multiple of its time, so that others needn't wait."""
TO_TELL: LiteralString = """
    SELECT table_name, epoch, match, lines, told FROM matches WHERE told < lines AND NOT table_name = ANY(%s)
    ORDER BY updated LIMIT %s
"""
TOLD: LiteralString = """
    WITH told AS (
        UPDATE matches SET told = %s, game = %s, edition = %s, names = %s, begun = %s, is_over = %s,
            reason = %s, winners = %s, standings = %s, situation = %s, fault = %s
        WHERE (table_name, epoch, match) = (%s, %s, %s) AND told = %s
        RETURNING table_name, epoch, match
    ) SELECT pg_notify(%s, 'table ' || table_name), NOT EXISTS (
        SELECT FROM matches AS m
        WHERE (m.table_name, m.epoch) = (told.table_name, told.epoch) AND m.match > told.match
    ) FROM told
"""
"""Store the result of a match; the second column is whether it is the newest match of its table."""
UNTOLD: LiteralString = """
    UPDATE matches SET told = %s, fault = %s WHERE (table_name, epoch, match) = (%s, %s, %s) AND told = %s
"""
_ENTRIES = msgspec.json.Decoder(Entry)


class Played(Struct, frozen=True, eq=False):
    """A match after a number of lines, and the reason why the rest can't be played, if any."""

    match: Match | None
    lines: int
    fault: str = ""


class Teller:
    """A thread that publishes matches with new lines."""

    def __init__(
        self,
        pool: Pool,
        language: Language,
        at_told: Callable[[str, bytes], None] = lambda _table, _moment: None,
    ) -> None:
        """Start. `at_told` receives the public moment of each table's newest match, in the club's language."""
        self._pool, self._language, self._at_told = pool, language, at_told
        self._remembered: OrderedDict[Key, Played] = OrderedDict()
        self._resting: dict[str, float] = {}
        self._news, self._is_over = Event(), False
        self._thread = Thread(target=self._run, name="club teller", daemon=True)
        self._thread.start()

    def look(self) -> None:
        self._news.set()

    def close(self) -> None:
        self._is_over = True
        self._news.set()
        self._thread.join(POLL_INTERVAL * 10)

    def _run(self) -> None:
        while not self._is_over:
            told = 0
            with suppress(Error), self._pool.connection() as db:
                # commits here needn't wait for the disk, because everything can be published again
                db.execute("SET synchronous_commit = off")
                try:
                    told = self._tell_some(db)
                finally:
                    db.execute("RESET synchronous_commit")
            if not told:
                self._news.wait(
                    min(
                        [POLL_INTERVAL, *(at - monotonic() for at in self._resting.values())],
                        default=POLL_INTERVAL,
                    )
                )
                self._news.clear()

    def _tell_some(self, db: Connection[Any]) -> int:
        now = monotonic()
        self._resting = {name: at for name, at in self._resting.items() if at > now}
        waiting = db.execute(TO_TELL, (list(self._resting), AT_ONCE)).fetchall()
        for table, epoch, match, lines, told in waiting:
            began = monotonic()
            self._tell(db, Key(table, epoch, match), lines, told)
            ended = monotonic()
            self._resting[table] = ended + SHARE * (ended - began)
        return len(waiting)

    def _tell(self, db: Connection[Any], key: Key, lines: int, told: int) -> None:
        """Publish a match unless it was published, or a name in it forgotten, in the meantime."""
        if lines > MOST_PLAYED:
            db.execute(UNTOLD, (lines, "too long", *key, told))
            return
        played = self._remembered[key] = self._play(db, key, told)
        self._remembered.move_to_end(key)
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        if played.match is None:
            db.execute(UNTOLD, (played.lines, played.fault, *key, told))
        else:
            moment = encode_moment(played.match, self._language)
            columns = _columns(played, played.match, moment)
            found = db.execute(TOLD, (*columns, *key, told, NEWS)).fetchone()
            if found is not None and found[1]:
                self._at_told(key.table, moment)

    def _play(self, db: Connection[Any], key: Key, told: int) -> Played:
        """Continue from the cached match; a correction requires a replay from the beginning."""
        known = self._remembered.get(key)
        # after a name was forgotten, nothing counts as published, and the cache has that name
        if known is not None and known.match is not None and not known.fault and known.lines <= told:
            further = play_further(known.match, known.lines, _bodies(db, key, known.lines))
            if further is not None:
                return further
        return play_lines(_bodies(db, key, 0))


def play_lines(bodies: Sequence[str]) -> Played:
    reading = read_record(bodies)
    fault = "" if reading.fault is None else f"{reading.fault.line}: {reading.fault.key}"
    match = None if reading.match is None else newest_alone(reading.match)
    return Played(match, len(bodies), fault)


def play_further(match: Match, lines: int, bodies: Sequence[str]) -> Played | None:
    """Play a few more lines; None if that needs earlier moments, or if something is wrong."""
    for body in bodies:
        try:
            entry = _ENTRIES.decode(body)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
        after = hear(match, entry) if isinstance(entry, Answer) else None
        if not isinstance(after, Match):
            return None
        match = newest_alone(after)
    return Played(match, lines + len(bodies))


def newest_alone(match: Match) -> Match:
    """Drop all moments except the newest and the one before it, because a hub caches many matches."""
    before = match.before
    if before is not None:
        before = replace(before, before=None, position=without_answers(before.position))
    return replace(match, before=before, position=without_answers(match.position))


def _bodies(db: Connection[Any], key: Key, first: int) -> list[str]:
    found = db.execute(
        """SELECT body FROM lines WHERE (table_name, epoch, match) = (%s, %s, %s) AND number >= %s
        ORDER BY number""",
        (*key, first),
    )
    return [body for (body,) in found]


def _columns(played: Played, match: Match, moment: bytes) -> tuple[Any, ...]:
    setup, outcome = match.setup, match.outcome
    setup_columns = (setup.game.name, edition_name(setup.game, setup.house), list(setup.names), setup.begun)
    end = ("", []) if outcome is None else (outcome.reason, list(outcome.winners))
    standings = msgspec.json.encode(setup.game.rules.standings(match.state)).decode()
    # a match ended early by the host is no result for tournaments
    is_over = match.decided is not None
    return played.lines, *setup_columns, is_over, *end, standings, moment.decode(), played.fault
