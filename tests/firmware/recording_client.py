"""A client that a test advances in place of the table; it records requests and reports."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from firmware.integrations import following
from firmware.integrations.following import Follower, Outlet
from firmware.table.client import TableClient, TableRequest
from firmware.table.effects import TableEffect
from firmware.table.notices import LastingTrouble
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.referee.tables import new_match
from tests.waiting import TEST_TIMEOUT


class RecordingClient(TableClient):
    """A client without a loop behind it."""

    def __init__(self, match: Match | None = None) -> None:
        self.asked = list[TableRequest]()
        self.done = list[TableEffect]()
        """Requested effects: messages, displays, orders to the eyes."""
        self.wrong: dict[Any, LastingTrouble] = {}
        self.begun = list[object]()
        """Reported faults, each time one began."""
        super().__init__(self.asked.append, match or first_moment())

    def do(self, effect: TableEffect) -> "Future[Any]":
        self.done.append(effect)
        return super().do(effect)

    def report(self, name: object, wrong: LastingTrouble | None) -> None:
        if wrong is None:
            self.wrong.pop(name, None)
        else:
            self.begun += [name] if self.wrong.get(name) != wrong else []
            self.wrong[name] = wrong


def first_moment() -> Match:
    return new_match(GAMES["coup"], "rule text", 3)


@contextmanager
def follow(outlet: Outlet, client: RecordingClient | None = None) -> Iterator[RecordingClient]:
    """Send an outlet each moment of a client, with frequent checks for the end."""
    with patch.object(following, "POLL_INTERVAL", 0.1):
        client = client or RecordingClient()
        follower = Follower(client, outlet)
        yield client
        follower.close()
        follower._thread.join(TEST_TIMEOUT)
