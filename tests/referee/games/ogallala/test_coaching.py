"""Points of a turn at Ogallala: against counting every placement by itself."""

from referee.coaching import line_of
from referee.games.ogallala.coaching import judge_decisions, lead
from referee.games.ogallala.placing import placings, with_card_placed
from referee.games.ogallala.score import score
from tests.referee.games.ogallala.script import Script, begin_midway
from tests.referee.laboratories import StillLaboratory, match_by_bots

PAIR = "B 1r 2r 3r bear-left bear-right"


def judged(script: Script) -> list[tuple[float, float | None]]:
    """Judge what was done so far."""
    return [(each.worth, each.best) for each in judge_decisions(line_of(script.match), StillLaboratory())]


def test_a_canoe_that_was_left_open_gave_its_points_away() -> None:
    script = begin_midway(f"{PAIR}\nkeg", "1r").draws("S")
    state = script.state
    every = [
        score(state.house, with_card_placed(state.territories[0], place, state.stage.card))
        for place in placings(state.house, state.territories[0], state.stage.card)
    ]
    assert judged(script.says("place", "discard")) == [(0.0, float(max(every)))]
    assert judged(script.puts(6)) == [(float(max(every)), float(max(every)))]
    assert max(every) == 7 + 40


def test_an_attack_counts_what_others_lose() -> None:
    whole = "B 1r keg S"
    script = begin_midway("B 5r 4r", whole).draws("S").puts(3)
    assert lead(script.state, 0) == 4 - 14
    spared = judged(script.says("attack", "spare"))[-1]
    attacked = judged(script.chooses("attack", seat=1))[-1]
    assert spared[0] < (spared[1] or 0)
    assert attacked[0] == attacked[1]


def test_whole_matches_are_judged_within_bounds_and_best_is_never_less() -> None:
    line = line_of(match_by_bots("ogallala", "rule text", 2))
    every = judge_decisions(line, StillLaboratory())
    assert every
    assert all(each.best is not None and each.best >= each.worth for each in every)
