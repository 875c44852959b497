"""What the companion hands in: its door, the languages, and how what it says beside the game is worded."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

from msgspec import Struct

from referee.match import Entry, Match
from referee.telling import Language, Listener
from webui.keeping import Keeper


class Listening(Protocol):
    """News for one listener."""

    def next(self, seconds: float | None = None) -> Any:
        """Wait for what comes next: a moment, something beside the game, or None in time."""

    def close(self) -> None:
        """Listen no more."""


class Door(Protocol):
    """What any thread may ask of the companion."""

    def moment(self) -> Match:
        """Give the moment that stands."""

    def wrong(self) -> tuple[Any, ...]:
        """Give what is wrong now with the camera, the table or the board."""

    def submit(self, entry: Entry) -> "Future[Any]":
        """Enter something; the future holds the next moment, a refusal, or why it couldn't be kept."""

    def again(self) -> None:
        """Ask for another match."""

    def subscribe(self) -> Listening:
        """Listen, beginning with the moment that stands."""


class Handed(Struct, frozen=True, eq=False):
    """All that the pages are given."""

    door: Door
    keeper: Keeper
    languages: Mapping[str, Language]
    language: str
    """The table's own, for phones that ask for none of these."""
    told: Callable[[Any, Listener], str]
    """Words what is no moment and no refusal."""
    address: Callable[[], str]
    """Where phones find the pages now: networks come and go."""
