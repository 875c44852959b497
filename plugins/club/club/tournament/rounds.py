"""The director's operations on rounds: draw, swap, move, send, clock, corrections and penalties."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

from msgspec.structs import replace

from club.tournament.movements import choose_byes, divide, table_sizes
from club.tournament.standings import standings_of
from club.tournament.values import (
    Clock,
    Correction,
    NotPossible,
    Penalty,
    Place,
    Problem,
    Result,
    Round,
    Seating,
    Tournament,
    draft_of,
    entrant_of,
    plain_places,
    sent_rounds,
)

MOST_POINTS = 1000


def draw_round(tournament: Tournament, results: Sequence[Result], seed: int) -> Tournament:
    """Draw the next round, or redraw an unsent one; the same seed gives the same draw."""
    if tournament.is_over:
        raise NotPossible(Problem.OVER)
    plan, before = tournament.plan, sent_rounds(tournament)
    if len(before) >= plan.rounds:
        raise NotPossible(Problem.LAST_ROUND)
    draw = Random(seed)  # noqa: S311 - seating needs no secure randomness
    numbers = {each.number for each in tournament.entrants if each.is_here}
    sizes = table_sizes(len(numbers), plan.places, plan.size)
    standings = [each for each in standings_of(tournament, results) if each.number in numbers]
    byes = choose_byes(standings, len(numbers) - sum(sizes), draw)
    playing = [each.number for each in standings if each.number not in byes]
    used = [(place, size) for place, size in zip(plan.places, sizes, strict=True) if size]
    groups = divide(tournament, results, playing, [size for _place, size in used], draw)
    seatings = _seat(before, [place for place, _size in used], groups, draw)
    drawn = Round(len(before) + 1, seatings, tuple(sorted(byes)))
    return replace(tournament, rounds=(*before, drawn))


def _seat(
    before: Sequence[Round], places: Sequence[Place], groups: Iterable[tuple[int, ...]], draw: Random
) -> tuple[Seating, ...]:
    """Order each group around its table: those who sat in front least often sit in front."""
    sat = Counter[int]()
    for each in before:
        for seating in each.seatings:
            sat.update({number: len(seating.entrants) - at for at, number in enumerate(seating.entrants)})
    return tuple(
        Seating(place.table, place.game, tuple(sorted(draw.sample(group, len(group)), key=sat.__getitem__)))
        for place, group in zip(places, groups, strict=True)
    )


def swap(tournament: Tournament, one: int, other: int) -> Tournament:
    draft = _draft(tournament)
    involved = {*draft.byes, *(number for seating in draft.seatings for number in seating.entrants)}
    for number in (one, other):
        if number not in involved:
            raise NotPossible(Problem.UNKNOWN, str(number))
    trade = {one: other, other: one}
    seatings = tuple(replace(each, entrants=_traded(each.entrants, trade)) for each in draft.seatings)
    changed = replace(draft, seatings=seatings, byes=tuple(sorted(_traded(draft.byes, trade))))
    return _with_round(tournament, changed)


def _traded(numbers: Iterable[int], trade: dict[int, int]) -> tuple[int, ...]:
    return tuple(trade.get(number, number) for number in numbers)


def _draft(tournament: Tournament) -> Round:
    draft = draft_of(tournament)
    if draft is None:
        raise NotPossible(Problem.NO_ROUND)
    return draft


def send_round(tournament: Tournament, now: float) -> Tournament:
    """Send the drawn round: it counts from now on, and its clock starts."""
    draft = _draft(tournament)
    return _with_round(tournament, replace(draft, sent=now, clock=Clock(now, tournament.plan.minutes)))


def move_table(tournament: Tournament, number: int, table: str, to: str) -> Tournament:
    the_round = round_of(tournament, number)
    if any(each.table == to for each in the_round.seatings) or not to:
        raise NotPossible(Problem.TABLE, to)
    seating_of(the_round, table)
    seatings = tuple(replace(each, table=to) if each.table == table else each for each in the_round.seatings)
    return _with_round(tournament, replace(the_round, seatings=seatings))


def round_of(tournament: Tournament, number: int) -> Round:
    if not 1 <= number <= len(tournament.rounds):
        raise NotPossible(Problem.NO_ROUND)
    return tournament.rounds[number - 1]


def seating_of(the_round: Round, table: str) -> Seating:
    found = next((each for each in the_round.seatings if each.table == table), None)
    if found is None:
        raise NotPossible(Problem.TABLE, table)
    return found


def _with_round(tournament: Tournament, changed: Round) -> Tournament:
    rounds = tuple(changed if each.number == changed.number else each for each in tournament.rounds)
    return replace(tournament, rounds=rounds)


def correct_result(tournament: Tournament, number: int, correction: Correction) -> Tournament:
    """Set a result; without places, restore the table's own one."""
    the_round = round_of(tournament, number)
    seats = len(seating_of(the_round, correction.table).entrants)
    if the_round.sent is None:
        raise NotPossible(Problem.UNSENT)
    places = correction.places
    if places and (len(places) != seats or places != plain_places(places)):
        raise NotPossible(Problem.PLACES)
    changed = replace(the_round, corrections=(*the_round.corrections, correction))
    return _with_round(tournament, changed)


def penalise(tournament: Tournament, penalty: Penalty) -> Tournament:
    entrant_of(tournament, penalty.entrant)
    if not 1 <= penalty.points <= MOST_POINTS:
        raise NotPossible(Problem.POINTS)
    return replace(tournament, penalties=(*tournament.penalties, penalty))


def lift_penalty(tournament: Tournament, index: int) -> Tournament:
    """Lift a penalty; it stays in the record."""
    if not 0 <= index < len(tournament.penalties):
        raise NotPossible(Problem.UNKNOWN)
    penalties = list(tournament.penalties)
    penalties[index] = replace(penalties[index], is_lifted=True)
    return replace(tournament, penalties=tuple(penalties))


def end_tournament(tournament: Tournament) -> Tournament:
    """End a tournament; an unsent draft is dropped."""
    return replace(tournament, rounds=sent_rounds(tournament), is_over=True)


def time_left(clock: Clock, now: float) -> float:
    """Return the seconds left in a round, at least 0."""
    ran = (now if clock.stopped is None else clock.stopped) - clock.began
    return max(0.0, clock.minutes * 60 - ran)


def stop_clock(tournament: Tournament, now: float) -> Tournament:
    return _with_clock(
        tournament, lambda clock: clock if clock.stopped is not None else replace(clock, stopped=now)
    )


def start_clock(tournament: Tournament, now: float) -> Tournament:
    """Resume the clock of the round."""

    def run_on(clock: Clock) -> Clock:
        stood = 0.0 if clock.stopped is None else now - clock.stopped
        return replace(clock, began=clock.began + stood, stopped=None)

    return _with_clock(tournament, run_on)


def add_minutes(tournament: Tournament, minutes: float) -> Tournament:
    return _with_clock(tournament, lambda clock: replace(clock, minutes=max(0.0, clock.minutes + minutes)))


def _with_clock(tournament: Tournament, how: Callable[[Clock], Clock]) -> Tournament:
    rounds = sent_rounds(tournament)
    if not rounds or rounds[-1].clock is None:
        raise NotPossible(Problem.UNSENT)
    return _with_round(tournament, replace(rounds[-1], clock=how(rounds[-1].clock)))
