"""A second scorer of Love Letter, written from its dossier; it shares no code with the package.

It reads a transcript, and fails at a line out of order.
"""

from collections import defaultdict
from collections.abc import Iterable

from referee.contract import Option
from tests.plugins.played import Said

VALUES = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
CARDS = 16


class LoveLetter:
    """Reads the transcript of a match deal by deal, and expects the lines of the dossier."""

    tokens: list[int]

    def __init__(self, said: Iterable[Said], seats: int, tied: str) -> None:
        self.lines, self.seats, self.tied, self.tokens = list(said), seats, tied, [0] * seats
        begins = 0
        while self.lines:
            best = self._deal(begins)
            begins = best[0]
            for seat in best if len(best) == 1 or tied == "all" else []:
                self.tokens[seat] += 1

    def _take(self, seat: int, *asks: str) -> Said:
        line = self.lines.pop(0)
        assert (line.seat, line.ask in asks) == (seat, True), (line, seat, asks)
        return line

    def _lay(self, seat: int, *asks: str) -> int:
        """Return the value of a played card; 0 for another answer."""
        line = self._take(seat, *asks)
        if not isinstance(line.value, tuple):
            return 0
        self.laid[seat].append(VALUES.index(line.value[0]) + 1)
        return self.laid[seat][-1]

    def _aim(self, seat: int, ask: str = "at") -> int:
        option = self._take(seat, ask).value
        assert isinstance(option, Option)
        return option.seat

    def _deal(self, turn: int) -> list[int]:
        """Play a deal to its end; return the winner of a token, if any."""
        self.laid = defaultdict[int, list[int]](list)
        self.inside, self.safe, self.pile = {*range(self.seats)}, set[int](), CARDS - 1 - self.seats
        if self.seats == 2:
            opened = self._take(-1, "open").value
            assert isinstance(opened, tuple)
            self.pile -= len(opened)
        while True:
            self.safe.discard(turn)
            self.pile -= 1
            self._turn(turn, self._lay(turn, "card"))
            order = [seat % self.seats for seat in range(turn + 1, turn + self.seats + 1)]
            order = [seat for seat in order if seat in self.inside]
            if len(order) == 1:
                return order
            if not self.pile:
                worth = {seat: (self._lay(seat, "hand"), sum(self.laid[seat])) for seat in order}
                return [seat for seat in order if worth[seat] == max(worth.values())]
            turn = order[0]

    def _turn(self, seat: int, card: int) -> None:
        others = self.inside - self.safe - {seat}
        match VALUES[card - 1]:
            case "guard" if others:
                named = self._aim(seat, "guess")
                if self._lay(named, "hand", "denies"):
                    self.inside.remove(named)
            case "priest" if others:
                self._aim(seat)
                self._take(seat, "looks")
            case "baron" if others:
                self._compare(seat, self._aim(seat))
            case "handmaid":
                self.safe.add(seat)
            case "prince":
                self._discard(self._aim(seat))
            case "king" if others:
                self._aim(seat)
            case "princess":
                self._lay(seat, "hand")
                self.inside.remove(seat)

    def _compare(self, seat: int, named: int) -> None:
        option = self._take(seat, "compares").value
        assert isinstance(option, Option)
        if option.seat is not None:
            assert option.seat in {seat, named}
            self._lay(option.seat, "hand")
            self.inside.remove(option.seat)

    def _discard(self, named: int) -> None:
        if self._lay(named, "hand") == len(VALUES):
            self.inside.remove(named)
        else:
            self.pile -= self.pile > 0
