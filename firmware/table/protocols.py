"""What the loop needs of the board, the eyes and the disk; `firmware/start` hands it what can do that."""

from collections.abc import Iterable
from typing import Any, Protocol

from firmware.board_events import BoardEvent, DialMoved, Edge, TableSign
from firmware.table.effects import Write
from firmware.table.writer import Forget, KeepPause, SayMissing
from hardware.board.board import Key, Trouble
from hardware.board.lamps import Lamp
from referee.match import Match
from referee.telling import Listener


class EyesWatcher(Protocol):
    """The eyes' thread: what they tell comes through the queue."""

    def tell(self, order: Any) -> None:
        """Tell the eyes something."""

    def close(self) -> None:
        """End them."""


class ButtonReader(Protocol):
    """The buttons' pins."""

    failures: int
    held: list[Key]

    def lost_edges(self, now: float) -> list[Edge]:
        """Find edges that weren't heard."""

    def is_alive(self) -> bool:
        """Tell whether edges can still come."""

    def close(self) -> None:
        """Give the pins back."""


class BoardHands(Protocol):
    """What becomes of edges: presses and turns, and what they mean."""

    def hold(self, down: Iterable[Key], at: float) -> None:
        """Know of buttons that were down before anybody listened."""

    def feed(self, heard: Edge, match: Match) -> list[BoardEvent]:
        """Hear an edge; the match is the one that stood at its stamp."""

    def look(self, now: float, match: Match) -> list[BoardEvent]:
        """Settle what time settles."""

    def due(self) -> float | None:
        """Tell when to look again, if no edge comes before."""

    def unsettled_since(self) -> float | None:
        """Tell since when it isn't known what a press says: no clock may answer before that is."""


class Announcer(Protocol):
    """All that tells: lamps, digits, sounds, speech, a terminal; no call waits for any of them."""

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        """Tell a new moment."""

    def tell_dialled(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Show what is on the dial."""

    def tell_rested(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Say in full what the dial came to rest on."""

    def tell_heard(self, seat: int | None) -> None:
        """Answer a press that means something."""

    def tell_nothing(self, seat: int | None) -> None:
        """Answer a press that means nothing."""

    def tell_trouble(self, match: Match, *, is_in_trouble: bool) -> None:
        """Show that something is wrong, or well again."""

    def try_lamp(self, seat: int | None) -> None:
        """Let a lamp blink, so that people see which it is."""

    def show_lamp(self, lamp: Lamp | None) -> None:
        """Light one lamp and no other, for a while or until the next moment; None ends that."""

    def tell_going_down(self, *, is_so: bool) -> None:
        """Show until the end that the computer goes down, or that it doesn't after all."""

    def tell_sign(self, sign: TableSign | None, sentence: str) -> None:
        """Show and say that by which a phone proves that it is at the table; None ends that."""

    def means(self) -> frozenset[str]:
        """List what can tell something now."""

    def say(self, sentence: str) -> None:
        """Say a sentence that is no ruling."""

    def troubles(self) -> list[Trouble]:
        """Drop what is broken; give what is wrong, each once."""

    def close(self) -> None:
        """End all of them."""


class JournalWriter(Protocol):
    """Writes entries to the disk, and puts `EntryKept` or `EntryNotKept` into the queue."""

    def give(self, write: Write | Forget | KeepPause | SayMissing) -> None:
        """Have an entry or a pause written, a name forgotten, or a lost answer said."""

    def close(self, seconds: float) -> bool:
        """Let what was given be written."""
