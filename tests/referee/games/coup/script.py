"""Plays a match of Coup from a script: actions, objections, cards shown, and the resulting position.

A line of play consists of words. The player in turn chooses `tax` or `steal:2`; then `challenge:1`,
`block:1:duke`, `pass:1`, or `pass` for all seats asked. Cards shown are in brackets; `concede`, `returned`,
`swap` and `keep` are answers of the seat asked.
"""

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.contract import Option
from referee.games.coup import COUP
from referee.games.coup.state import House, Turn
from referee.match import Setup, begin
from tests.referee.games.lines import Lines

NAMES = tuple("ABCDEF")
PASS = Option("pass")
CHALLENGE = Option("challenge")
WINDOW = ("challenge", "challenge-or-block", "block")


@dataclass(frozen=True)
class Script(Lines):
    """A match at one moment of its script; each line returns the next moment."""

    def opens(self, seat: int) -> "Script":
        return self.answers("opener", Option("opens", seat=seat))

    def does(self, word: str, target: int | None = None) -> "Script":
        ask = self.match.asks[0]
        assert ask.key in {"action", "must-coup"}, self.match.asks
        (seat,) = ask.seats
        return self.answers(ask.key, Option(word, seat=target), seat)

    def says(self, seat: int, option: Option) -> "Script":
        (ask,) = (ask for ask in self.match.asks if ask.key in WINDOW and seat in ask.seats)
        return self.answers(ask.key, option, seat)

    def passes(self, *seats: int) -> "Script":
        """Let seats pass; by default all seats asked."""
        script = self
        for seat in seats or self.waiting_seats:
            script = script.says(seat, PASS)
        return script

    def shows(self, face: str) -> "Script":
        return self.answers(self.show.key, (face,))

    def play(self, word: str) -> "Script":
        name, *aims = word.split(":")
        match name:
            case "challenge":
                after = self.says(int(aims[0]), CHALLENGE)
            case "block":
                after = self.says(int(aims[0]), Option("block", face=aims[1]))
            case "pass":
                after = self.passes(*map(int, aims))
            case "concede":
                after = self.answers("concede", Option("concede"))
            case "returned":
                after = self.answers("exchange", None)
            case "swap" | "keep":
                after = self.answers("swap", Option(name))
            case _ if name.startswith("["):
                after = self.shows(name.strip("[]"))
            case _:
                after = self.does(name, int(aims[0]) if aims else None)
        return after

    @property
    def asked(self) -> str:
        return "; ".join(" ".join(map(str, (ask.key, *ask.seats))) for ask in self.match.asks)

    @property
    def turn(self) -> int:
        assert isinstance(self.state.stage, Turn), self.match.asks
        return self.state.stage.seat

    @property
    def waiting_seats(self) -> list[int]:
        return [seat for ask in self.match.asks if ask.key in WINDOW for seat in ask.seats]

    @property
    def stands(self) -> str:
        """Return coins:influence of each seat and the Treasury, in the dossier's notation."""
        seats = range(len(self.state.coins))
        pairs = [f"{self.state.coins[seat]}:{self.state.influence(seat)}" for seat in seats]
        return " ".join([*pairs, str(self.state.treasury)])


def sit_down(seats: int, **house: Any) -> Script:
    return Script.of(begin(Setup(COUP, House(**house), NAMES[:seats])))


def table(*stands: str, turn: int = 0, **house: Any) -> Script:
    """Start in the middle of a match with coins:influence per seat; lost cards are dukes, then contessas."""
    script = sit_down(len(stands), **house)
    pairs = [tuple(map(int, text.split(":"))) for text in stands]
    gone = iter(["duke"] * 3 + ["contessa"] * 3 + ["ambassador"] * 3)
    lost = tuple(tuple(next(gone) for _card in range(2 - left)) for _coins, left in pairs)
    coins = tuple(coins for coins, _left in pairs)
    fallen = tuple(seat for seat, (_coins, left) in enumerate(pairs) if not left)
    return script.at_state(replace(script.state, coins=coins, lost=lost, fallen=fallen, stage=Turn(turn)))


def play(line: str, **house: Any) -> Script:
    """Play words after a colon, from the seats' coins:influence before it."""
    stands, _, words = f"{line} ".partition(" : ")
    return table(*stands.split(), **house).plays(words)
