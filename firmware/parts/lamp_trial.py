"""The lamps on the host's page: lit one by one, and each is said to be seen or not."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.lamp_checks import lamp_checks, lamp_name
from firmware.language.speaking import _
from firmware.storage.wired_board import KEPT_FAULTS, BoardFaults, read_board_faults
from hardware.board.board import Board
from hardware.board.lamps import Lamp, all_lamps


class LampQuestion(Struct, frozen=True):
    """A lamp that should be lit now: its place among so many, its name, what to look at if it isn't."""

    place: int
    count: int
    name: str
    checks: Sequence[str] = ()


class LampTrial:
    """The lamps of a board that is driven, lit one by one."""

    def __init__(
        self,
        state: Path,
        profile: str,
        board: Board,
        light: Callable[[Lamp | None], object],
        tell: Callable[[BoardFaults], None],
    ) -> None:
        """Take where it is kept what isn't seen, what lights a lamp and no other, and what tells of faults."""
        self._state, self._profile, self._board = state, profile, board
        self._lamps, self._light, self._tell = all_lamps(board), light, tell

    def count(self) -> int:
        """Count the lamps."""
        return len(self._lamps)

    def are_tried(self) -> bool:
        """Tell whether people were asked about them before."""
        return self._faults().are_lamps_tried

    def show(self, place: int) -> LampQuestion | None:
        """Light a lamp and no other; behind the last one, let all show the match again."""
        if not 0 <= place < len(self._lamps):
            self._light(None)
            return None
        lamp = self._lamps[place]
        self._light(lamp)
        return LampQuestion(place, len(self._lamps), lamp_name(lamp), lamp_checks(self._board, lamp))

    def note(self, place: int, *, is_seen: bool) -> str | None:
        """Keep whether a lamp was seen."""
        lamp = self._lamps[place]
        faults = self._faults()
        dark = {*faults.dark} - {lamp} if is_seen else {*faults.dark, lamp}
        noted = replace(
            faults,
            dark=tuple(each for each in self._lamps if each in dark),
            are_lamps_tried=faults.are_lamps_tried or place == len(self._lamps) - 1,
        )
        try:
            KEPT_FAULTS.keep(self._state, noted)
        except OSError as error:
            return _("The choice can't be kept ({why}): try again.").format(why=error.strerror or error)
        self._tell(noted)
        return None

    def _faults(self) -> BoardFaults:
        return read_board_faults(self._state, self._profile)
