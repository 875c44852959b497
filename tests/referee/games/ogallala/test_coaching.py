"""Expected points of canoes, and better placements, shots and attacks."""

from gettext import NullTranslations
from math import exp

import pytest

from referee.coaching import judgement_texts, line_of
from referee.contract import Judgement
from referee.games.ogallala.coaching import (
    KEPT_COMPLETE,
    KEPT_INCOMPLETE,
    NARROW_KEPT,
    Odds,
    expected_points,
    judge_decisions,
    odds_of,
)
from referee.games.ogallala.deck import House
from referee.games.ogallala.final_count import score
from tests.referee.games.ogallala.script import Script, begin_midway, territory
from tests.referee.laboratories import StillLaboratory, match_by_bots

NEVER, EVEN = Odds(0, 0.2, 0.2), Odds(4, 0.25, 0.25)
FIRST, SECOND = 1 - exp(-1), 1 - 2 * exp(-1)
"""Chances to draw one bow or stern, and two of them, if one is expected."""


def expected(row: str, odds: Odds) -> float:
    return expected_points(House(), territory(row), odds)


def test_complete_canoe_counts_its_points() -> None:
    """Before the end it may still be lost."""
    for row in ("B S", "B 1r keg S", "B gold-left gold-right gold-digger S"):
        points = score(House(), territory(row))
        assert expected(row, NEVER) == points > 0
        assert expected(row, EVEN) == pytest.approx(points * KEPT_COMPLETE**4)


@pytest.mark.parametrize(
    ("row", "odds", "points"),
    [
        ("B 1r keg", NEVER, 0.0),
        # four cards with a stern, and ten for the keg
        ("B 1r keg", EVEN, FIRST * 14),
        ("1r keg S", EVEN, FIRST * 14),
        ("1r keg", EVEN, FIRST * FIRST * 14),
        # any card fits the gap
        ("B 1r - keg S", EVEN, 15),
        ("B 1r - keg S", NEVER, 0.0),
        # the first stern is for the more valuable canoe
        ("B 1r keg\nB 2r", EVEN, FIRST * 14 + SECOND * 3),
    ],
)
def test_incomplete_canoe_counts_by_its_chance(row: str, odds: Odds, points: float) -> None:
    assert expected(row, odds) == pytest.approx(points * KEPT_INCOMPLETE**odds.draws)


def test_canoe_without_room_for_its_stern_counts_nothing() -> None:
    thirteen = "B 1r 2r 3r 4r 5r hr cr keg fur eagle tent tobacco"
    kept = KEPT_INCOMPLETE**4
    assert expected(f"{thirteen} companion", EVEN) == 0
    # without a column to spare, the place of the stern may be lost
    assert expected(thirteen, EVEN) == pytest.approx(FIRST * (28 + 50) * kept * NARROW_KEPT)
    ten = "B 1r 2r 3r 4r 5r hr cr keg fur"
    assert expected(ten, EVEN) == pytest.approx(FIRST * (22 + 20) * kept)


def test_odds_count_the_face_down_cards() -> None:
    """Of 112 cards, 24 are bows or sterns; two bows and a stern are open."""
    state = begin_midway("B 1r", "S / Br 3b").state
    odds = odds_of(state)
    hidden = 112 - 5
    assert odds.draws == hidden / 2
    assert (odds.bows, odds.sterns) == (pytest.approx(10 / hidden), pytest.approx(11 / hidden))


def judged(script: Script) -> list[Judgement]:
    return list(judge_decisions(line_of(script.match), StillLaboratory()))


def test_prize_belongs_beside_its_other_half() -> None:
    """Two halves side by side count 40, apart 20; the canoe still lacks a stern."""
    script = begin_midway("B 1r gold-left", "B 2r").plays("+gold-right 3")
    apart = begin_midway("B 1r gold-left", "B 2r").plays("+gold-right 1,1")
    (best,), (worse,) = judged(script), judged(apart)
    assert best.better is None
    assert worse.better is not None
    assert worse.loss > 2
    told = judgement_texts(apart.match, worse, NullTranslations())
    assert told[1].startswith("Better: ")
    assert "beside" in told[1]


def test_attack_on_the_leader_is_better() -> None:
    """Both canoes are weaker; the second has a keg, and its owner leads."""
    lands = "B 5r cr", "B 1r", "B 2r keg S"
    (*_placing, spared) = judged(begin_midway(*lands).plays("+S 3 spare"))
    assert spared.better is not None
    assert (spared.better.word, spared.better.seat) == ("attack", 2)
    assert spared.remarks[-1].key == "coach-rather-attack"


def test_advice_is_neither_petty_nor_rare() -> None:
    """One decision in twenty could be better, by bots that look one card ahead."""
    found = judge_decisions(line_of(match_by_bots("ogallala", "rule text", 4)), StillLaboratory())
    better = [each for each in found if each.better is not None]
    assert all(each.loss >= 2 for each in better)
    assert len(better) >= len(found) / 20
