"""Play a match of Coup from a script: who does what, who objects, which cards are shown, how all then stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Option, Refusal, Show, Value
from referee.games.coup import COUP
from referee.games.coup.house import House
from referee.games.coup.state import State, Turn, influence, treasury
from referee.legal import ask_named
from referee.match import Match, Position, Setup, begin, hear

NAMES = tuple("ABCDEF")
PASS = Option("pass")
CHALLENGE = Option("challenge")
WINDOW = ("challenge", "challenge-or-block", "block")


@dataclass(frozen=True)
class Script:
    """A match at one moment of its script; each line gives the next moment."""

    match: Match

    def answers(self, ask: str, value: Value, seat: int | None = None) -> "Script":
        """Give an answer that has to be accepted."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat))
        assert isinstance(after, Match), f"{ask} {value}: {after}"
        return Script(after)

    def refusal(self, ask: str, value: Value, seat: int | None = None) -> str:
        """Give an answer that has to be refused; tell the reason."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat))
        assert isinstance(after, Refusal), f"{ask} {value} was accepted"
        return after.reason.value

    def opens(self, seat: int) -> "Script":
        """Let the table say who begins."""
        return self.answers("opener", Option("opens", seat=seat))

    def does(self, word: str, target: int | None = None) -> "Script":
        """Let the one in turn choose an action."""
        ask = self.match.asks[0]
        assert ask.key in {"action", "must-coup"}, self.match.asks
        (seat,) = ask.seats
        return self.answers(ask.key, Option(word, seat=target), seat)

    def says(self, seat: int, option: Option) -> "Script":
        """Let a seat speak in a window."""
        (ask,) = (ask for ask in self.match.asks if ask.key in WINDOW and seat in ask.seats)
        return self.answers(ask.key, option, seat)

    def challenges(self, seat: int) -> "Script":
        """Let a seat doubt what was claimed last."""
        return self.says(seat, CHALLENGE)

    def blocks(self, seat: int, face: str) -> "Script":
        """Let a seat block."""
        return self.says(seat, Option("block", face=face))

    def passes(self, *seats: int) -> "Script":
        """Let seats say nothing against it; all who are asked, if none is named."""
        script = self
        for seat in seats or self.waiting_seats:
            script = script.says(seat, PASS)
        return script

    def shows(self, face: str) -> "Script":
        """Lay the card that is asked for."""
        return self.answers(self.show.key, (face,))

    def concedes(self) -> "Script":
        """Don't show what was claimed."""
        ask = self.ask("concede")
        return self.answers("concede", Option("concede"), ask.seats[0])

    def exchanges(self) -> "Script":
        """Say that the cards are chosen."""
        return self.answers("exchange", None, self.ask("exchange").seats[0])

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def turn(self) -> int:
        """Tell who has to choose an action."""
        assert isinstance(self.state.stage, Turn), self.match.asks
        return self.state.stage.seat

    @property
    def waiting_seats(self) -> list[int]:
        """List who may still speak in a window."""
        return [seat for ask in self.match.asks if ask.key in WINDOW for seat in ask.seats]

    @property
    def show(self) -> Show:
        """Give the ask for cards."""
        (ask,) = (ask for ask in self.match.asks if isinstance(ask, Show))
        return ask

    @property
    def stands(self) -> str:
        """Write down coins:influence of all, and the Treasury, as the dossier does."""
        seats = range(len(self.state.coins))
        pairs = [f"{self.state.coins[seat]}:{influence(self.state, seat)}" for seat in seats]
        return " ".join([*pairs, str(treasury(self.state))])

    def ask(self, key: str) -> Ask:
        """Give an ask that has to be there."""
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {self.match.asks}"
        return ask

    @property
    def ask_keys(self) -> set[str]:
        """Name all that is asked."""
        return {ask.key for ask in self.match.asks}

    def options(self, key: str) -> list[Option]:
        """List what may be chosen."""
        ask = self.ask(key)
        assert isinstance(ask, Choice)
        return list(ask.options)

    def words(self, key: str) -> set[str]:
        """Name what may be chosen."""
        return {option.word for option in self.options(key)}

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the last answer's ruling of this name says."""
        found = [ruling.values for ruling in self.match.rulings if ruling.key == key]
        assert len(found) == 1, f"{key}: {self.ruling_keys}"
        return found[0]

    @property
    def ruling_keys(self) -> list[str]:
        """Name the last answer's rulings."""
        return [ruling.key for ruling in self.match.rulings]


def sit_down(seats: int, **house: Any) -> Script:
    """Sit down to a match that has to be allowed."""
    match = begin(Setup(COUP, House(**house), NAMES[:seats]))
    assert isinstance(match, Match), match
    return Script(match)


def table(*stands: str, turn: int = 0, **house: Any) -> Script:
    """Sit down in the middle of a match: coins:influence of each; what is lost are dukes, then contessas."""
    match = sit_down(len(stands), **house).match
    pairs = [tuple(map(int, text.split(":"))) for text in stands]
    gone = iter(["duke"] * 3 + ["contessa"] * 3 + ["ambassador"] * 3)
    lost = tuple(tuple(next(gone) for _card in range(2 - left)) for _coins, left in pairs)
    state = replace(match.state, coins=tuple(coins for coins, _left in pairs), lost=lost, stage=Turn(turn))
    return Script(Match(match.setup, Position(state, COUP.asks(state), ()), ()))
