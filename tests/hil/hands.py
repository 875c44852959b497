"""Fingers on a board, and eyes on its lamps, behind whatever they are."""

from time import monotonic

from hardware.board.board import DialPins, LampLines, Register, our_boards, wires
from tests.hil.chip import Chip
from tests.hil.edges import Recording
from tests.hil.signals import Chain, Latched


class Hands:
    """Fingers and eyes at a board of a profile; all that its pins are given is recorded."""

    def __init__(self, profile: str) -> None:
        """Make the chip with the board's pins."""
        self.profile, self.board = profile, our_boards()[profile]
        assert isinstance(self.board.dial, DialPins)
        self.chip, self._dial = Chip(wires(self.board).values()), self.board.dial
        self.recording = Recording("header")
        register = self.board.lamps if isinstance(self.board.lamps, Register) else None
        self._chain = None if register is None else Chain(register)
        self.latched: list[Latched] = []
        self._shown: Latched | None = None

    def press(self, seat: int) -> None:
        """Press a seat's button."""
        self.chip.tap(self.board.call[seat])

    def announce(self, clicks: int) -> None:
        """Turn the dial from nothing, and push it."""
        self.chip.turn(self._dial.a, self._dial.b, clicks)
        self.chip.tap(self._dial.push)

    def is_green(self, seat: int) -> bool:
        """Tell whether a seat's green lamp is lit."""
        return self._is_lit(2 * seat) if self._chain else self.chip.is_high(self._lines().green[seat])

    def is_red(self, seat: int) -> bool:
        """Tell whether a seat's red lamp is lit."""
        return self._is_lit(2 * seat + 1) if self._chain else self.chip.is_high(self._lines().red[seat])

    def look(self) -> None:
        """Take in what the pins were given since."""
        new = self.recording.read()
        shown = [] if self._chain is None else [each for each in map(self._chain.hear, new) if each is not None]
        self.latched += shown
        self._shown = shown[-1] if shown else self._shown

    def forget_lamps(self) -> None:
        """Forget what registers still show when nobody drives them any more."""
        self.look()
        self._shown = None

    def has_sounded(self, seconds: float) -> bool:
        """Tell whether the buzzer has been silent for so long, after what it played."""
        self.look()
        last = next((edge for edge in reversed(self.recording.edges) if edge.gpio == self.board.buzzer), None)
        return last is not None and monotonic() > last.at + seconds

    def buzzes(self) -> bool:
        """Tell whether the buzzer draws current."""
        return self.board.buzzer is not None and self.chip.is_high(self.board.buzzer)

    def _is_lit(self, output: int) -> bool:
        self.look()
        return self._shown is not None and self._shown.outputs[output]

    def _lines(self) -> LampLines:
        assert isinstance(self.board.lamps, LampLines)
        return self.board.lamps
