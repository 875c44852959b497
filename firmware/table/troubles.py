"""What is wrong for a while: a camera, a button, the disk; each by its name, until it is well again."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.language.speaking import Sentence
from firmware.language.words import UNSAVED_WORDS
from firmware.table.door import LastingTrouble
from firmware.table.notices import Notice
from hardware.board.board import Trouble
from vision.troubles import Problem

DISK = "disk"
ACCEPTED = frozenset({"board faults", "pieces missing", "pieces too many", "pieces of the stock"})
"""What people play on with: it is listed without an alarm."""
GOING = frozenset({"goes down", "starts anew"})  # what is told once the computer goes down
BLIND = frozenset({"blind", "no eyes", "no eyes now"})
PartName = Literal["camera", "record", "buttons", "other"]


class Concern(Struct, frozen=True):
    """The part of the table that a trouble is about, and whether that part can't do its work."""

    part: PartName
    is_grave: bool = False


CONCERNS: Mapping[str, Concern] = {
    **dict.fromkeys((DISK, *UNSAVED_WORDS), Concern("record", is_grave=True)),
    "second copy": Concern("record"),
    "board asleep": Concern("buttons", is_grave=True),
    "stuck": Concern("buttons"),
}


def concern_of(wrong: LastingTrouble) -> Concern:
    """Return which part of the table a trouble is about; pictures that are hard to read are no blindness."""
    if wrong.key in CONCERNS:
        return CONCERNS[wrong.key]
    if isinstance(wrong, Problem):
        return Concern("camera", is_grave="camera" in wrong.values)
    return Concern("camera", is_grave=True) if wrong.key in BLIND else Concern("other")


class LastingTroubles:
    """All that is wrong now."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._wrong: dict[object, LastingTrouble] = {}

    def all(self) -> tuple[LastingTrouble, ...]:
        """List them, in the order in which they began."""
        return tuple(self._wrong.values())

    def are_any(self) -> bool:
        """Return whether anything is wrong that people haven't accepted."""
        return any(wrong.key not in ACCEPTED for wrong in self._wrong.values())

    def is_going_down(self) -> bool:
        return any(wrong.key in GOING for wrong in self._wrong.values())

    def begin(self, name: object, wrong: LastingTrouble) -> None:
        self._wrong[name] = wrong
        self._tell()

    def end(self, name: object) -> LastingTrouble | None:
        """Note that it is well again; give what was wrong, if anything was."""
        wrong = self._wrong.pop(name, None)
        if wrong is not None:
            self._tell()
        return wrong

    def note_disk(self, why: Sentence | str | None) -> None:
        """Note why nothing can be kept, or that it can."""
        if why is None:
            self.end(DISK)
        elif self._wrong.get(DISK) != (disk := Notice("disk", {"why": why})):
            self._wrong.pop(DISK, None)
            self.begin(DISK, disk)

    def explain_eyes(self) -> bool:
        """Return whether people know why there are no pictures."""
        return any(isinstance(wrong, Problem) for wrong in self._wrong.values())

    def forget_seen(self) -> None:
        """Drop what eyes that are gone said was wrong; new ones know of the camera, and see the rest anew."""
        self._wrong = {
            name: wrong
            for name, wrong in self._wrong.items()
            if isinstance(wrong, Trouble | Notice) or "camera" in wrong.values
        }
        self._tell()


def problem_name(problem: Problem) -> object:
    """Name a problem of the eyes: a marker or a file may be hidden while another one is."""
    values = problem.values
    return problem.key, values.get("marker"), values.get("file")
