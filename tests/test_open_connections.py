"""The check of open connections: tests, fixtures and threads must close theirs before they end."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from tests.open_connections import CONNECTIONS


def test_a_connection_that_a_test_leaves_open_is_named_and_closed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "closed")):
        pass
    db = sqlite3.connect(tmp_path / "open")
    [left] = CONNECTIONS.take_left()
    assert "::test_a_connection_that_a_test_leaves_open_is_named_and_closed" in left.test
    assert left.calls[-1].startswith("tests/test_open_connections.py:")
    assert all(each in str(left) for each in (left.test, left.calls[-1]))
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        db.execute("SELECT 1")
    assert CONNECTIONS.take_left() == []


def test_a_fixture_of_several_tests_may_have_a_connection_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixture = SimpleNamespace(cached_result=("a value", 0, None))
    monkeypatch.setattr(CONNECTIONS, "fixture", fixture)
    sqlite3.connect(tmp_path / "open")
    assert CONNECTIONS.take_left() == []
    fixture.cached_result = None
    assert len(CONNECTIONS.take_left()) == 1


def test_a_thread_may_have_a_connection_until_it_ends(tmp_path: Path) -> None:
    opened, over = Event(), Event()

    def leave_open() -> None:
        sqlite3.connect(tmp_path / "open", check_same_thread=False)
        opened.set()
        over.wait()

    thread = Thread(target=leave_open)
    thread.start()
    opened.wait()
    assert CONNECTIONS.take_left() == []
    over.set()
    thread.join()
    assert len(CONNECTIONS.take_left()) == 1
