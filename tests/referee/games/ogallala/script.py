"""Plays a match of Ogallala from a script, with territories written as rows of short words.

A territory has up to three lines; each word is a card, and a dash a gap. `B` and `S` are an empty bow and
stern,
`1r` to `5b` paddlers, `hr` a healer, `cb` a chief, `Lr` a Lasso, `Ar` an Archer, `xr` a Saboteur, `Br` and `Sb`
paddlers at an end, `G` the Guardian; other words are faces.
"""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, answer_of, follow_rulings
from referee.contract import Answer, Choice, Option
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import House
from referee.games.ogallala.placing import with_card_placed
from referee.games.ogallala.state import Drawing, Placing, State, Turn
from referee.games.ogallala.territory import HOME, Territory, territory_of
from referee.match import Match, Setup, begin, hear
from tests.given import allowed
from tests.referee.games.lines import Lines

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve")
_CREWS = {"r": "red", "b": "black"}
_PICTURES = {
    "h": "healer", "c": "chief", "L": "lasso", "A": "archer", "x": "saboteur", "B": "bow", "S": "stern",
}  # fmt: skip
_WORDS = {"B": "empty-bow", "S": "empty-stern", "G": "guardian"}


def face(word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    if len(word) == 2 and word[1] in _CREWS:
        return f"{_CREWS[word[1]]}-{_PICTURES.get(word[0], f'warrior-{word[0]}')}"
    return word


def territory(text: str) -> Territory:
    """Parse a territory with rows separated by slashes; its first cell is that of a first card."""
    cells = {
        (HOME[0] + place, HOME[1] + line): face(word)
        for line, row in enumerate(text.strip().replace(" / ", "\n").splitlines())
        for place, word in enumerate(row.split())
        if word != "-"
    }
    return territory_of(cells)


SHORT = {face(f"{crew}{colour}"): f"{crew}{colour}" for crew in "12345hcLAxBS" for colour in "rb"}


def lying(land: Territory) -> str:
    shorter = {long: word for word, long in _WORDS.items()} | SHORT | {"": "-"}
    return " / ".join(" ".join(shorter.get(card, card) for card in row) for row in land.rows)


def at(column: int, row: int = 0) -> tuple[int, int]:
    """Return a cell counted from the first one."""
    return HOME[0] + column, HOME[1] + row


@dataclass(frozen=True)
class Script(Lines):
    """A match at one moment of its script; each line returns the next moment and its rulings."""

    def play(self, word: str) -> "Script":
        """Apply a word: `+S` draws, `2` and `2,1` place, `attack:1`, `lasso=keg`, `push-left@4` choose."""
        if word.startswith("+"):
            return self.draws(word[1:])
        found = re.fullmatch(r"([a-z-]*)(?:=(\w+))?(?::(\d))?(?:@?(-?\d+)(?:,(-?\d+))?)?", word)
        assert found is not None, word
        name, card, seat, column, row = found.groups()
        cell = at(int(column), int(row or 0)) if column else None
        wanted = {"face": card and face(card), "seat": seat and int(seat), "cell": cell}
        named = [
            (ask.key, option)
            for ask in self.match.asks
            for option in self.options(ask.key)
            if all(value in {None, getattr(option, key)} for key, value in wanted.items())
        ]
        fitting = [each for each in named if each[1].word == (name or "put")]
        fitting = fitting or [each for each in named if each[0] == name]
        if not fitting:
            asked = next(key for key in (name, "place", "turn") if key in self.ask_keys)
            return self.answers(asked, Option(name or "put", wanted["seat"], wanted["face"], cell))
        assert len(fitting) == 1, f"{word}: {fitting} of {self.match.asks}"
        return self.answers(*fitting[0])

    @property
    def stands(self) -> str:
        """Return the seats asked, their asks, and all territories."""
        lands = " | ".join(map(lying, self.state.territories))
        return f"{self.turn} {' '.join(self.ask_keys)}: {lands}"

    def draws(self, word: str) -> "Script":
        return self.answers("draw", (face(word),))

    def puts(self, column: int, row: int = 0) -> "Script":
        return self.answers("place", self.option("place", cell=at(column, row)))

    def says(self, ask: str, word: str) -> "Script":
        return self.answers(ask, self.option(ask, word=word))

    def chooses(self, ask: str, **named: Any) -> "Script":
        return self.answers(ask, self.option(ask, **named))

    def option(self, ask: str, **named: Any) -> Option:
        found = [each for each in self.options(ask) if all(getattr(each, k) == v for k, v in named.items())]
        assert len(found) == 1, f"{named}: {found} of {self.options(ask)}"
        return found[0]

    def aims(self, key: str) -> set[tuple[int | None, str | None]]:
        """Return the possible target seats and cards."""
        return {(option.seat, option.face) for option in self.options(key) if option.seat is not None}

    @property
    def turn(self) -> int:
        return self.state.turn.seat


def sit_down(seats: int = 2, **house: Any) -> Script:
    return Script.of(begin(Setup(OGALLALA, House(**house), NAMES[:seats]))).chooses("opener", seat=0)


def play(position: str, line: str, discard: str = "", **house: Any) -> Script:
    return begin_midway(*position.split("|"), discard=discard, **house).plays(line)


def begin_midway(*territories: str, discard: str = "", completed: tuple[int, ...] = (), **house: Any) -> Script:
    """Start in the middle of a match with these cards, when the first seat draws."""
    return with_state(
        sit_down(len(territories), **house),
        territories=tuple(map(territory, territories)),
        discard=tuple(map(face, discard.split())),
        completed=completed or (0,) * len(territories),
        stage=Drawing(),
        turn=Turn(0),
    )


def with_state(script: Script, **changes: Any) -> Script:
    return script.at_state(replace(script.state, **changes))


def answer_as_builder(table: DealtMatch, rng: Random, keen: float = 0.9) -> DealtMatch:
    answer = _clever(table.match, rng) if rng.random() < keen else None
    after = allowed(hear(table.match, answer or answer_of(table, rng)))
    return DealtMatch(after, follow_rulings(table.truth, after, rng))


def _clever(match: Match, rng: Random) -> Answer | None:
    for ask in match.asks:
        if isinstance(ask, Choice) and ask.key in {"place", "attack", "end"}:
            ranked = [(_worth(match.state, option), rng.random(), option) for option in ask.options]
            best = max(ranked, key=lambda each: each[:2])
            return Answer(match.number, ask.key, best[2], ask.seats[0])
    return None


def _worth(state: State, option: Option) -> float:
    """Rate an option: completing a canoe first, then rows that have cards."""
    stage = state.stage
    if option.word in {"discard", "spare", "end"}:
        return -1
    if not isinstance(stage, Placing) or option.cell is None or option.word == "keep-aside":
        return 0
    canoe = with_card_placed(state.own, option, stage.card).canoe_at(option.cell)
    is_whole = "" not in canoe.cards
    return 100 * canoe.is_complete + 3 * is_whole + len(canoe.cards) * is_whole + (option.word != "put")
