"""Play a match of Ogallala from a script, from territories that are written down as rows of short words.

A territory is up to three lines; each word is a card, a dash a gap. `B` and `S` are an empty bow and stern,
`1r` to `5b` paddlers, `hr` a healer, `cb` a chief, `Lr` a Lasso, `Ar` an Archer, `xr` a Saboteur, `Br` and `Sb`
paddlers at an end, `G` the Guardian; other words are faces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.contract import Answer, Choice, Option, Refusal, Ruling, Value
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.house import House
from referee.games.ogallala.state import Drawing, State, Turn
from referee.games.ogallala.territory import HOME, Territory, territory_of
from referee.legal import ask_named
from referee.match import Match, Position, Setup, begin, hear

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve")
_CREWS = {"r": "red", "b": "black"}
_PICTURES = {
    "h": "healer",
    "c": "chief",
    "L": "lasso",
    "A": "archer",
    "x": "saboteur",
    "B": "bow",
    "S": "stern",
}
_WORDS = {"B": "empty-bow", "S": "empty-stern", "G": "guardian"}


def face(word: str) -> str:
    """Read a short word for a card."""
    if word in _WORDS:
        return _WORDS[word]
    if len(word) == 2 and word[1] in _CREWS:
        return f"{_CREWS[word[1]]}-{_PICTURES.get(word[0], f'warrior-{word[0]}')}"
    return word


def territory(text: str) -> Territory:
    """Read a territory; its first cell is the one where first cards lie."""
    cells = {
        (HOME[0] + place, HOME[1] + line): face(word)
        for line, row in enumerate(text.strip().splitlines())
        for place, word in enumerate(row.split())
        if word != "-"
    }
    return territory_of(cells)


def at(column: int, row: int = 0) -> tuple[int, int]:
    """Name a cell, counted from the first one."""
    return HOME[0] + column, HOME[1] + row


@dataclass(frozen=True)
class Script:
    """A match at one moment of its script; each line gives the next moment, and what was ruled."""

    match: Match
    rulings: tuple[Ruling, ...] = ()

    def answers(self, ask: str, value: Value) -> "Script":
        """Give an answer that has to be accepted, from the seat that is asked."""
        after = hear(self.match, Answer(self.match.number, ask, value, self._seat(ask)))
        assert isinstance(after, Match), f"{ask} {value}: {after}"
        return Script(after, after.rulings)

    def refusal(self, ask: str, value: Value) -> tuple[str, Mapping[str, Any]]:
        """Give an answer that has to be refused."""
        after = hear(self.match, Answer(self.match.number, ask, value, self._seat(ask)))
        assert isinstance(after, Refusal), f"{ask} {value} was accepted"
        return after.reason.value, after.values

    def draws(self, word: str) -> "Script":
        """Draw a card."""
        return self.answers("draw", (face(word),))

    def puts(self, column: int, row: int = 0) -> "Script":
        """Lay the card, counted from the first cell."""
        return self.answers("place", self.option("place", cell=at(column, row)))

    def says(self, ask: str, word: str) -> "Script":
        """Choose the only option with a word."""
        return self.answers(ask, self.option(ask, word=word))

    def chooses(self, ask: str, **named: Any) -> "Script":
        """Choose the only option that is so."""
        return self.answers(ask, self.option(ask, **named))

    def option(self, ask: str, **named: Any) -> Option:
        """Find the one option that is so."""
        found = [
            option for option in self.options(ask) if all(getattr(option, k) == v for k, v in named.items())
        ]
        assert len(found) == 1, f"{named}: {found} of {self.options(ask)}"
        return found[0]

    def options(self, key: str) -> tuple[Option, ...]:
        """List what may be chosen."""
        ask = ask_named(self.match.asks, key)
        assert isinstance(ask, Choice), f"{key} is not asked: {self.ask_keys()}"
        return ask.options

    def words(self, key: str) -> set[str]:
        """Name what may be chosen."""
        return {option.word for option in self.options(key)}

    def aims(self, key: str) -> set[tuple[int | None, str | None]]:
        """Name at whom and at which cards may be aimed."""
        return {(option.seat, option.face) for option in self.options(key) if option.seat is not None}

    def ask_keys(self) -> list[str]:
        """Name all that is asked."""
        return [ask.key for ask in self.match.asks]

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the last line's ruling of this name says."""
        (values,) = [ruling.values for ruling in self.rulings if ruling.key == key]
        return values

    def ruling_keys(self) -> list[str]:
        """Name the last line's rulings."""
        return [ruling.key for ruling in self.rulings]

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def turn(self) -> int:
        """Say who is in turn."""
        return self.state.turn.seat

    def _seat(self, key: str) -> int | None:
        ask = ask_named(self.match.asks, key)
        return ask.seats[0] if ask is not None and ask.seats else None


def sit_down(seats: int = 2, **house: Any) -> Script:
    """Sit down; the first seat begins."""
    match = begin(Setup(OGALLALA, House(**house), NAMES[:seats]))
    assert isinstance(match, Match), match
    return Script(match, match.rulings).chooses("opener", seat=0)


def begin_midway(*territories: str, discard: str = "", completed: tuple[int, ...] = (), **house: Any) -> Script:
    """Sit down to a match that has gone on for a while: these cards lie there, and the first seat draws."""
    script = sit_down(len(territories), **house)
    state = replace(
        script.state,
        territories=tuple(map(territory, territories)),
        discard=tuple(map(face, discard.split())),
        completed=completed or (0,) * len(territories),
        stage=Drawing(),
        turn=Turn(0),
    )
    return Script(replace(script.match, position=Position(state, OGALLALA.asks(state), ())))
