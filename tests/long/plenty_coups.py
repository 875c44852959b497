"""Play Plenty Coups honestly, and count everything at every moment: `python -m tests.long.plenty_coups 100000`.

Prints how many turns were played, each match compared with a second scorer; and in how many milliseconds turns
were explained from two scenes.
"""

import argparse
import sys
from random import Random
from time import perf_counter

import msgspec
from msgspec import Struct

from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.scenes import explanations
from referee.games.plenty_coups.state import Taking
from tests.referee.games.plenty_coups.compare_scores import compare_with_tale
from tests.referee.games.plenty_coups.turn_scenes import finish_turn, scene_lying
from tests.referee.games.plenty_coups.twin_truth import check_truth
from tests.referee.tables import new_match

EXPLAINED = 25
"""Matches in which every turn is also explained: one in so many."""


class Figures(Struct):
    """What was played and how it was explained."""

    matches: int = 0
    answers: int = 0
    turns: int = 0
    explained: int = 0
    alone: int = 0
    """Turns that have one explanation."""
    unexplained: int = 0
    """Turns in which the pile was made anew, and others that could not be explained."""
    half: float = 0.0
    """Milliseconds in which half of the turns were explained."""
    most: float = 0.0
    """Milliseconds in which 95 of 100 were."""
    slowest: float = 0.0


def play(number: int, figures: Figures, times: list[float]) -> None:
    """Play a match to its end."""
    rng = Random(number)
    rules = list(PLENTY_COUPS.settings)[number % 2]
    table = deal_match(new_match(PLENTY_COUPS, rules, 2 + number // 2 % 5), rng)
    start: DealtMatch | None = None
    while table.match.asks:
        check_truth(table)
        if start is None and isinstance(table.match.state.stage, Taking) and number % EXPLAINED == 0:
            start = table
        later = step(table, rng)
        assert not isinstance(later, Refusal)
        figures.answers += 1
        if any(ruling.key == "turn-over" for ruling in later.match.rulings):
            figures.turns += 1
            if start is not None:
                explain(start, finish_turn(table, later.match, Random(0)), figures, times)
            start = None
        table = later
    check_truth(table)
    compare_with_tale(table.match)
    figures.matches += 1


def explain(start: DealtMatch, end: DealtMatch, figures: Figures, times: list[float]) -> None:
    """Explain a turn from two scenes, without the horses."""
    before, after = scene_lying(start), scene_lying(end)
    began = perf_counter()
    ways = explanations(start.match.state, before, after)
    times.append(1000 * (perf_counter() - began))
    figures.explained += 1
    figures.alone += len(ways) == 1
    figures.unexplained += not ways


def main() -> None:
    """Play until there were so many turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=int, help="how many turns")
    wish = parser.parse_args()
    figures, times = Figures(), list[float]()
    while figures.turns < wish.turns:
        play(figures.matches, figures, times)
    times.sort()
    figures.half, figures.most = times[len(times) // 2], times[len(times) * 95 // 100]
    figures.slowest = times[-1]
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main()
