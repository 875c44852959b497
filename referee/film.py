"""A match moment by moment, with corrections marked, and its turning points."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Answer, Mood, Stretch
from referee.match import Correct, Match, Step, TakeBack, moments, standing_answers
from referee.showing import moods_of
from referee.verdicts import reveal_of

Kept = Literal["", "to the end", "at the end"]


class LeadChange(Struct, frozen=True):
    """A moment at which the sole lead passes to another player; a shared lead doesn't count."""

    number: int
    seat: int
    before: int
    kept: Kept = ""


def lead_changes(story: Iterable[Match]) -> tuple[LeadChange, ...]:
    """List the moments at which the lead changed; a sole winner takes it at the end at the latest."""
    changes, ahead, over = list[LeadChange](), None, False
    for moment in story:
        leader = leader_of(moment)
        # a shared win gives no lead
        over = leader is not None and moment.outcome is not None
        if leader is None:
            continue
        if ahead is not None and leader != ahead:
            changes.append(LeadChange(moment.number, leader, ahead, "at the end" if over else ""))
        ahead = leader
    if over and changes and changes[-1].seat == ahead and not changes[-1].kept:
        changes[-1] = replace(changes[-1], kept="to the end")
    return tuple(changes)


def leader_of(match: Match) -> int | None:
    """Return the sole leader or sole winner; None if there is none."""
    outcome = match.outcome
    if outcome is not None:
        first = list(outcome.winners)
    else:
        first = [each.seat for each in match.setup.game.rules.standings(match.state) if each.place == 1]
    return first[0] if len(first) == 1 else None


MEMORABLE_MOODS = frozenset(Mood) - {Mood.SEASON, Mood.TRICK, Mood.CLAIM, Mood.COUNTER, Mood.GAIN}
"""Moods of memorable moments: calls, reveals, losses, the end."""
Later = Literal["", "undone", "corrected"]


class FilmMoment(Struct, frozen=True, eq=False):
    """A moment of a film: its round, and whether its answer was later undone or corrected."""

    match: Match
    round: int
    step: int  # number within its round, from 1
    later: Later = ""
    is_telling: bool = False


class Call(Struct, frozen=True):
    """A moment that decided on a number: its margin, and whether an earlier bluff went unchallenged."""

    number: int
    margin: int
    has_held: bool = False


class Film(Struct, frozen=True, eq=False):
    """All moments of a match in order, undone ones included; the index of each is its number."""

    match: Match
    moments: tuple[FilmMoment, ...]
    turns: tuple[LeadChange, ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def last(self) -> int:
        return len(self.moments) - 1


def film_of(match: Match) -> Film:
    story = list(moments(match))[::-1]
    standing = {step.heard_at: step for step in standing_answers(match)}
    steps, film = dict[int, int](), list[FilmMoment]()
    for moment, number in zip(story, _rounds(story), strict=True):
        steps[number] = steps.get(number, 0) + 1
        later, is_telling = _later(moment, standing), bool(moods_of(moment) & MEMORABLE_MOODS)
        film.append(FilmMoment(moment, number, steps[number], later, is_telling))
    turns = lead_changes(each.match for each in film if each.later != "undone")
    calls = list[Call]()
    for each in film:
        if each.later != "undone" and isinstance(each.match.entry, Answer):
            reveal = reveal_of(each.match)
            if reveal is not None and reveal.margin is not None:
                calls.append(Call(each.match.number, reveal.margin, bool(reveal.held)))
    return Film(match, tuple(film), turns, tuple(calls))


CLOSE_MARGIN = 2  # largest margin of a close call


def close_calls(film: Film) -> tuple[Call, ...]:
    """Return the close calls; if there are none, the call with the smallest margin."""
    close = tuple(call for call in film.calls if call.margin <= CLOSE_MARGIN)
    return close or tuple(sorted(film.calls, key=lambda call: call.margin)[:1])


def _rounds(story: Iterable[Match]) -> Iterator[int]:
    """Yield the round number of each moment; the moment that ends a round belongs to it."""
    over, after = 0, dict[int, int]()
    for moment in story:
        entry, before = moment.entry, moment.before
        if isinstance(entry, Answer) and before is not None:
            yield over + 1
            game = moment.setup.game
            seen, now = (game.shown.view(each.state, None) for each in (before, moment))
            over += game.counting.ends(Stretch(seen, moment.rulings, now))
        else:
            # a restored state belongs to its earlier round; a corrected one to the current round
            over = after.get(id(moment.state), over)
            yield over + 1
        after[id(moment.state)] = over


def _later(moment: Match, standing: dict[int, Step]) -> Later:
    if not isinstance(moment.entry, Answer):
        return ""
    step = standing.get(moment.number - 1)
    if step is None:
        return "undone"
    return "" if step.answer.value == moment.entry.value else "corrected"


def first_moments(film: Film) -> dict[int, int]:
    """Map each round to the number of its first moment with an answer."""
    firsts: dict[int, int] = {}
    for moment in film.moments[1:]:
        firsts.setdefault(moment.round, moment.match.number)
    return firsts


def is_put_right(moment: Match) -> bool:
    return isinstance(moment.entry, TakeBack | Correct)
