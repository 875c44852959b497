"""A table at which another match begins in the middle of a request: at the k-th look at it, for each k.

Threads race there in a whole table, and are fast or slow by chance; here each of their orders is played.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from referee.contract import Reason, make_refusal
from referee.match import Entry, Match, enter
from tests.webui.room import FakeDoor


def do_nothing() -> None:
    """Do nothing."""


class TurningDoor(FakeDoor):
    """A door behind which the match changes at a look, and which refuses what was meant for the other."""

    def __init__(self, match: Match) -> None:
        """Stand before a match that stays for now."""
        super().__init__(match)
        self._after, self._looks, self._at_turn = match, 0, do_nothing
        self.answered: list[tuple[Match, Entry]] = []

    def turn(self, before: Match, after: Match, at: int, at_turn: Callable[[], None]) -> None:
        """Let a match stand, and another one from the n-th look on; then others may look at it, too."""
        self.match, self._after, self._looks, self._at_turn = before, after, at, at_turn
        self.answered.clear()

    def has_turned(self) -> bool:
        """Tell whether the look came."""
        return self.match is self._after

    def moment(self) -> Match:
        """Give the current moment; after this look it may be another."""
        stood = self.match
        self._looks -= 1
        if self._looks == 0:
            self.match = self._after
            self._at_turn()
        return stood

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Any]":
        """Hear an entry as the table does: one for another match is refused."""
        future: Future[Any] = Future()
        if begun not in {None, self.match.setup.begun}:
            future.set_result(make_refusal(Reason.STALE, now=self.match.number))
            return future
        self.answered.append((self.match, entry))
        future.set_result(enter(self.match, entry))
        return future
