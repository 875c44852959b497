"""The hub survives any message of a table, and a table's link any message of a hub or broker."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from club.database import Pool
from club.hearing import Heard
from club.hub import BrokerPlace, Hub
from club.members import add_table
from firmware.integrations.club_link import ClubLink
from firmware.integrations.club_messages import hash_of
from firmware.language.speaking import LANGUAGE
from firmware.services.own_club import _status
from firmware.storage.club import Membership
from firmware.storage.journal import Journal, open_journal
from plugins.club.tests.databases import values
from plugins.club.tests.said import any_lines, club_lines
from tests.firmware.playing import play_matches
from tests.tiers import tiered

EPOCH = "0" * 32
STRANGE = (
    b"null", b"true", b"-1", b"0", b"1.5", b"1e400", b"NaN", b"9" * 5000, b"-" + b"9" * 300,
    b"9223372036854775808", b"2000000001", b'""', b'"\\u0000"', b'"\\ud800"', b'"\xff"', b'"\xed\xa0\x80"',
    b'"../.."', b'"#"', b'"=="', b"[]", b"{}", b"[null]", b"[{}]", b"[" * 5000 + b"]" * 5000,
    b'{"a":' * 3000 + b"1" + b"}" * 3000, b'"' + b"x" * 100_000 + b'"', b'"' + b"0" * 32 + b'"', b'["\\u0000"]',
)  # fmt: skip
FROM_TABLE: dict[str, Any] = {
    "status": {"is_online": True, "epoch": EPOCH, "version": "1", "waiting": 3},
    "call": {"id": "0" * 16, "who": "a", "why": "b", "begun": "2026", "moment": 1, "evidence": "aGVsbG8="},
    "forgotten": {"names": ["Ana"]},
    "names": {"epoch": EPOCH, "change": 1, "heads": [{"match": 1, "body": "x"}]},
    "lines": {"epoch": EPOCH, "lines": [{"match": 1, "number": 0, "hash": "0" * 64, "body": "x"}]},
}
TO_TABLE: dict[str, Any] = {
    "ack": {"epoch": EPOCH, "matches": [{"match": 1, "lines": 3}], "total": 3, "names_change": 1},
    "note": {"title": "a", "text": "b", "game": "coyote", "seats": [{"name": "Ana"}], "ends": "2026-01-01"},
    "calls": {"calls": [{"id": "0" * 16, "state": "open", "answer": "b"}]},
    "forget": {"names": ["Ana"]},
    "hub": {"run": "x"},
    "elsewhere": {},
}


def places(said: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    inside = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    for key, value in inside:
        yield from places(value, (*place, key))


def spoiled(said: Any, place: tuple[Any, ...], strange: bytes) -> bytes:
    if not place:
        return strange
    key, *rest = place
    pairs = said.items() if isinstance(said, dict) else enumerate(said)
    inner = [(each, spoiled(value, tuple(rest), strange) if each == key else json.dumps(value).encode())
             for each, value in pairs]  # fmt: skip
    if isinstance(said, list):
        return b"[" + b",".join(value for _each, value in inner) + b"]"
    return b"{" + b",".join(b'"%s":%s' % (each.encode(), value) for each, value in inner) + b"}"


def hostile(messages: dict[str, Any]) -> list[tuple[str, bytes]]:
    """List messages corrupted at one place; a sample for each commit, all for a release."""
    every = [
        (what, spoiled(said, place, strange))
        for what, said in messages.items()
        for place in places(said)
        for strange in STRANGE
    ]
    return Random(1).sample(every, min(len(every), tiered(60, 10_000)))


def test_hub_serves_honest_tables_despite_hostile_messages(pool: Pool) -> None:
    with pool.connection() as db:
        bad, good = (add_table(db, title).name for title in ("Bad", "Good"))
    lines = msgspec.json.encode(club_lines(any_lines(Random(1))))
    with closing(Hub(BrokerPlace("127.0.0.1", 9), pool, LANGUAGE)) as hub:
        for what, payload in hostile(FROM_TABLE):
            hub._keep([Heard(bad, what, payload), Heard(good, "lines", lines)])
        for body in ("[]", '{"a":' * 2000, "9" * 5000, "\\u0000", '{"entry":7}'):
            line = {"match": 7, "number": 0, "hash": hash_of(0, body), "body": body}
            hub._keep([Heard(bad, "lines", msgspec.json.encode({"epoch": EPOCH, "lines": [line]}))])
        kept = values(pool, "SELECT body FROM lines WHERE table_name = %s ORDER BY match, number", good)
        assert kept == any_lines(Random(1))
        assert all(thread.is_alive() for thread in hub._threads)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        yield opened.journal


def test_link_delivers_missing_lines_despite_hostile_replies(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # run the work of its two threads here
    monkeypatch.setattr(ClubLink, "_run", lambda _link: None)
    monkeypatch.setattr("firmware.integrations.club_link.begin", lambda *_where: None)
    play_matches(journal, 1, Random(1))
    mine = Membership("table", "Table", "Club", "127.0.0.1", 9, "k" * 40)
    with closing(ClubLink(mine, tmp_path / "journal.sqlite3")) as link:
        waiting = link._delivery.waiting(journal)
        assert waiting
        link.state = "connected"
        for what, payload in hostile(TO_TABLE):
            link._take(what, payload)
            link._work()
        assert link._delivery.waiting(journal) == waiting
        assert link.waiting == waiting
        assert _status(mine, link).is_connected
