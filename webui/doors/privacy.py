"""What the host's page is told of what this table keeps of people, and how an evening is forgotten."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from msgspec import Struct

KeptKind = Literal[
    "matches",
    "pictures",
    "photographs",
    "clips",
    "live",
    "people",
    "decks",
    "aside",
    "log",
    "sticks",
    "club",
    "webhooks",
    "broker",
]
"""What is kept here, and whom it is told to."""


class Kept(Struct, frozen=True):
    """One kind of what is kept or told: how much there is of it, and within which bounds."""

    kind: KeptKind
    is_on: bool = True
    """Whether any of it is kept, or anybody is told."""
    count: int = 0
    size: int = 0
    """Bytes."""
    since: str = ""
    """The day of the oldest; nothing if that isn't known."""
    most: int = 0
    """The most bytes of it, or the most of its pieces."""
    where: tuple[str, ...] = ()
    """Names of places, without what is secret in them."""


class EveningKept(Struct, frozen=True):
    """An evening, and how many matches of it there are."""

    day: str
    matches: int


class PrivacyDoor(Protocol):
    """What is kept; what hinders forgetting is OSError, in one line."""

    restart: Callable[[], None]
    """Starts the table again, which forgets what was asked for."""

    def kept(self) -> Sequence[Kept]:
        """Say what is kept, and who is told."""

    def evenings(self) -> Sequence[EveningKept]:
        """List the evenings that are kept, the newest first."""

    def is_unfinished(self) -> bool:
        """Tell whether an evening is still being forgotten: another program read the journal meanwhile."""

    def forget_clips(self) -> None:
        """Forget all clips of rulings."""

    def forget(self, day: str) -> None:
        """Let the next start forget an evening for good."""
