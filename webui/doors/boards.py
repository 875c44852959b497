"""What the pages are told of the board that is wired, and how the host says which one it is."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

BoardStage = Literal["unknown", "trial", "assumed", "confirmed"]
"""Nobody has said it; named, and listened to; driven as ever, though nobody has said it; said for certain."""


class BoardOption(Struct, frozen=True):
    """A board that could be wired: its name, what belongs to it, whether all presses fit it."""

    name: str
    told: str
    fits: bool = True


class BoardButton(Struct, frozen=True):
    """A button of the board, and whether it was pressed."""

    name: str
    is_pressed: bool


class BoardStatus(Struct, frozen=True):
    """Which board is wired, how sure that is, and what its buttons said."""

    profile: str
    stage: BoardStage
    options: Sequence[BoardOption]
    buttons: Sequence[BoardButton] = ()
    wrong: Sequence[str] = ()
    """Presses that can't be on this board."""

    @property
    def may_confirm(self) -> bool:
        """Tell whether nothing speaks against the board, and a press for it where it has buttons."""
        has_heard = any(button.is_pressed for button in self.buttons) or not self.buttons
        return not self.wrong and (self.stage == "assumed" or (self.stage == "trial" and has_heard))


class BoardDoor(Protocol):
    """Keeps which board is wired; what can't be is told in one sentence."""

    def status(self) -> BoardStatus:
        """Tell which board is wired."""

    def choose(self, name: str) -> str | None:
        """Name the board that is wired: it is listened to, and nothing is driven until it is confirmed."""

    def confirm(self) -> str | None:
        """Let the named board be driven from the next start on."""

    def must_restart(self) -> bool:
        """Tell whether the table has to start again for what was chosen."""

    def restart(self) -> None:
        """Restart the table."""
