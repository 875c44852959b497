"""A pytest plug-in: a test that leaves a database connection open fails, and reports where it was opened.

Python closes an unreferenced connection at its garbage collection, with a warning since 3.13. Here a connection
counts as open until its `close` is called, on every version.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Thread, current_thread
from typing import Any

import pytest
from msgspec import Struct

ROOT = f"{Path(__file__).parents[1]}{os.sep}"
OURS = ("coyote_table", "firmware", "hardware", "plugins", "tests", "vision", "webui")
SHOWN = 12  # innermost calls of our own code in a message
_connect = sqlite3.connect


class OpenConnection(Struct, frozen=True):
    """An open connection, the place where it was opened, and its allowed lifetime."""

    connection: Any
    calls: tuple[str, ...]
    test: str
    thread: Thread
    fixture: "pytest.FixtureDef[Any] | None"  # the shared fixture that opened it, if any

    @property
    def is_left(self) -> bool:
        """Whether the test, fixture or thread that opened it ended without closing it."""
        if self.thread is not current_thread():
            return not self.thread.is_alive()
        return self.fixture is None or self.fixture.cached_result is None

    def __str__(self) -> str:
        return "\n  ".join([f"a database connection is left open; {self.test} opened it in", *self.calls])


class OpenConnections:
    """The open connections of this process."""

    def __init__(self) -> None:
        self.fixture: pytest.FixtureDef[Any] | None = None
        self._open: dict[int, OpenConnection] = {}

    def opened(self, connection: object) -> None:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        calls = tuple(islice(_own_calls(), SHOWN))[::-1]
        self._open[id(connection)] = OpenConnection(connection, calls, test, current_thread(), self.fixture)

    def closed(self, connection: object) -> None:
        self._open.pop(id(connection), None)

    def take_left(self) -> list[OpenConnection]:
        """Close the connections left open, and return them."""
        left = [each for each in [*self._open.values()] if each.is_left]
        for each in left:
            # SQLite connections can only be closed in their own thread, unless opened otherwise
            with suppress(sqlite3.Error):
                each.connection.close()
            self.closed(each.connection)
        return left


CONNECTIONS = OpenConnections()


class CountedConnection(sqlite3.Connection):
    """A connection that is tracked as open until it is closed."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        CONNECTIONS.opened(self)

    def close(self) -> None:
        super().close()
        CONNECTIONS.closed(self)


def connect(*given: Any, **named: Any) -> sqlite3.Connection:
    return _connect(*given, **{"factory": CountedConnection, **named})


def _own_calls() -> Iterator[str]:
    """Yield the calls of our own code on the stack, innermost first."""
    frame = sys._getframe(1)
    while frame := frame.f_back:
        file = frame.f_code.co_filename.removeprefix(ROOT)
        if file.startswith(OURS) and file != __name__.replace(".", os.sep) + ".py":
            yield f"{file}:{frame.f_lineno} ({frame.f_code.co_name})"


def pytest_configure() -> None:
    sqlite3.connect = connect


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: "pytest.FixtureDef[Any]") -> Iterator[None]:
    """Allow a connection opened by a shared fixture until that fixture ends."""
    outer = CONNECTIONS.fixture
    if fixturedef.scope != "function":
        CONNECTIONS.fixture = fixturedef
    try:
        return (yield)
    finally:
        CONNECTIONS.fixture = outer


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Fail if the test, or a fixture that ended with it, left a connection open."""
    yield
    if left := CONNECTIONS.take_left():
        pytest.fail("\n".join(dict.fromkeys(map(str, left))), pytrace=False)
