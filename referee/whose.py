"""Whose the cards were that all laid at once: of which that isn't known, and how a player says it."""

from collections import Counter

from referee.contract import Show
from referee.legal import ask_named
from referee.match import Correct, Match, Step, standing_answers
from referee.verdicts import reveal_of


def may_be_of(match: Match, seat: int) -> tuple[str, ...]:
    """List the cards shown whose owner isn't known, if this seat may have worn one of them."""
    reveal, step = reveal_of(match), _shown_by_all(match)
    if reveal is None or step is None:
        return ()
    told = [pair for row in reveal.rows for pair in zip(row.faces, row.notes, strict=False)]
    known = {note.seat: face for face, note in told if note.seat is not None}
    out = {each.seat for each in match.setup.game.rules.standings(step.before.state) if each.out}
    if seat in known or seat in out:
        return ()
    cards = Counter(_cards(step)) - Counter(face for face, note in told if note.seat is not None)
    return tuple(cards.elements())


def say_whose(match: Match, seat: int, face: str) -> Correct | None:
    """Put it into the record that a card was this seat's; None where it can't be, or is known."""
    step = _shown_by_all(match)
    if step is None or face not in may_be_of(match, seat):
        return None
    cards = _cards(step)
    owners = [*step.answer.owners] or [None] * len(cards)
    # a player wore one card: where two are told to be theirs, neither is certain
    free = (place for place, owner in enumerate(owners) if owner is None or owners.count(owner) > 1)
    mine = next(place for place in free if cards[place] == face)
    told = [None if owner == seat else owner for owner in owners]
    told[mine] = seat
    return Correct(match.number, step.heard_at, cards, tuple(told))


def _shown_by_all(match: Match) -> Step | None:
    """Give the last answer with cards that came from several players, and were asked of none of them alone."""
    for step in reversed(standing_answers(match)):
        ask = ask_named(step.before.asks, step.answer.ask)
        if isinstance(ask, Show) and not ask.seats and len(_cards(step)) > 1:
            sources = match.setup.game.table.sources(step.before.state, ask)
            return step if any(zone.seat is not None for zone in sources) else None
    return None


def _cards(step: Step) -> tuple[str, ...]:
    return step.answer.value if isinstance(step.answer.value, tuple) else ()
