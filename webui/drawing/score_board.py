"""What the score page shows, drawn from what everybody may know: pure."""

from collections.abc import Iterable, Mapping
from itertools import islice
from math import ceil
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from referee.contract import Answer, Ask, Standing
from referee.contract.words import Phrase
from referee.match import Correct, Match, moments
from referee.telling import Listener, tell, tell_ask, tell_count, tell_face, tell_player
from webui.drawing.grids import Sheet, sheet_of
from webui.drawing.words import FACTS, OPEN, OPEN_BEFORE, page_text

MOMENTS = 8
"""Moments back to which sentences are shown."""
PICTURED = 12
"""The most marks or coins that are drawn one by one."""
MANY = 24
"""The most cards that are listed without being folded up."""


class DrawnCount(Struct, frozen=True):
    """What somebody has: drawn so often (0: too many to draw), and said."""

    key: str
    drawn: int
    text: str


class OpenCards(Struct, frozen=True):
    """Cards that lie open, and where."""

    where: str
    faces: tuple[str, ...]
    is_long: bool = False
    """There are so many that a page had better fold them up."""


class Player(Struct, frozen=True):
    """A player's line of the score."""

    name: str
    place: int
    counts: tuple[DrawnCount, ...]
    cards: tuple[OpenCards, ...]
    is_out: bool
    is_winner: bool
    has_turn: bool
    is_asked: bool
    is_you: bool
    notes: tuple[str, ...] = ()
    """What else there is to say of it."""


class Clock(Struct, frozen=True):
    """How many seconds an ask may stand; and when the clock answers it, while that runs."""

    seconds: int
    ends: float | None


class AskLine(Struct, frozen=True):
    """What is asked now, of whomever."""

    key: str
    text: str
    clock: Clock | None


class Score(Struct, frozen=True):
    """All of the score page."""

    title: str
    facts: tuple[str, ...]
    over: str
    asks: tuple[AskLine, ...]
    players: tuple[Player, ...]
    cards: tuple[OpenCards, ...]
    grids: tuple[Sheet, ...]
    told: tuple["MomentSentences", ...]
    """What the last moments brought, the newest moment first."""
    as_recorded: str = ""
    """What to do where the table counts otherwise, in games of which the camera sees a part only."""


class MomentSentences(Struct, frozen=True):
    """Sentences of a moment, and the number of the answer whose picture they rest on."""

    sentences: tuple[str, ...]
    why: int | None = None


def score_of(
    match: Match,
    seat: int | None,
    listener: Listener,
    pictured: frozenset[int] = frozenset(),
    ends: Mapping[str, float] = {},
) -> Score:
    """Draw the score for whoever looks from a seat, or from none; `pictured` answers rest on a picture.

    `ends` says when the clock answers what has a deadline.
    """
    game = match.setup.game
    seen = game.view(match.state, seat)
    view = asdict(seen)
    return Score(
        title=listener.language.gettext(game.words.title.one),
        facts=tuple(_facts(view, listener)),
        over=_outcome_text(match, listener),
        asks=tuple(_ask_line(ask, ends, listener) for ask in match.asks),
        players=tuple(
            _player(match, standing, view, seat, listener)
            for standing in (*game.standings(match.state), *view.get("unseated", ()))
        ),
        cards=tuple(_open_cards(view, listener)),
        grids=tuple(sheet_of(grid, listener) for grid in game.grids(seen)),
        told=tuple(
            told for told in islice(_moment_sentences(match, listener, pictured), MOMENTS) if told.sentences
        ),
        as_recorded="" if game.turns is None else page_text(listener.language, "as recorded"),
    )


def _ask_line(ask: Ask, ends: Mapping[str, float], listener: Listener) -> AskLine:
    clock = None if ask.deadline is None else Clock(ceil(ask.deadline.seconds), ends.get(ask.key))
    return AskLine(ask.key, tell_ask(listener, ask), clock)


def _facts(view: Mapping[str, Any], listener: Listener) -> Iterable[str]:
    """Tell how far the match is; and of an edition, which."""
    edition = listener.words.editions.get(str(view.get("edition")))
    if edition is not None:
        yield edition
    for key, words in FACTS.items():
        if view.get(key):
            yield _fact(words, view[key], listener)
    if view.get("card"):
        yield page_text(listener.language, "in the middle", card=tell_face(listener, view["card"]))


def _fact(words: Phrase, number: int, listener: Listener) -> str:
    language = listener.language
    text = language.ngettext(words.one, words.many, number) if words.many else language.gettext(words.one)
    return text.format(number=number)


def _outcome_text(match: Match, listener: Listener) -> str:
    outcome = match.outcome
    if outcome is None:
        return ""
    names = ", ".join(listener.names[seat] for seat in outcome.winners)
    won = (
        page_text(listener.language, "wins", names=names)
        if names
        else page_text(listener.language, "nobody wins")
    )
    return f"{page_text(listener.language, 'over')} {won}"


def _player(
    match: Match, standing: Standing, view: Mapping[str, Any], viewer: int | None, listener: Listener
) -> Player:
    seat, outcome = standing.seat, match.outcome
    return Player(
        name=tell_player(listener, seat),
        place=standing.place,
        counts=tuple(_count(listener, key, number) for key, number in standing.counts.items()),
        cards=tuple(_open_cards_before(view, seat, listener)),
        is_out=standing.out,
        is_winner=outcome is not None and seat in outcome.winners,
        has_turn=outcome is None and view.get("turn") == seat,
        is_asked=any(seat in ask.seats for ask in match.asks),
        is_you=seat == viewer,
        notes=tuple(tell(listener, note) for note in view["notes"][seat]) if "notes" in view else (),
    )


def _count(listener: Listener, key: str, number: int) -> DrawnCount:
    drawn = number if 0 <= number <= PICTURED else 0
    return DrawnCount(key, drawn, tell_count(listener, key, number))


def _open_cards(view: Mapping[str, Any], listener: Listener) -> Iterable[OpenCards]:
    for key, words in OPEN.items():
        if view.get(key):
            yield _cards(words.one, view[key], listener)


def _open_cards_before(view: Mapping[str, Any], seat: int, listener: Listener) -> Iterable[OpenCards]:
    for key, words in OPEN_BEFORE.items():
        if view.get(key) and view[key][seat]:
            yield _cards(words.one, view[key][seat], listener)


def _cards(where: str, faces: Iterable[str], listener: Listener) -> OpenCards:
    told = tuple(tell_face(listener, face) for face in faces)
    return OpenCards(listener.language.gettext(where), told, len(told) > MANY)


def _moment_sentences(match: Match, listener: Listener, pictured: frozenset[int]) -> Iterable[MomentSentences]:
    """Tell what each moment brought, the newest first; after a reveal, what can be said about the round."""
    insight = match.setup.game.insight
    for moment in moments(match):
        before = moment.before
        known = insight(moment.state)
        fresh = known if before is None or known != insight(before.state) else ()
        sentences = tuple(tell(listener, ruling) for ruling in (*moment.rulings, *fresh))
        number = _answer_of(moment)
        yield MomentSentences(sentences, number if number in pictured else None)


def _answer_of(moment: Match) -> int | None:
    """Give the number of the answer that a moment ruled on."""
    match moment.entry:
        case Answer():
            return moment.number - 1
        case Correct(heard_at=heard_at):
            return heard_at
        case _:
            return None
