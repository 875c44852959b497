"""Tournaments for tests: plans, people, and results as tables report them."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from club.tournament.entering import begin_tournament, register
from club.tournament.results import PlayedMatch, results_of, seat_names
from club.tournament.rounds import draw_round, send_round
from club.tournament.values import Movement, NotPossible, Place, Plan, Problem, Result, Tournament, sent_rounds


def refused(act: Callable[[], object]) -> tuple[Problem, str]:
    """Run an action that must be refused; return its problem and subject."""
    with pytest.raises(NotPossible) as error:
        act()
    return error.value.problem, error.value.about


def plan_with(
    tables: int = 4, movement: Movement = Movement.SWISS, *, rounds: int = 4, size: int = 4, most: int = 8
) -> Plan:
    places = tuple(Place(f"table {number}", "coyote", 3, most) for number in range(1, tables + 1))
    return Plan("Club evening", places, movement, rounds=rounds, size=size)


def tournament_of(people: int, plan: Plan) -> Tournament:
    tournament = begin_tournament(plan)
    for number in range(1, people + 1):
        tournament = register(tournament, f"P{number}")
    return tournament


def play_round(
    tournament: Tournament, matches: Sequence[PlayedMatch], seed: int
) -> tuple[Tournament, list[PlayedMatch]]:
    drawn = draw_round(tournament, results_of(tournament, matches), seed)
    sent = send_round(drawn, now=1000.0 * len(drawn.rounds))
    return sent, [*matches, *matches_of_round(sent, len(matches), seed)]


def matches_of_round(tournament: Tournament, after: int, seed: int) -> list[PlayedMatch]:
    """Play the last sent round with random places, under the names sent to the tables."""
    the_round, names, chance = sent_rounds(tournament)[-1], seat_names(tournament), Random(seed)
    return [
        PlayedMatch(
            number,
            seating.table,
            seating.game,
            tuple(names[each] for each in seating.entrants),
            tuple(chance.sample(range(1, len(seating.entrants) + 1), len(seating.entrants))),
            (the_round.sent or 0.0) + 60,
        )
        for number, seating in enumerate(the_round.seatings, after + 1)
    ]


def played(people: int, plan: Plan, rounds: int, seed: int = 1) -> tuple[Tournament, tuple[Result, ...]]:
    tournament, matches = tournament_of(people, plan), list[PlayedMatch]()
    for number in range(rounds):
        tournament, matches = play_round(tournament, matches, seed + number)
    return tournament, results_of(tournament, matches)
