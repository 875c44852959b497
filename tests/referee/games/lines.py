"""Shared base of all game scripts: a match at one moment, its possible answers, and its rulings."""

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
from referee.grounds import grounds_of_ruling
from referee.legal import ask_named
from referee.match import Match, Position, hear
from tests.given import allowed, refused
from tests.referee.properties import each_ask_in_one_question, told_in_every_language

Owners = tuple[int | None, ...]
Why = tuple[str, Mapping[str, Any]]
ASKED = -1  # the first seat asked, if any


class RefusedError(AssertionError):
    """A legal answer was refused."""

    def __init__(self, said: str, refusal: Refusal) -> None:
        super().__init__(f"{said}: {refusal}")
        self.refusal = refusal


@dataclass(frozen=True)
class Lines:
    """A match at one moment of its script; each line returns the next moment and its rulings."""

    match: Match
    rulings: tuple[Ruling, ...] = ()

    @classmethod
    def of(cls, match: object) -> Self:
        """Start with an accepted match and its latest rulings."""
        return cls(allowed(match), allowed(match).rulings)

    def at_state(self, state: Any) -> Self:
        """Continue from another state, without rulings."""
        rules = self.match.setup.game.rules
        position = Position(state, rules.asks(state), (), rules.outcome(state))
        return type(self)(replace(self.match, position=position))

    def answers(self, ask: str, value: Value, seat: int | None = ASKED, owners: Owners = ()) -> Self:
        """Give an answer that must be accepted.

        Scripts lead where random matches hardly come, so each moment's display is checked, too.
        """
        after = self._hear(ask, value, seat, owners)
        if isinstance(after, Refusal):
            raise RefusedError(f"{ask} {value}", after)
        each_ask_in_one_question(after)
        told_in_every_language(after)
        return type(self)(after, after.rulings)

    def refusal(self, ask: str, value: Value, seat: int | None = ASKED, owners: Owners = ()) -> Why:
        """Give an answer that must be refused; return the reason and its subject."""
        after = refused(self._hear(ask, value, seat, owners))
        return after.reason.value, after.values

    def _hear(self, key: str, value: Value, seat: int | None, owners: Owners) -> Match | Refusal:
        ask = ask_named(self.match.asks, key)
        if seat == ASKED:
            seat = ask.seats[0] if ask is not None and ask.seats else None
        return hear(self.match, Answer(self.match.number, key, value, seat, owners=owners))

    def plays(self, line: str) -> Self:
        """Play a line word by word; brackets form one word, and words with `!` must be refused."""
        script = self
        for word in re.findall(r"!?\[[^]]*\]|\S+", line):
            script = script.is_refused(word[1:]) if word.startswith("!") else script.play(word)
        return script

    def is_refused(self, word: str) -> Self:
        """Apply a word that must be refused, and store the reason in place of the rulings."""
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
        """Return the options of an ask; empty if it isn't asked."""
        ask = ask_named(self.match.asks, key)
        return list(ask.options) if isinstance(ask, Choice) else []

    def words(self, key: str) -> set[str]:
        return {option.word for option in self.options(key)}

    @property
    def told(self) -> str:
        """Return the latest rulings, or the reason for the latest refusal."""
        return "; ".join(" ".join(map(str, (each.key, *each.values.values()))) for each in self.rulings)

    @property
    def ruling_keys(self) -> list[str]:
        return [ruling.key for ruling in self.rulings]

    def tells(self, key: str) -> bool:
        return key in self.ruling_keys

    def cited(self, key: str) -> list[str]:
        """Return the rules behind the match's latest rulings of a kind."""
        game, house = self.match.setup.game, self.match.setup.house
        told = [ruling for ruling in self.match.rulings if ruling.key == key]
        cited = (each.rule.id for ruling in told for each in grounds_of_ruling(game, house, ruling))
        return list(dict.fromkeys(cited))

    def all_told(self, key: str) -> list[Mapping[str, Any]]:
        return [ruling.values for ruling in self.rulings if ruling.key == key]

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Return the values of the only ruling with this key."""
        assert self.ruling_keys.count(key) == 1, f"{key}: {self.ruling_keys}"
        return self.all_told(key)[0]


def read_lines(test_file: str, name: str) -> list[ParameterSet]:
    """Read lines of play from a text near a test: `[house rules]`, then `line => resulting position`.

    Shared parts have a name: `NAME = words`.
    """
    house, names, found = dict[str, Any](), dict[str, str](), list[ParameterSet]()
    for text in (Path(test_file).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines():
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
    """Parse a value; anything but a number or a boolean is a word."""
    is_literal = value in {"True", "False"} or not value[0].isalpha()
    return rule, literal_eval(value) if is_literal else value
