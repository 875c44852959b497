"""Telling how each match stands: its lines are played by the rules, apart from where lines are kept.

What is told here can be told anew from the lines at any time; so nothing waits for it, not even a disk.
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
"""Lines of a match that are played; a longer one is kept, and not told any further."""
REMEMBERED = 4096  # matches whose newest moment is remembered, so that the next line needs no other
AT_ONCE = 64
POLL_INTERVAL = 1.0  # seconds between two looks for what another hub has kept
SHARE = 5
"""A table whose match took long to tell rests so many times as long: one can't keep the others waiting."""
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
    """A match after so many lines; why the rest can't be played, if so."""

    match: Match | None
    lines: int
    fault: str = ""


class Teller:
    """A thread that tells matches whose newest lines aren't told yet."""

    def __init__(
        self,
        pool: Pool,
        language: Language,
        at_told: Callable[[str, bytes], None] = lambda _table, _moment: None,
    ) -> None:
        """Begin; `at_told` is given the public moment of each table's newest match, in the club's language."""
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
                # commits needn't wait for the disk: what is told can be told anew; for what is kept, they wait
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
        """Publish a match, unless it was published, or a name in it forgotten, since it was looked at."""
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
        """Play on from what is remembered; what takes something back is played from the beginning."""
        known = self._remembered.get(key)
        # where a name was forgotten, nothing is told, and what is remembered has that name
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
    """Play a few lines more; None where that needs what was before, or where something is wrong."""
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
    """Let go of all moments but the newest and the one before it: a hub remembers many matches."""
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
    said = (setup.game.name, edition_name(setup.game, setup.house), list(setup.names), setup.begun)
    end = ("", []) if outcome is None else (outcome.reason, list(outcome.winners))
    standings = msgspec.json.encode(setup.game.rules.standings(match.state)).decode()
    # what the host has ended early is no result: no tournament and no rating counts it
    is_over = match.decided is not None
    return played.lines, *said, is_over, *end, standings, moment.decode(), played.fault
