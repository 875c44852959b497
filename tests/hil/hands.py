"""Fingers on a board, and eyes on its lamps, behind whatever they are."""

from bisect import bisect_left

from hardware.board.board import DialPins, LampLines, Register, our_boards, wires
from tests.hil.chip import Chip
from tests.hil.edges import Recording
from tests.hil.signals import Buzzer, Chain, Latched


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
        self._buzzer, self._waves = Buzzer(self.board.buzzer or 0), list[float]()

    def press(self, seat: int) -> None:
        """Press a seat's button."""
        self.chip.tap(self.board.call[seat])

    def announce(self, clicks: int) -> None:
        """Turn the dial from nothing, and push it."""
        self.chip.turn(self._dial.a, self._dial.b, clicks)
        self.chip.tap(self._dial.push)

    def is_green(self, seat: int) -> bool:
        """Tell whether a seat's lamp is green."""
        return self._lit(seat) == (True, False)

    def is_red(self, seat: int) -> bool:
        """Tell whether a seat's lamp is red."""
        return self._lit(seat) == (False, True)

    def is_amber(self, seat: int) -> bool:
        """Tell whether a seat's lamp is green and red."""
        return self._lit(seat) == (True, True)

    def look(self) -> None:
        """Take in what the pins were given since."""
        new = self.recording.read()
        self._waves += filter(None, map(self._buzzer.hear, new))
        shown = [] if self._chain is None else [each for each in map(self._chain.hear, new) if each is not None]
        self.latched += shown
        self._shown = shown[-1] if shown else self._shown

    def forget_lamps(self) -> None:
        """Forget what the registers showed: once the table is killed, nobody drives them."""
        self.look()
        self._shown = None

    def waves_since(self, since: float) -> list[float]:
        """Tell when the buzzer's waves began that came after a time."""
        self.look()
        return self._waves[bisect_left(self._waves, since) :]

    def buzzes(self) -> bool:
        """Tell whether the buzzer draws current."""
        return self.board.buzzer is not None and self.chip.is_high(self.board.buzzer)

    def _lit(self, seat: int) -> tuple[bool, bool]:
        """Tell whether green and red of a seat are lit."""
        if isinstance(self.board.lamps, LampLines):
            green, red = (lamps[seat] for lamps in (self.board.lamps.green, self.board.lamps.red))
            return self.chip.is_high(green), self.chip.is_high(red)
        self.look()
        outputs = (False,) * (2 * seat + 2) if self._shown is None else self._shown.outputs
        return outputs[2 * seat], outputs[2 * seat + 1]
