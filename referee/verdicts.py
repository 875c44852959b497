"""The latest verdict of a match, in one sentence, until the next claim."""

from collections import Counter
from itertools import chain

from msgspec import Struct

from referee.contract import Game, Mood, Reveal, Ruling, Show, Verdict, Verdicts
from referee.legal import ask_named
from referee.match import Correct, Match, Step, beginning_of, standing_answers
from referee.seatings import heard_at
from referee.showing import cue_for

CLAIMING = frozenset({Mood.CALL, Mood.CLAIM, Mood.COUNTER})
DECIDING = frozenset({Mood.TRUTH, Mood.LIE, Mood.GAIN, Mood.LOSS, Mood.OUT, Mood.TRICK})
"""Moods that separate claims from decisions in games that don't define `verdicts`."""
BAD = frozenset({Mood.LIE, Mood.LOSS, Mood.OUT})
FACES = ("card", "face")


class Decision(Struct, frozen=True):
    """The latest verdict and the moment of its answer."""

    verdict: Verdict
    heard_at: int


def last_decision(match: Match) -> Decision | None:
    """Return the latest decision; None before the first one and while a new claim is open."""
    game = match.setup.game
    verdicts = verdicts_of(game)
    story = _story_since(match, verdicts.claims)
    now = heard_at(match.position)
    said = tuple((now, ruling) for ruling in match.position.rulings) if story is None else story
    last = next((at for at in reversed(range(len(said))) if said[at][1].key in verdicts.decides), None)
    if last is None:
        return None
    joined = None if story is None else verdicts.joined(_rulings(said[: last + 1]))
    return Decision(joined or _single_verdict(game, said[last][1]), said[last][0])


def last_verdict(match: Match) -> Verdict | None:
    decision = last_decision(match)
    return None if decision is None else decision.verdict


def reveal_of(match: Match) -> Reveal | None:
    """Return the scene revealed by the newest answer."""
    story = _story_of_scene(match)
    reveal = verdicts_of(match.setup.game).reveal
    return None if not story or last_verdict(match) is None else reveal(match.state, _rulings(story))


def beginning_of_scene(match: Match) -> int | None:
    """Return the moment at which the scene's story began; None without a scene."""
    story = _story_of_scene(match)
    return story[0][0] if story else None


def _story_of_scene(match: Match) -> "Story | None":
    verdicts = verdicts_of(match.setup.game)
    if not any(ruling.key in verdicts.reveals for ruling in match.position.rulings):
        return None
    return _story_since(match, verdicts.begins or verdicts.claims)


def verdicts_of(game: Game) -> Verdicts:
    """Return a game's verdict rules, derived from its cues if it defines none."""
    return game.shown.verdicts or Verdicts(
        claims=_keys_with(game, CLAIMING), decides=_keys_with(game, DECIDING)
    )


def _keys_with(game: Game, moods: frozenset[Mood]) -> frozenset[str]:
    return frozenset(key for key, cue in game.feel.cues.items() if cue.mood in moods)


Story = tuple[tuple[int, Ruling], ...]
"""Rulings in order, each with the moment of its answer."""


def _rulings(story: Story) -> tuple[Ruling, ...]:
    return tuple(ruling for _heard_at, ruling in story)


def _story_since(match: Match, keys: frozenset[str]) -> Story | None:
    """Return the rulings of accepted answers since the last ruling with one of these keys.

    None if earlier answers were dropped, as they are before a correction.
    """
    position, parts = match.position, list[Story]()
    while True:
        places = [place for place, ruling in enumerate(position.rulings) if ruling.key in keys]
        told = position.rulings[places[-1] if places else 0 :]
        parts.append(tuple((heard_at(position), ruling) for ruling in told))
        if places or not isinstance(position, Step):
            break
        position = position.before
    is_whole = bool(places) or position is beginning_of(match).position
    return tuple(chain.from_iterable(reversed(parts))) if is_whole else None


def _single_verdict(game: Game, ruling: Ruling) -> Verdict:
    cue = cue_for(game, ruling)
    face = next((value for name in FACES if isinstance(value := ruling.values.get(name), str)), "")
    return Verdict(ruling.key, ruling.values, cue is None or cue.mood not in BAD, face)


# Owners of cards that all players showed at once: unknown owners, and how a player reports theirs.


def may_be_of(match: Match, seat: int) -> tuple[str, ...]:
    """Return the revealed cards of unknown owner, if this seat may have held one of them."""
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
    """Return the correction that assigns a card to this seat; None if impossible or already known."""
    step = _shown_by_all(match)
    if step is None or face not in may_be_of(match, seat):
        return None
    cards = _cards(step)
    owners = [*step.answer.owners] or [None] * len(cards)
    # each player held one card: if two name the same owner, neither is certain
    free = (place for place, owner in enumerate(owners) if owner is None or owners.count(owner) > 1)
    mine = next(place for place in free if cards[place] == face)
    told = [None if owner == seat else owner for owner in owners]
    told[mine] = seat
    return Correct(match.number, step.heard_at, cards, tuple(told))


def _shown_by_all(match: Match) -> Step | None:
    """Return the last answer with cards of several players, asked of the whole table."""
    for step in reversed(standing_answers(match)):
        ask = ask_named(step.before.asks, step.answer.ask)
        if isinstance(ask, Show) and not ask.seats and len(_cards(step)) > 1:
            sources = match.setup.game.table.sources(step.before.state, ask)
            return step if any(zone.seat is not None for zone in sources) else None
    return None


def _cards(step: Step) -> tuple[str, ...]:
    return step.answer.value if isinstance(step.answer.value, tuple) else ()
