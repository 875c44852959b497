"""Standings of an evening, worked out without the club, against what can be counted by hand."""

from fractions import Fraction

from referee.games.coyote import COYOTE
from referee.record import record_lines
from tests.long.club_evening import Played, Stands, place_of, played_at, stand
from tests.webui.matches import play_match

ROUND = (Played(("Ana", "Bo", "Eve"), (1, 2, 2)), Played(("Kim", "Lou", "Max"), (3, 1, 2)))
PEOPLE = ("Ana", "Bo", "Eve", "Kim", "Lou", "Max", "Zoe")


def test_points_are_shared_and_who_sat_out_has_some() -> None:
    stands = stand(PEOPLE, ROUND, 1)
    assert stands["Ana"] == Stands(Fraction(6), 1, Fraction(6))
    assert stands["Bo"] == stands["Eve"] == Stands(Fraction(3), 0, Fraction(9))
    assert stands["Zoe"] == Stands(Fraction(3), 0, Fraction(0))
    assert {name: place_of(name, stands) for name in PEOPLE} == {
        "Ana": 1, "Lou": 1, "Max": 3, "Bo": 4, "Eve": 4, "Zoe": 6, "Kim": 7,
    }  # fmt: skip


def test_a_round_that_somebody_sat_out_counts_for_whom_they_have_met() -> None:
    stands = stand(PEOPLE, ROUND, 2)
    assert stands["Ana"] == Stands(Fraction(9), 1, Fraction(12))


def test_of_a_journal_finished_matches_of_these_people_count_once() -> None:
    lines = record_lines(play_match(COYOTE, ("Ana", "Bo", "Eve"), 1))
    strangers = record_lines(play_match(COYOTE, ("Ana", "Bo", "Tom"), 1))
    [played] = played_at([lines[:-1], strangers, lines, lines], frozenset(PEOPLE))
    assert played.names == ("Ana", "Bo", "Eve")
    assert min(played.places) == 1
