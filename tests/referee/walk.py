"""A walk: a random match with occasional take-backs and corrections, during which all properties are checked.

`python -m tests.referee.walk coyote kidult 4 --seed 12` repeats a walk and checks every moment;
`--property standings` checks that property only.
"""

import argparse
import shlex
from collections.abc import Iterable
from random import Random
from traceback import extract_tb

from msgspec import UNSET

from hardware.twin.player import any_answer
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, Setup, TakeBack, begin, hear, standing_answers
from tests.given import allowed
from tests.referee.properties import OF_ANSWERS, OF_MOMENTS
from tests.referee.properties_of_ends import OF_ENDS
from tests.referee.property_tools import Property

LONG_NAMES = (
    "Anastasianna", "Bartholomeus", "Chrysostomos", "Desiderianus", "Emmanuelanna", "Maximilianus",
    "Gwendolinnen", "Hildegardine", "Isabellanina", "Josephinetta", "Konstantinos", "Leopoldinchi",
)  # fmt: skip
"""Names of the maximum length that a question must fit."""
MOST_ANSWERS = 5000  # answers after which a match is considered endless
TAKEN_BACK, CORRECTED = 0.05, 0.03
"""Probabilities of a take-back, and of correcting one of the last six answers."""


class Walk:
    """One match at a table, from first to last moment."""

    def __init__(
        self, table: tuple[str, str, int], seed: int, only: str = "", *, closely: bool = False
    ) -> None:
        """Select the table, one or all properties, and whether to check every moment."""
        self.table, self.seed, self._only, self._closely = table, seed, only, closely

    def play(self) -> Match:
        name, rules, seats = self.table
        rng, game = Random(f"walk {rules} {seats} {self.seed}"), GAMES[name]
        match = allowed(begin(Setup(game, game.rules.settings[rules], LONG_NAMES[:seats])))
        self._look(OF_MOMENTS, match.number, match)
        while match.asks:
            answer = any_answer(match.asks, match.number, rng)
            after = allowed(hear(match, answer))
            self._look(OF_ANSWERS, after.number, match, answer, after)
            match = with_slips(after, answer, rng) if after.asks else after
            self._look(OF_MOMENTS, match.number, match)
            assert match.number < MOST_ANSWERS, "this match doesn't end"
        self._look(OF_ENDS, None, match)
        return match

    def _look(self, properties: Iterable[Property], number: int | None, *seen: object) -> None:
        """Check all properties that are due: at the beginning, at intervals, and at the end."""
        for prop in properties:
            every = 1 if self._closely else prop.every
            if self._only in ("", prop.check.__name__) and (number or 0) % every == 0:
                self._hold(prop, number, *seen)

    def _hold(self, prop: Property, number: int | None, *seen: object) -> None:
        try:
            prop.check(*seen)
        except Exception as error:
            name, where = prop.check.__name__, "at the end" if number is None else f"at moment {number}"
            words = (*self.table[:2], str(self.table[2]), "--seed", str(self.seed), "--property", name)
            again = f"python -m tests.referee.walk {shlex.join(words)}"
            line = extract_tb(error.__traceback__)[-1].line
            told = f"{name} doesn't hold {where}: {line}\n{error!r}\nSee it again: {again}"
            raise AssertionError(told) from error


def with_slips(match: Match, answer: Answer, rng: Random) -> Match:
    """Occasionally take back an answer, correct one of the last six, or strike all from there on."""
    slip, after = rng.random(), None
    if slip < TAKEN_BACK:
        after = hear(match, TakeBack(match.number, answer.seat))
    elif slip < TAKEN_BACK + CORRECTED:
        step = rng.choice(standing_answers(match)[-6:])
        right = any_answer(step.before.asks, 0, rng)
        value = right.value if right.ask == step.answer.ask else UNSET
        after = allowed(hear(match, Correct(match.number, step.heard_at, value)))
    return after if isinstance(after, Match) else match


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("rules", help="a setting of the game")
    parser.add_argument("seats", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--property", default="", choices=[each.check.__name__ for each in (*OF_MOMENTS, *OF_ANSWERS, *OF_ENDS)]
    )
    wish = parser.parse_args(words)
    match = Walk((wish.game, wish.rules, wish.seats), wish.seed, wish.property, closely=True).play()
    print(f"All holds, in {match.number} moments.")


if __name__ == "__main__":
    main()
