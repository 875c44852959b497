"""The last verdict: what was decided last, in one sentence, until something new is claimed."""

from itertools import chain

from referee.contract import Game, Mood, Reveal, Ruling, Verdict, Verdicts
from referee.match import Match, Step, beginning_of
from referee.showing import cue_for

CLAIMING = frozenset({Mood.CALL, Mood.CLAIM, Mood.COUNTER})
DECIDING = frozenset({Mood.TRUTH, Mood.LIE, Mood.GAIN, Mood.LOSS, Mood.OUT, Mood.TRICK})
"""Moods that tell claims from decisions in a game that doesn't say which of its rulings are which."""
BAD = frozenset({Mood.LIE, Mood.LOSS, Mood.OUT})
FACES = ("card", "face")


def last_verdict(match: Match) -> Verdict | None:
    """Give what was decided last; None before the first decision, and while a new claim stands."""
    game = match.setup.game
    verdicts = verdicts_of(game)
    story = _story_since(match, verdicts.claims)
    said = match.position.rulings if story is None else story
    last = next((place for place in reversed(range(len(said))) if said[place].key in verdicts.decides), None)
    if last is None:
        return None
    joined = None if story is None else verdicts.joined(said[: last + 1])
    return joined or _said_alone(game, said[last])


def reveal_of(match: Match) -> Reveal | None:
    """Give the scene that the newest answer has brought, until the next one."""
    verdicts = verdicts_of(match.setup.game)
    if not any(ruling.key in verdicts.reveals for ruling in match.position.rulings):
        return None
    story = _story_since(match, verdicts.begins or verdicts.claims)
    return None if story is None or last_verdict(match) is None else verdicts.reveal(match.state, story)


def verdicts_of(game: Game) -> Verdicts:
    """Give what decides and what claims in a game; where it doesn't say so, its cues do."""
    return game.shown.verdicts or Verdicts(
        claims=_keys_with(game, CLAIMING), decides=_keys_with(game, DECIDING)
    )


def _keys_with(game: Game, moods: frozenset[Mood]) -> frozenset[str]:
    return frozenset(key for key, cue in game.feel.cues.items() if cue.mood in moods)


def _story_since(match: Match, keys: frozenset[str]) -> tuple[Ruling, ...] | None:
    """List the rulings of the answers that stand, from the last one of these on.

    None where answers were let go of, as those before a correction are: what led to a moment isn't known then.
    """
    position, parts = match.position, list[tuple[Ruling, ...]]()
    while True:
        places = [place for place, ruling in enumerate(position.rulings) if ruling.key in keys]
        parts.append(position.rulings[places[-1] if places else 0 :])
        if places or not isinstance(position, Step):
            break
        position = position.before
    is_whole = bool(places) or position is beginning_of(match).position
    return tuple(chain.from_iterable(reversed(parts))) if is_whole else None


def _said_alone(game: Game, ruling: Ruling) -> Verdict:
    cue = cue_for(game, ruling)
    face = next((value for name in FACES if isinstance(value := ruling.values.get(name), str)), "")
    return Verdict(ruling.key, ruling.values, cue is None or cue.mood not in BAD, face)
