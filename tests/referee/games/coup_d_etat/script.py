"""Play a match of Coup d'État from a script: who says what, which card falls, and what is then ruled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.contract import Answer, Choice, Option, Refusal, Ruling, Show, Value
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.state import State
from referee.legal import ask_named
from referee.match import Match, Setup, begin, hear

NAMES = ("Ana", "Bo", "Chloé", "Dan")


@dataclass(frozen=True)
class Script:
    """A match at one moment of its script; each line gives the next moment. Rulings pile up within a line."""

    match: Match
    rulings: tuple[Ruling, ...] = ()

    def answers(self, ask: str, value: Value, seat: int | None = None) -> "Script":
        """Give an answer that has to be accepted."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat))
        assert isinstance(after, Match), f"{ask} {value}: {after}"
        return Script(after, after.rulings)

    def refusal(
        self, ask: str, value: Value, seat: int | None = None, owners: tuple[int, ...] = ()
    ) -> tuple[str, Mapping[str, Any]]:
        """Give an answer that has to be refused; tell the reason and what it is about."""
        after = hear(self.match, Answer(self.match.number, ask, value, seat, owners=owners))
        assert isinstance(after, Refusal), f"{ask} {value} was accepted"
        return after.reason.value, after.values

    def draws(self, cards: str) -> "Script":
        """Draw for the presidency, one card each."""
        script = self
        for card in cards.split():
            script = script.answers("draw", (card,))
        return script

    def attempts(self, seat: int, contract: str) -> "Script":
        """Hold the Coup card, attempt a coup, and say in which contract."""
        script = self.answers("holder", Option("attempt"), seat)
        return script.answers("coup-contract", Option(contract), seat)

    def declines(self, seat: int, contract: str) -> "Script":
        """Hold the Coup card and lay it away; the President says the contract."""
        script = self.answers("holder", Option("decline"), seat)
        return script.answers("contract", Option(contract), script.state.president)

    def plays(self, cards: str) -> "Script":
        """Lay the cards that are asked for, one after the other; in Dominos a dash is a pass."""
        script, told = self, ()
        for card in cards.split():
            if card == "-":
                script = script.answers("pass", Option("pass"), script.seat_of("pass"))
            else:
                script = script.answers(script.show.key, (card,))
            told = (*told, *script.rulings)
        return Script(script.match, told)

    def says(self, ask: str, word: str, seat: int | None = None) -> "Script":
        """Choose a word."""
        return self.answers(ask, Option(word), self.seat_of(ask) if seat is None else seat)

    def seat_of(self, key: str) -> int | None:
        """Tell who is asked, if it is one seat."""
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {[ask.key for ask in self.match.asks]}"
        return ask.seats[0] if len(ask.seats) == 1 else None

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def show(self) -> Show:
        """Give the one ask for a card."""
        (show,) = (ask for ask in self.match.asks if isinstance(ask, Show))
        return show

    @property
    def turn(self) -> int:
        """Tell who is to lay a card."""
        (seat,) = self.show.seats
        return seat

    @property
    def legal(self) -> set[str]:
        """List the cards that may be laid."""
        return {card for card, count in self.show.among.items() if count}

    def ask_keys(self) -> list[str]:
        """Name all that is asked."""
        return [ask.key for ask in self.match.asks]

    def words(self, key: str) -> list[str]:
        """Name what may be chosen."""
        ask = ask_named(self.match.asks, key)
        return [option.word for option in ask.options] if isinstance(ask, Choice) else []

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the last line's ruling of this name says."""
        (values,) = self.all_told(key)
        return values

    def all_told(self, key: str) -> list[Mapping[str, Any]]:
        """Give what the last line's rulings of this name say."""
        return [ruling.values for ruling in self.rulings if ruling.key == key]

    def money(self) -> tuple[int, ...]:
        """Say what everybody has more or less than at the beginning."""
        return tuple(money - 10_000 for money in self.state.money)


def sit_down(seats: int = 4, **house: Any) -> Script:
    """Sit down to a match that has to be allowed."""
    match = try_begin(seats, **house)
    assert isinstance(match, Match), match
    return Script(match, match.rulings)


def dealt(seats: int = 4, **house: Any) -> Script:
    """Sit down; the first seat draws the highest card, and the cards are dealt."""
    return sit_down(seats, **house).draws("As 9h 9d 9c"[: 3 * seats])


def try_begin(seats: int, **house: Any) -> Match | Refusal:
    """Sit down, allowed or not."""
    return begin(Setup(COUP_D_ETAT, House(**house), NAMES[:seats]))
