"""What the scripts of all games share: a match at one moment, what may be answered there, what was ruled."""

import re
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Option, Refusal, Ruling, Show, Value
from referee.legal import ask_named
from referee.match import Match, Position, hear
from tests.given import allowed, refused

Owners = tuple[int | None, ...]
Why = tuple[str, Mapping[str, Any]]
ASKED = -1  # the first seat that is asked, as far as seats are


class RefusedError(AssertionError):
    """An answer that had to be accepted was refused."""

    def __init__(self, said: str, refusal: Refusal) -> None:
        super().__init__(f"{said}: {refusal}")
        self.refusal = refusal


@dataclass(frozen=True)
class Lines:
    """A match at one moment of its script; each line gives the next moment, and what was ruled."""

    match: Match
    rulings: tuple[Ruling, ...] = ()

    @classmethod
    def of(cls, match: object) -> Self:
        """Begin with a match that was not refused, and with what was ruled in it last."""
        return cls(allowed(match), allowed(match).rulings)

    def at_state(self, state: Any) -> Self:
        """Go on from another state, of which nothing has been ruled."""
        rules = self.match.setup.game.rules
        position = Position(state, rules.asks(state), (), rules.outcome(state))
        return type(self)(replace(self.match, position=position))

    def answers(self, ask: str, value: Value, seat: int | None = ASKED, owners: Owners = ()) -> Self:
        """Give an answer that has to be accepted."""
        after = self._hear(ask, value, seat, owners)
        if isinstance(after, Refusal):
            raise RefusedError(f"{ask} {value}", after)
        return type(self)(after, after.rulings)

    def refusal(self, ask: str, value: Value, seat: int | None = ASKED, owners: Owners = ()) -> Why:
        """Give an answer that has to be refused; tell the reason and what it is about."""
        after = refused(self._hear(ask, value, seat, owners))
        return after.reason.value, after.values

    def _hear(self, key: str, value: Value, seat: int | None, owners: Owners) -> Match | Refusal:
        ask = ask_named(self.match.asks, key)
        if seat == ASKED:
            seat = ask.seats[0] if ask is not None and ask.seats else None
        return hear(self.match, Answer(self.match.number, key, value, seat, owners=owners))

    def plays(self, line: str) -> Self:
        """Play a line, word by word; what stands in brackets is one word, what has a `!` has to be refused."""
        script = self
        for word in re.findall(r"!?\[[^]]*\]|\S+", line):
            script = script.is_refused(word[1:]) if word.startswith("!") else script.play(word)
        return script

    def is_refused(self, word: str) -> Self:
        """Do what has to be refused, and tell why instead of what is ruled."""
        with pytest.raises(RefusedError) as error:
            self.play(word)
        refusal = error.value.refusal
        return type(self)(self.match, (Ruling(f"!{refusal.reason}", refusal.values),))

    def play(self, word: str) -> Self:
        raise NotImplementedError(word)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def show(self) -> Show:
        (ask,) = (ask for ask in self.match.asks if isinstance(ask, Show))
        return ask

    @property
    def legal(self) -> set[str]:
        return {card for card, count in self.show.among.items() if count}

    @property
    def ask_keys(self) -> list[str]:
        return [ask.key for ask in self.match.asks]

    def ask(self, key: str) -> Ask:
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {self.match.asks}"
        return ask

    def options(self, key: str) -> list[Option]:
        """List what may be chosen; nothing where it isn't asked."""
        ask = ask_named(self.match.asks, key)
        return list(ask.options) if isinstance(ask, Choice) else []

    def words(self, key: str) -> set[str]:
        return {option.word for option in self.options(key)}

    @property
    def told(self) -> str:
        """Write down what was ruled last, or why the last answer was refused."""
        return "; ".join(" ".join(map(str, (each.key, *each.values.values()))) for each in self.rulings)

    @property
    def ruling_keys(self) -> list[str]:
        return [ruling.key for ruling in self.rulings]

    def tells(self, key: str) -> bool:
        return key in self.ruling_keys

    def all_told(self, key: str) -> list[Mapping[str, Any]]:
        """Give what the rulings of this name say."""
        return [ruling.values for ruling in self.rulings if ruling.key == key]

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the one ruling of this name says."""
        assert self.ruling_keys.count(key) == 1, f"{key}: {self.ruling_keys}"
        return self.all_told(key)[0]


def read_lines(test_file: str, name: str) -> list[ParameterSet]:
    """Read lines of play from a text beside a test: `[house rules]`, then `line => how all then stands`.

    What is used in several lines has a name: `NAME = words`.
    """
    house, names, found = dict[str, Any](), dict[str, str](), list[ParameterSet]()
    for text in Path(test_file).with_name(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith("["):
            house = dict(_house_rule(*word.split("=")) for word in text.strip("[]").split())
        elif " = " in text:
            word, _, meaning = text.partition(" = ")
            names[word] = meaning
        elif text and not text.startswith("#"):
            line, _, stands = text.partition("=>")
            said = re.sub(r"[A-Z]\w+", lambda found: names.get(found[0], found[0]), line.strip())
            found.append(pytest.param(house, said, stands.strip(), id=f"{len(found)} {line.strip()}"))
    return found


def _house_rule(rule: str, value: str) -> tuple[str, Any]:
    """Read a value; what is neither a number nor a truth is a word."""
    is_literal = value in {"True", "False"} or not value[0].isalpha()
    return rule, literal_eval(value) if is_literal else value
