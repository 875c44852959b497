"""Play a match of Coyote from a script: who says what, which cards lie there, and what is then ruled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.contract import Answer, Ask, Choice, Number, Option, Refusal, Show, Value
from referee.contract.cards import expand_counts
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.games.coyote.state import Bidding, State
from referee.legal import ask_named
from referee.match import Match, Setup, begin, hear

NAMES = tuple("ABCDEFGHIJKLM")
CRY = Option("coyote")
PLAIN = {str(value) for value in range(1, 16)}
"""Cards that change nothing but the sum, upwards."""


@dataclass(frozen=True)
class Script:
    """A match at one moment of its script; each line gives the next moment."""

    match: Match

    def answers(
        self, ask: str, value: Value, seat: int | None = None, owners: tuple[int, ...] = ()
    ) -> "Script":
        """Give an answer that has to be accepted."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat, owners=owners))
        assert isinstance(after, Match), f"{ask} {value}: {after}"
        return Script(after)

    def refusal(
        self, ask: str, value: Value, seat: int | None = None, owners: tuple[int, ...] = ()
    ) -> tuple[str, Mapping[str, Any]]:
        """Give an answer that has to be refused; tell the reason and what it is about."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat, owners=owners))
        assert isinstance(after, Refusal), f"{ask} {value} was accepted"
        return after.reason.value, after.values

    def opens(self, seat: int) -> "Script":
        """Let the table say who opens the first round."""
        return self.answers("opener", Option("opens", seat=seat))

    def says(self, seat: int, number: int) -> "Script":
        """Say a number."""
        return self.answers("announce", number, seat)

    def coyote(self, seat: int) -> "Script":
        """Contest in turn."""
        return self.answers("turn", CRY, seat)

    def uses(self, seat: int, word: str, face: str | None = None) -> "Script":
        """Use a power in turn, before or instead of a number."""
        return self.answers("turn", Option(word, face=face), seat)

    def adds(self, seat: int, word: str, aim: int | None = None) -> "Script":
        """Use a power right after one's own number."""
        return self.answers("after", Option(word, seat=aim), seat)

    def shows(self, cards: str, owners: tuple[int, ...] = ()) -> "Script":
        """Lay the cards that are asked for."""
        return self.answers(self.show.key, tuple(cards.split()), owners=owners)

    def lays(self) -> "Script":
        """Lay cards that are asked for, whichever: plain ones, as long as there are any."""
        must = self.show.must
        pool = [card for card in expand_counts(self.show.among) if card not in (*must, "?")]
        pool.sort(key=lambda card: card not in PLAIN)
        return self.shows(" ".join((*must, *pool[: self.show.count - len(must)])))

    def loses(self, seat: int) -> "Script":
        """Play a round that a seat loses, by saying too much as soon as it is in turn."""
        return self.climbs_to(seat).overbids().lays()

    def contests_in_vain(self, seat: int) -> "Script":
        """Play a round that a seat loses, by contesting what is easily reached."""
        script = self if self.turn != seat else self.says(seat, 1)
        return script.says(script.turn, 2).climbs_to(seat).coyote(seat).lays()

    def overbids(self) -> "Script":
        """Let the one in turn say far too much, and the next one contest."""
        script = self.says(self.turn, 5000)
        return script.coyote(script.turn)

    def climbs_to(self, seat: int) -> "Script":
        """Let everybody say the least number until a seat is in turn."""
        script = self
        while script.turn != seat:
            script = script.says(script.turn, script.least)
        return script

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def round(self) -> Bidding:
        """Give the round, while numbers are being said."""
        assert isinstance(self.state.stage, Bidding)
        return self.state.stage

    @property
    def turn(self) -> int:
        """Tell who is asked for a number."""
        (seat,) = self.ask("announce").seats
        return seat

    @property
    def least(self) -> int:
        """Tell the least number that may be said."""
        ask = self.ask("announce")
        assert isinstance(ask, Number)
        return ask.least

    @property
    def show(self) -> Show:
        """Give the one ask for cards."""
        (ask,) = self.match.asks
        assert isinstance(ask, Show)
        return ask

    def ask(self, key: str) -> Ask:
        """Give an ask that has to be there."""
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {self.match.asks}"
        return ask

    def keys(self) -> set[str]:
        """Name all that is asked."""
        return {ask.key for ask in self.match.asks}

    def options(self, key: str = "turn") -> list[Option]:
        """List what may be chosen now; nothing where it isn't asked."""
        ask = ask_named(self.match.asks, key)
        return list(ask.options) if isinstance(ask, Choice) else []

    def words(self, key: str = "turn") -> set[str]:
        """Name what may be chosen now."""
        return {option.word for option in self.options(key)}

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the last answer's ruling of this name says."""
        found = [ruling.values for ruling in self.match.rulings if ruling.key == key]
        assert len(found) == 1, f"{key}: {[ruling.key for ruling in self.match.rulings]}"
        return found[0]

    def tells(self, key: str) -> bool:
        """Say whether the last answer led to a ruling of this name."""
        return any(ruling.key == key for ruling in self.match.rulings)


def sit_down(seats: int, **house: Any) -> Script:
    """Sit down to a match that has to be allowed."""
    match = try_begin(seats, **house)
    assert isinstance(match, Match), match
    return Script(match)


def open_first_round(seats: int, opener: int = 0, **house: Any) -> Script:
    """Sit down, and let a seat open."""
    return sit_down(seats, **house).opens(opener)


def try_begin(seats: int, **house: Any) -> Match | Refusal:
    """Sit down, allowed or not."""
    return begin(Setup(COYOTE, House(**house), NAMES[:seats]))
