"""Ogallala's rulings cite the rules behind them."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from hardware.twin.player import play_on
from referee.contract import Ruling
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.state import State
from referee.grounds import grounds_of_ruling
from referee.match import moments
from tests.referee.tables import new_match


def has_canoe(state: State) -> bool:
    return bool(state.own.complete)


PRESUPPOSED: dict[str, Callable[[State, Ruling, State], bool]] = {
    "saboteur-alone/discarded": lambda before, said, _after: said.key == "discarded" or not has_canoe(before),
    "saboteur": lambda before, said, _after: said.key == "discarded" or has_canoe(before),
    "push-complete/yes": lambda before, _said, _after: before.house.insert_complete,
    "slide-completes": lambda before, _said, _after: before.house.push == "into_gap",
    "effect-first": lambda before, _said, _after: bool(before.turn.due),
    "most-points": lambda _before, said, after: (
        said.values["seats"] == winners(after) and len(winners(after)) == 1
    ),
    "shared": lambda _before, said, after: said.values["seats"] == winners(after) and len(winners(after)) > 1,
    "standstill": lambda before, _said, _after: before.passes >= len(before.territories),
    "third": lambda before, _said, after: max(before.turn.held, after.turn.held) >= 3,
}
"""Preconditions of rules, checked on the state before, the ruling, and the state after."""


STEPS = {"count-set": "set", "count-pair": "pair", "count-prizes": "prizes"}


def test_canoe_points_cite_their_rules() -> None:
    seen = set[tuple[str, ...]]()
    for seed in range(12):
        match = play_on(new_match(OGALLALA, "rule text", 2), Random(seed))
        told = [ruling for moment in reversed([*moments(match)]) for ruling in moment.rulings]
        steps = list[str]()
        for ruling in told:
            steps = [] if ruling.key == "count-canoe" else [*steps, *STEPS.get(ruling.key, "").split()]
            if ruling.key == "canoe-points":
                grounds = grounds_of_ruling(OGALLALA, match.setup.house, ruling)
                cited = tuple(ground.rule.id for ground in grounds)
                assert cited == ("length", *dict.fromkeys(steps))
                seen.add(cited)
    assert {("length",), ("length", "prizes")} <= seen


def winners(state: State) -> tuple[int, ...]:
    outcome = OGALLALA.rules.outcome(state)
    return outcome.winners if outcome is not None else ()


@pytest.mark.parametrize("setting", list(OGALLALA.rules.settings))
def test_cited_rules_hold(setting: str) -> None:
    seen = Counter[str]()
    for seed in range(3):
        match = play_on(new_match(OGALLALA, setting, 2), Random(seed))
        for moment in moments(match):
            before = (moment.before or moment).state
            for ruling in moment.rulings if moment.before is not None else ():
                for ground in grounds_of_ruling(OGALLALA, moment.setup.house, ruling):
                    seen[ground.rule.id] += 1
                    holds = PRESUPPOSED.get(ground.rule.id, lambda *_states: True)
                    assert holds(before, ruling, moment.state), ruling
    assert {"draw", "next", "special-ends", "complete-only"} <= seen.keys()
