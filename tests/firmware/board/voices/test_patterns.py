"""Lamps: what each moment shows, and that no two patterns are taken for each other without colour."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.voices.patterns import (
    CALLED,
    DARK,
    HEARD,
    LOST,
    MAY,
    NOTHING,
    OUT,
    TOOK,
    TROUBLE,
    TURN,
    WON,
    Flash,
    Lights,
    Pattern,
    level,
    lights,
    play_once,
    with_flash,
)
from hardware.twin.player import any_answer
from referee.contract import Option
from referee.games.coyote.state import House
from referee.match import hear
from tests.firmware.board.senses.matches import after, bidden, call_moments, new_match
from tests.firmware.board.voices.told import PATTERNS
from tests.firmware.playing import any_match
from tests.given import allowed
from tests.tiers import tiered


def rhythm(pattern: Pattern) -> list[bool]:
    """Tell on from off every hundredth of a second, for eight seconds."""
    return [level(pattern, at / 100 + 0.005)[0] != "" for at in range(800)]


def test_rhythm_alone_tells_patterns_apart() -> None:
    rhythms = {name: rhythm(pattern) for name, pattern in PATTERNS.items()}
    for one, other in combinations(PATTERNS, 2):
        assert sum(a != b for a, b in zip(rhythms[one], rhythms[other], strict=True)) > 80, (one, other)


@given(st.sampled_from(sorted(PATTERNS)), st.sampled_from(sorted(PATTERNS)), st.floats(0, 100))
def test_a_level_lasts_as_long_as_it_says(first: str, second: str, at: float) -> None:
    pattern = play_once(PATTERNS[first], PATTERNS[second])
    light, wait = level(pattern, at)
    if wait is None:
        assert level(pattern, at + 50)[0] == light
    elif wait > 1e-9:  # below that, rounding decides which beat it is
        assert level(pattern, at + wait * 0.99)[0] == light


def test_what_each_moment_shows() -> None:
    call, verdict = call_moments()
    for match, seats, attention in (
        (new_match(), (MAY,) * 4, TURN),
        (bidden(20), (DARK, TURN, DARK, DARK), DARK),
        (bidden(20, house=House(anyone_may_contest=True)), (DARK, TURN, MAY, MAY), DARK),
        (call, (DARK, CALLED, DARK, DARK), TURN),
        (verdict, (play_once(TOOK, DARK), play_once(LOST, TURN), DARK, DARK), DARK),
    ):
        assert lights(match) == Lights(seats, attention)
    assert lights(bidden(20), is_in_trouble=True).attention == TROUBLE


def test_out_and_won() -> None:
    match = bidden(20, house=House(limit=1), seats=3)
    match = after(match, ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4"), None))
    assert lights(match).seats[0] == play_once(LOST, OUT)
    match = after(match, ("announce", 20, 1), ("turn", Option("coyote"), 2), ("reveal", ("10", "5"), None))
    assert match.outcome is not None
    assert lights(match).seats == (DARK, play_once(LOST, DARK), WON)


def test_a_press_is_answered_over_what_is_shown() -> None:
    shown = lights(bidden(20))
    assert with_flash(shown, 1, HEARD) == Lights(shown.seats, shown.attention, Flash(1, HEARD))
    for seatless in (None, 4):
        assert with_flash(shown, seatless, NOTHING).flash == Flash(None, NOTHING)


@pytest.mark.parametrize("seed", range(tiered(3, 20)))
def test_every_moment_has_lamps_and_a_seat_is_always_asked(seed: int) -> None:
    rng = Random(seed)
    match = any_match(rng)
    while match.asks and match.number < 200:
        shown = lights(match)
        lit = [*shown.seats, shown.attention]
        assert TURN in lit or MAY in lit or any(pattern.then in {TURN, MAY} for pattern in lit)
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
