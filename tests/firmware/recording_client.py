"""A client that a test moves on, as the table does, and what was asked and reported at it."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from firmware.integrations import following
from firmware.integrations.following import Follower, Outlet
from firmware.table.client import TableClient, TableRequest
from firmware.table.effects import TableEffect
from firmware.table.notices import Notice
from hardware.board.board import Trouble
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.referee.tables import new_match
from tests.waiting import TEST_TIMEOUT


class RecordingClient(TableClient):
    """A client without a loop behind it."""

    def __init__(self, match: Match | None = None) -> None:
        self.asked = list[TableRequest]()
        self.done = list[TableEffect]()
        """What the table was to tell or to show, or its eyes to do."""
        self.wrong: dict[Any, Notice | Trouble] = {}
        self.begun = list[object]()
        """What was said to be wrong, each time that it began."""
        super().__init__(self.asked.append, match or first_moment())

    def do(self, effect: TableEffect) -> "Future[Any]":
        self.done.append(effect)
        return super().do(effect)

    def report(self, name: object, wrong: Notice | Trouble | None) -> None:
        if wrong is None:
            self.wrong.pop(name, None)
        else:
            self.begun += [name] if self.wrong.get(name) != wrong else []
            self.wrong[name] = wrong


def first_moment() -> Match:
    return new_match(GAMES["coup"], "rule text", 3)


@contextmanager
def follow(outlet: Outlet, client: RecordingClient | None = None) -> Iterator[RecordingClient]:
    """Give an outlet each moment of a client, and look often whether it is over."""
    with patch.object(following, "POLL_INTERVAL", 0.1):
        client = client or RecordingClient()
        follower = Follower(client, outlet)
        yield client
        follower.close()
        follower._thread.join(TEST_TIMEOUT)
