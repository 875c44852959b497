"""What the host's page is told of the club that the table is in, and what the host says there."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

CallStage = Literal["unheard", "open", "coming", "done"]


class DirectorCall(Struct, frozen=True):
    """A call for the director: what has become of it, and what the director says."""

    stage: CallStage
    answer: str = ""


class ClubStatus(Struct, frozen=True):
    """The club, and how the link to it stands; no name, if the table is in none."""

    club: str = ""
    title: str = ""
    """How the club calls this table."""
    is_connected: bool = False
    is_refused: bool = False
    waiting: int = 0
    """Lines that aren't in the club's database yet."""
    why: str = ""
    note: str = ""
    """What the club tells this table now, and who is to sit here."""
    seats: Sequence[str] = ()
    calls: Sequence[DirectorCall] = ()


class ClubLinkDoor(Protocol):
    """The link to a club; what can't be is told in one sentence."""

    def status(self) -> ClubStatus:
        """Tell how the link stands."""

    def join(self, address: str, code: str) -> str | None:
        """Join a club by its hub's address and a code."""

    def leave(self) -> None:
        """Leave the club; what it has of this table stays there."""

    def call_director(self, who: str, why: str) -> str | None:
        """Ask the director to this table."""
