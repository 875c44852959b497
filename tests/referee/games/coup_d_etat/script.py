"""Plays a match of Coup d'État from a script: announcements, cards, and the resulting rulings."""

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.contract import Option, Refusal
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.state import CONTRACTS, House
from referee.legal import ask_named
from referee.match import Match, Setup, begin
from tests.referee.games.lines import Lines

NAMES = ("Ana", "Bo", "Chloé", "Dan")


@dataclass(frozen=True)
class Script(Lines):
    """A match at one moment of its script; each line returns the next moment, with all rulings of the line."""

    def draws(self, cards: str) -> "Script":
        """Draw for the presidency, one card each."""
        script = self
        for card in cards.split():
            script = script.answers("draw", (card,))
        return script

    def attempts(self, seat: int, contract: str) -> "Script":
        """Attempt a coup in a contract, as the holder of the Coup card."""
        script = self.answers("holder", Option("attempt"), seat)
        return script.answers("coup-contract", Option(contract), seat)

    def declines(self, seat: int, contract: str) -> "Script":
        """Lay the Coup card away as its holder; the President chooses the contract."""
        script = self.answers("holder", Option("decline"), seat)
        return script.answers("contract", Option(contract), script.state.president)

    def plays(self, line: str) -> "Script":
        """Play a line and collect all rulings."""
        script, told = self, ()
        for word in line.split():
            if word.startswith("!"):
                return script.is_refused(word[1:])
            script = script.play(word)
            told = (*told, *script.rulings)
        return Script(script.match, told)

    def play(self, word: str) -> "Script":
        """Lay a card, or pass (a dash); attempt `2:siege`, or leave `siege` to the President; use a word."""
        name, _, rest = word.partition(":")
        said = [ask for ask in self.match.asks if name in self.words(ask.key)]
        if name == "money":
            after = self.with_money(*map(int, rest.split(",")))
        elif rest in CONTRACTS:
            after = self.attempts(int(name), rest)
        elif name in CONTRACTS:
            after = self.declines(1, name)
        elif name == "end":
            after = self.to_the_end(*map(int, rest.split(",") if rest else ()))
        elif name == "fail":
            after = self.fails(int(rest[0]), rest[2:])
        elif said:
            after = self.answers(
                said[0].key, Option(name), int(rest) if rest else (said[0].seats or (None,))[0]
            )
        else:
            after = self.says("pass", "pass") if word == "-" else self.answers(self.show.key, (word,))
        return after

    @property
    def stands(self) -> str:
        """Return the asks, all players' money, the bank, and the rulings of the last answer."""
        last = self if self.told.startswith("!") else Script(self.match, self.match.rulings)
        asked = f"{','.join(map(str, self.match.asks[-1].seats))} {' '.join(self.ask_keys)}"
        return f"{asked}: {' '.join(map(str, self.money()))}, bank {self.state.bank}: {last.told}".strip()

    def says(self, ask: str, word: str, seat: int | None = None) -> "Script":
        return self.answers(ask, Option(word), self.seat_of(ask) if seat is None else seat)

    def seat_of(self, key: str) -> int | None:
        """Return the seat asked, if it is one seat."""
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {[ask.key for ask in self.match.asks]}"
        return ask.seats[0] if len(ask.seats) == 1 else None

    @property
    def turn(self) -> int:
        (seat,) = self.show.seats
        return seat

    def with_money(self, *money: int) -> "Script":
        """Set each player's money; the rest is in the bank."""
        bank = 10_000 * len(money) - sum(money)
        return self.at_state(replace(self.state, money=money, bank=bank))

    def to_the_end(self, *idle: int) -> "Script":
        """Play a deal to its end; some seats pass in Dominos whenever possible."""
        script = self
        while {"domino", "card"} & set(script.ask_keys):
            may_pass = "pass" in script.ask_keys and script.turn in idle
            script = script.plays("-" if may_pass else min(script.legal - {"coup"} or script.legal))
        return script

    def fails(self, seat: int, contract: str) -> "Script":
        """Make a coup fail: another player is out first, or takes the first trick."""
        script = self.attempts(seat, contract)
        if contract == "dominos":
            return script.plays("9d").to_the_end(seat)
        return script.plays("7c 8c 9c Ac").answers("middle", ("7d",)).to_the_end()

    def money(self) -> tuple[int, ...]:
        """Return each player's gain or loss since the beginning."""
        return tuple(money - 10_000 for money in self.state.money)


def sit_down(seats: int = 4, **house: Any) -> Script:
    return Script.of(try_begin(seats, **house))


def dealt(seats: int = 4, **house: Any) -> Script:
    return sit_down(seats, **house).draws("As 9h 9d 9c"[: 3 * seats])


def try_begin(seats: int, **house: Any) -> Match | Refusal:
    return begin(Setup(COUP_D_ETAT, House(**house), NAMES[:seats]))
