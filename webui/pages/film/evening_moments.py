"""Three moments of an evening, chosen from the films of its matches; pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from referee.coaching import LEAST_LOSS, ToldAnalysis, ToldDecision
from referee.contract import Kind, Mood
from referee.contract.words import Phrase, phrase
from referee.cues import cue_for, moods_of
from referee.film import TELLING, Film
from referee.lead import LeadChange
from referee.match import Match
from referee.telling import Language, Listener, listener_at
from webui.drawing.film_step import tell_turn
from webui.drawing.told_rulings import tell_again
from webui.drawing.words import page_text

CALLS = frozenset({Mood.TRUTH, Mood.LIE})
"""Moods of a call that came to light."""
MOST = 2
"""Most sentences of a moment."""


class EveningMoment(Struct, frozen=True):
    """A moment worth remembering: of which match, where in its film, and in words."""

    match: int
    at: int
    time: str
    kind: str
    told: str


class _Found(Struct, frozen=True, eq=False):
    """A moment that may be chosen, and how much the places moved in it."""

    match: int
    moment: Match
    moved: int
    turn: LeadChange | None = None
    decision: ToldDecision | None = None


def moments_of_evening(
    films: Sequence[tuple[int, Film]],
    language: Language,
    analyses: Mapping[int, ToldAnalysis],
) -> tuple[EveningMoment, ...]:
    """Choose the costliest choice, the call that moved the places most, and the end that was open longest.

    Where nothing is known of choices, the change of lead that moved the places most stands for them.
    """
    over = [(number, film) for number, film in films if film.match.outcome is not None]
    choice = _costliest_choice(over, analyses)
    wanted = (
        (phrase("The costliest choice"), choice)
        if choice
        else (phrase("The lead changes"), _largest(_turns(over))),
        (phrase("A call"), _largest(_calls(over))),
        (phrase("Open to the last"), _closest_end(over)),
    )
    chosen = dict[tuple[int, int], EveningMoment]()
    for kind, found in wanted:
        if found is not None:
            told = _tell(kind, found, language)
            chosen.setdefault((told.match, told.at), told)
    return tuple(each for each in chosen.values() if each.told)


def _turns(films: Iterable[tuple[int, Film]]) -> Iterator[_Found]:
    """List where the lead changed hands, before the end."""
    for number, film in films:
        for turn in film.turns:
            moment = film.moments[turn.number].match
            if moment.outcome is None:
                yield _Found(number, moment, _moved(moment), turn)


def _costliest_choice(films: Iterable[tuple[int, Film]], analyses: Mapping[int, ToldAnalysis]) -> _Found | None:
    """Find the known decision that gave away most of a chance."""
    known = [
        (each.loss, number, film.moments[each.moment + 1].match, each)
        for number, film in films
        if number in analyses
        for player in analyses[number].players
        for each in player.decisions
        if each.kind is not Kind.POINTS and each.loss >= LEAST_LOSS and each.told and each.moment < film.last
    ]
    if not known:
        return None
    _loss, number, moment, decision = max(known, key=lambda each: each[:2])
    return _Found(number, moment, 0, decision=decision)


def _calls(films: Iterable[tuple[int, Film]]) -> Iterator[_Found]:
    """List where a call came to light, of what stands."""
    for number, film in films:
        for each in film.moments:
            if each.later != "undone" and moods_of(each.match) & CALLS:
                yield _Found(number, each.match, _moved(each.match))


def _closest_end(films: Iterable[tuple[int, Film]]) -> _Found | None:
    """Find the end of the match in which the lead changed hands last, counted back from its end."""
    ends = [
        (film.last - film.turns[-1].number, -number, film.moments[-1].match)
        for number, film in films
        if film.turns
    ]
    if not ends:
        return None
    _left, number, moment = min(ends, key=lambda each: each[:2])
    return _Found(-number, moment, 0)


def _largest(found: Iterable[_Found]) -> _Found | None:
    """Choose where the places moved most; of equal ones the latest."""
    return max(found, key=lambda each: (each.moved, each.match, each.moment.number), default=None)


def _moved(moment: Match) -> int:
    """Count by how many places the players moved."""
    if moment.before is None:
        return 0
    game = moment.setup.game
    before, now = (
        {each.seat: each.place for each in game.rules.standings(state)}
        for state in (moment.before.state, moment.state)
    )
    return sum(abs(place - before.get(seat, place)) for seat, place in now.items())


def _tell(kind: Phrase, found: _Found, language: Language) -> EveningMoment:
    moment = found.moment
    listener = listener_at(moment.setup, language)
    at = "" if moment.entry is None else moment.entry.at
    told = " ".join(_sentences(found, listener))
    return EveningMoment(found.match, moment.number, at[11:16], page_text(language, kind), told)


def _sentences(found: _Found, listener: Listener) -> Sequence[str]:
    """Tell what was found, or what everybody remembers of a moment; where nothing is, what was ruled first."""
    if found.decision is not None:
        return found.decision.told[:MOST]
    if found.turn is not None:
        return (tell_turn(found.turn, listener),)
    moment = found.moment
    cues = [(cue_for(moment.setup.game, ruling), ruling) for ruling in moment.rulings]
    telling = [ruling for cue, ruling in cues if cue is not None and cue.mood in TELLING]
    return [tell_again(listener, ruling) for ruling in telling[-MOST:] or moment.rulings[:1]]
