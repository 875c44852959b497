"""Points and places: ties, late or corrected results, penalties, clocks."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import astuple, replace

from club.tournament import entering
from club.tournament.entering import MOST_ROUNDS, begin_tournament, register, release_person, rename_entrants
from club.tournament.results import PlayedMatch, results_of, seat_names
from club.tournament.rounds import (
    add_minutes,
    correct_result,
    draw_round,
    end_tournament,
    lift_penalty,
    move_table,
    penalise,
    send_round,
    start_clock,
    stop_clock,
    time_left,
)
from club.tournament.standings import standings_of
from club.tournament.values import Correction, Entrant, Penalty, Plan, Problem
from plugins.club.tests.tournament.evenings import plan_with, play_round, played, refused, tournament_of
from tests.tiers import tiered

PLAN = plan_with()


# an independent count, from the matches alone


class Stands(Struct, frozen=True, order=True):
    """A person's sort key; the first differing value decides."""

    points: Fraction
    won: int
    met: Fraction


def stands_of(
    people: Sequence[str], matches: Sequence[PlayedMatch], rounds: int, fined: str
) -> dict[str, Stands]:
    """Add up points: tied places share theirs, byes count, and one person has lost a point."""
    won, points = Counter[str](), defaultdict[str, Fraction](lambda: Fraction(rounds * PLAN.bye))
    for match in matches:
        for name, place in zip(match.names, match.places, strict=True):
            sharing = match.places.count(place)
            points[name] += Fraction(sum(PLAN.points[place - 1 : place - 1 + sharing]), sharing) - PLAN.bye
            won[name] += place == 1
    points[fined] -= 1
    met = defaultdict[str, Fraction](Fraction)
    for match in matches:
        for name in match.names:
            met[name] += sum(points[other] for other in match.names) - points[name]
    return {name: Stands(points[name], won[name], met[name]) for name in people}


@pytest.mark.parametrize("seed", range(tiered(10, 500)))
def test_standings_match_an_independent_count(seed: int) -> None:
    chance, matches = Random(seed), list[PlayedMatch]()
    tournament = tournament_of(chance.randint(4, 14), plan_with(size=chance.choice((3, 4))))
    for number in range(3):
        tournament, after = play_round(tournament, matches, seed + number)
        matches += [replace(each, places=shared(each.places, chance)) for each in after[len(matches) :]]
    fined = penalise(tournament, Penalty(chance.randint(1, 4), 1, "late", "Director", ""))
    told = standings_of(fined, results_of(tournament, matches))
    (name,) = (each.name for each in told if each.penalty)
    own = stands_of([each.name for each in told], matches, 3, name)
    for each in told:
        higher = sum(other > own[each.name] for other in own.values())
        assert (each.place, each.points, each.won, each.met) == (1 + higher, *astuple(own[each.name]))


def shared(places: tuple[int, ...], chance: Random) -> tuple[int, ...]:
    """Let some neighbouring finishers share the better place."""
    ranks = [place // chance.choice((1, 1, 2)) for place in places]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def test_late_result_counts_after_the_next_draw() -> None:
    tournament, matches = play_round(tournament_of(16, plan_with(4)), [], 1)
    late = matches.pop(2)
    tournament, matches = play_round(tournament, matches, 2)
    before = results_of(tournament, matches)
    seated = [(each.number, seating.table) for each in tournament.rounds for seating in each.seatings]
    assert [(each.round, each.table) for each in before] == [each for each in seated if each != (1, late.table)]
    # offline for an hour: its result arrives long after round 2 was sent
    after = results_of(tournament, [*matches, replace(late, heard=5000.0)])
    assert [each.match for each in after if each.round == 1 and each.table == late.table] == [late.number]
    assert [(each.round, each.table) for each in after] == seated


def test_ignores_matches_of_other_people_evenings_and_games() -> None:
    tournament, matches = play_round(tournament_of(4, plan_with(1)), [], 1)
    (match,) = matches
    for wrong in (
        replace(match, names=(*match.names[:3], "Eve")),
        replace(match, heard=1.0),
        replace(match, game="coup"),
        replace(match, table="table 9"),
    ):
        assert results_of(tournament, [wrong]) == ()
    assert len(results_of(tournament, [replace(match, names=tuple(name.lower() for name in match.names))])) == 1


def test_equal_names_get_numbers() -> None:
    tournament = tournament_of(3, plan_with(2, size=3))
    tournament, matches = play_round(tournament, [], 1)
    tournament = register(tournament, "P1")
    assert len(results_of(tournament, matches)) == 1
    for name in ("X", "Y"):
        tournament = register(tournament, name)
    tournament, matches = play_round(tournament, matches, 2)
    assert {"P1 1", "P1 4"} <= {name for each in matches[1:] for name in each.names}
    assert len(results_of(tournament, matches)) == 3


def test_result_correction_can_be_withdrawn() -> None:
    tournament, matches = play_round(tournament_of(4, plan_with(1)), [], 1)
    first = tournament.rounds[0].seatings[0].entrants
    said = Correction("table 1", (4, 3, 2, 1), "Director", "wrong card", "")
    corrected = correct_result(tournament, 1, said)
    (result,) = results_of(corrected, matches)
    assert (result.places, result.entrants, result.is_corrected) == ((4, 3, 2, 1), first, True)
    back = correct_result(corrected, 1, replace(said, places=()))
    assert results_of(back, matches) == results_of(tournament, matches)
    assert len(back.rounds[0].corrections) == 2
    # also counts if the table never returned
    assert results_of(corrected, []) == (result,)


def test_rejects_impossible_places() -> None:
    tournament, _matches = play_round(tournament_of(4, plan_with(1)), [], 1)
    for places in ((1, 2, 3), (1, 3, 3, 4), (0, 1, 2, 3), (2, 3, 4, 5)):
        said = Correction("table 1", places, "", "", "")
        assert refused(lambda said=said: correct_result(tournament, 1, said))[0] is Problem.PLACES


def test_penalties_deduct_points_and_can_be_lifted() -> None:
    tournament, results = played(8, plan_with(2), 1)
    winner = standings_of(tournament, results)[0]
    fined = penalise(tournament, Penalty(winner.number, 5, "looked at cards", "Director", ""))
    points = {each.number: each.points for each in standings_of(fined, results)}
    assert points[winner.number] == winner.points - 5
    assert standings_of(lift_penalty(fined, 0), results) == standings_of(tournament, results)
    for penalty in (Penalty(99, 1, "", "", ""), Penalty(1, 0, "", "", "")):
        refused(lambda penalty=penalty: penalise(tournament, penalty))


def test_clock_can_be_paused_resumed_and_extended() -> None:
    tournament = send_round(draw_round(tournament_of(4, plan_with(1)), (), 1), 100.0)
    refused(lambda: stop_clock(tournament_of(4, plan_with(1)), 1.0))
    stopped = stop_clock(tournament, 160.0)
    clock = stopped.rounds[0].clock
    assert (time_left(clock, 160.0), time_left(clock, 1000.0)) == (39 * 60, 39 * 60)
    again = add_minutes(start_clock(stopped, 1000.0), 5).rounds[0].clock
    assert (time_left(again, 1060.0), time_left(again, 10**6)) == (43 * 60, 0)


def test_round_can_move_to_a_free_table() -> None:
    tournament, matches = play_round(tournament_of(4, plan_with(1)), [], 1)
    moved = move_table(tournament, 1, "table 1", "table 7")
    assert results_of(moved, [replace(matches[0], table="table 7")])
    refused(lambda: move_table(moved, 1, "table 7", "table 7"))


def test_ended_tournament_allows_no_draw_or_entry() -> None:
    ended = end_tournament(draw_round(tournament_of(4, plan_with(1)), (), 1))
    assert ended.rounds == ()
    for act in (lambda: draw_round(ended, (), 1), lambda: register(ended, "Late")):
        assert refused(act)[0] is Problem.OVER


def test_names_that_look_the_same_get_numbers() -> None:
    tournament = register(register(register(tournament_of(0, PLAN), "Bo"), "Bo\ufe0f"), "Ana")
    assert list(seat_names(tournament).values()) == ["Bo 1", "Bo\ufe0f 2", "Ana"]


def test_rejects_invalid_and_duplicate_names() -> None:
    empty = tournament_of(0, PLAN)
    for name in ("", "  ", "x" * 31, "a\nb\x00", "\u3164\u2800"):
        assert refused(lambda name=name: register(empty, name))[0] is Problem.NAME
    assert register(empty, "x" * 30).entrants
    tournament = register(empty, "Ana", person=7)
    refused(lambda: register(tournament, "Ana", person=7))
    assert release_person(tournament, 7) == register(empty, "Ana")
    full = replace(empty, entrants=tuple(Entrant(number, "Ana") for number in range(entering.MAX_ENTRANTS)))
    assert refused(lambda: register(full, "Bo"))[0] is Problem.FULL
    assert rename_entrants(tournament, "ana") == register(empty, "Player")


@pytest.mark.parametrize(
    "plan",
    [
        replace(PLAN, places=()),
        replace(PLAN, places=(PLAN.places[0], PLAN.places[0])),
        replace(PLAN, places=(replace(PLAN.places[0], least=2),)),
        replace(PLAN, title=" "),
        *(replace(PLAN, rounds=rounds) for rounds in (0, MOST_ROUNDS + 1)),
        *(replace(PLAN, minutes=minutes) for minutes in (0, 601)),
        *(replace(PLAN, size=size) for size in (2, 9)),
        *(replace(PLAN, points=points) for points in ((), (2, 4), (1, -1))),
    ],
)
def test_rejects_unplayable_plans(plan: Plan) -> None:
    refused(lambda: begin_tournament(plan))


def test_plans_at_the_limits_are_played() -> None:
    for size, rounds, minutes in ((3, 1, 1), (8, MOST_ROUNDS, 600)):
        longest = replace(PLAN, size=size, points=(0,))
        begin_tournament(replace(longest, rounds=rounds, minutes=minutes))
