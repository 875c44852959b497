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
    """A button of the board, whether it was pressed, and whether a board may be built without it."""

    name: str
    is_pressed: bool
    may_lack: bool = False


class BoardStatus(Struct, frozen=True):
    """Which board is wired, how sure that is, what its buttons said, and what is played without."""

    profile: str
    stage: BoardStage
    options: Sequence[BoardOption]
    buttons: Sequence[BoardButton] = ()
    wrong: Sequence[str] = ()
    """Presses that can't be on this board."""
    faults: Sequence[str] = ()
    """Buttons and lamps that people have given up, in words."""

    @property
    def unheard(self) -> Sequence[str]:
        """Name the buttons that were not pressed and should be there."""
        return [button.name for button in self.buttons if not button.is_pressed and not button.may_lack]

    @property
    def is_any_heard(self) -> bool:
        """Tell whether any button was pressed."""
        return any(button.is_pressed for button in self.buttons)

    @property
    def may_go_without(self) -> bool:
        """Tell whether nothing speaks against the board, though not all of its buttons may speak for it."""
        return not self.wrong and self.stage in {"trial", "assumed"}

    @property
    def may_confirm(self) -> bool:
        """Tell whether nothing speaks against the board, and each button for it where it is tried."""
        is_whole = not self.unheard and (self.is_any_heard or not self.buttons)
        return self.may_go_without and (self.stage == "assumed" or is_whole)


class LampQuestion(Struct, frozen=True):
    """A lamp that should be lit now: its place among so many, its name, what to look at if it isn't."""

    place: int
    count: int
    name: str
    checks: Sequence[str] = ()


class LampDoor(Protocol):
    """Lights the lamps of the board that is driven, one by one."""

    def count(self) -> int:
        """Count the lamps."""

    def are_tried(self) -> bool:
        """Tell whether people were asked about them before."""

    def show(self, place: int) -> LampQuestion | None:
        """Light a lamp and no other; behind the last one, let all show the match again."""

    def note(self, place: int, *, is_seen: bool) -> str | None:
        """Keep whether a lamp was seen; say why that can't be kept."""


class BoardDoor(Protocol):
    """Keeps which board is wired; what can't be is told in one sentence."""

    @property
    def lamps(self) -> LampDoor | None:
        """Give what lights its lamps, as long as it is driven."""

    def status(self) -> BoardStatus:
        """Tell which board is wired."""

    def choose(self, name: str) -> str | None:
        """Name the board that is wired: it is listened to, and nothing is driven until it is confirmed."""

    def confirm(self, *, without: bool = False) -> str | None:
        """Let the named board be driven from the next start on; `without` gives up what wasn't heard."""

    def must_restart(self) -> bool:
        """Tell whether the table has to start again for what was chosen."""

    def restart(self) -> None:
        """Restart the table."""
