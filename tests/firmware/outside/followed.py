"""A door that a test moves on, as the table does, and the troubles that were reported at it."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from firmware.outside import following
from firmware.outside.following import Follower, Outlet
from firmware.table.door import TableDoor
from firmware.table.notices import Notice
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.referee.tables import new_match
from tests.waiting import PATIENCE


class Followed(TableDoor):
    """A door without a loop behind it."""

    def __init__(self) -> None:
        self.wrong: dict[Any, Notice] = {}
        self.begun = list[object]()
        """What was said to be wrong, each time that it began."""
        self.said = list[Notice]()
        super().__init__(lambda _errand: None, first_moment())

    def say(self, notice: Notice) -> "Future[Any]":
        self.said.append(notice)
        return super().say(notice)

    def report(self, name: object, wrong: Notice | None) -> None:
        if wrong is None:
            self.wrong.pop(name, None)
        else:
            self.begun += [name] if self.wrong.get(name) != wrong else []
            self.wrong[name] = wrong


def first_moment() -> Match:
    return new_match(GAMES["coup"], "rule text", 3)


@contextmanager
def follow(outlet: Outlet, door: Followed | None = None) -> Iterator[Followed]:
    """Give an outlet each moment of a door, and look often whether it is over."""
    with patch.object(following, "LOOK", 0.1):
        door = door or Followed()
        follower = Follower(door, outlet)
        yield door
        follower.close()
        follower._thread.join(PATIENCE)
