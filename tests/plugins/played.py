"""Matches, transcripts and playthroughs of our plug-in games, for their own tests."""

import sys
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from referee.contract import Answer, Choice, Number, Option
from referee.match import Match, hear, standing_answers
from tests.given import allowed
from tests.plugins.installed import PLUGINS, game_of
from tests.referee import golden
from tests.referee.tables import after_any, new_match
from tests.tiers import tiered


class Said(Struct, frozen=True):
    """An ask, the seat that was asked, and its answer."""

    ask: str
    seat: int
    value: object


def transcript(match: Match) -> list[Said]:
    """Return all answers; the seat of shown cards is the first that was asked for them."""
    found = []
    for step in standing_answers(match):
        seats = next(ask.seats for ask in step.before.asks if ask.key == step.answer.ask)
        seat = step.answer.seat if step.answer.seat is not None else seats[0] if seats else -1
        found.append(Said(step.answer.ask, seat, step.answer.value))
    return found


def whole_matches(name: str, rules: str) -> list[Match]:
    """Play random matches to their ends, for each number of seats."""
    game, found = game_of(name), []
    for seats in game.rules.seats(game.rules.settings[rules]):
        for seed in range(tiered(8, 300)):
            match, rng = new_match(game, rules, seats), Random(f"{seats} {seed}")
            while match.asks:
                match = after_any(match, rng)
            found.append(match)
    return found


def match_after(name: str, seats: int, *said: Any) -> Match:
    """Apply each value to the first ask that accepts it, as the answer of its first seat."""
    game = game_of(name)
    match = new_match(game, "usual", seats)
    for value in (Option(*each) if isinstance(each, list) else each for each in said):
        kinds = {int: Number, Option: Choice}
        fits = [ask for ask in match.asks if isinstance(ask, kinds.get(type(value), object))]
        match = allowed(hear(match, Answer(match.number, fits[0].key, value, *fits[0].seats[:1])))
    return match


def playthroughs(name: str) -> dict[Path, str]:
    """Return the golden playthrough of each setting, and its file."""
    folder, game = PLUGINS / name / "tests" / "playthroughs", game_of(name)
    return {
        folder / f"{name}-{rules.replace(' ', '-')}.txt": golden.playthrough(game, rules)
        for rules in game.rules.settings
    }


def check_playthroughs(name: str) -> None:
    """Compare the playthroughs with their files; none may be missing or unused."""
    expected = playthroughs(name)
    assert {*(PLUGINS / name / "tests" / "playthroughs").iterdir()} == expected.keys()
    for path, text in expected.items():
        assert path.read_text(encoding="utf-8") == text, f"python -m tests.plugins.played {name} rewrites it"


def main(name: str) -> None:
    for path, text in playthroughs(name).items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
