"""What a table tells other programs of a moment: plain data by a documented schema, which everybody may see.

The schema is in docs/events.md. Fields are only ever added; what a field means stays.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from referee.contract import Board, Ruling, Standing
from referee.house_rules import edition_name
from referee.match import Match
from referee.showing import board_of, cue_for, questions_of, situation_of
from referee.telling import (
    Language,
    Listener,
    listener_at,
    tell,
    tell_card_row,
    tell_count,
    tell_face,
    tell_headline,
    tell_questions,
    tell_situation,
)

SCHEMA = "coyote-table/1"


class PublicHeadline(Struct, frozen=True):
    """The one thing to be read across the room, with what stands above it and below it."""

    above: str
    text: str
    below: str


class PublicCard(Struct, frozen=True):
    """A card that lies open, and where; of a seat, or of the whole table."""

    face: str
    name: str
    place: str
    seat: int | None = None


class PublicRuling(Struct, frozen=True):
    """What the newest answer brought, and how it feels to the table."""

    key: str
    text: str
    mood: str | None = None


class PublicCount(Struct, frozen=True):
    """How much of something a player has: coins, marks, points."""

    key: str
    number: int
    text: str


class PublicPlayer(Struct, frozen=True):
    """A player, and how they stand."""

    seat: int
    name: str
    place: int
    counts: tuple[PublicCount, ...]
    is_out: bool
    is_asked: bool
    is_winner: bool


class PublicMoment(Struct, frozen=True):
    """A moment of a match, as anybody in the room sees it."""

    schema: str
    match: str
    """When the match was begun, which tells it from others of this table."""
    moment: int
    """Counts up with every answer, take-back and correction."""
    game: str
    title: str
    edition: str
    situation: str
    headline: PublicHeadline | None
    questions: tuple[str, ...]
    turn: int | None
    players: tuple[PublicPlayer, ...]
    cards: tuple[PublicCard, ...]
    """The cards that lie open."""
    new_cards: tuple[PublicCard, ...]
    """Those that lie open since this moment."""
    rulings: tuple[PublicRuling, ...]
    is_over: bool


def public_moment(match: Match, listener: Listener) -> PublicMoment:
    """Return what anybody may know of a moment, in a listener's language."""
    game, situation, board = match.setup.game, situation_of(match), board_of(match)
    return PublicMoment(
        schema=SCHEMA,
        match=match.setup.begun,
        moment=match.number,
        game=game.name,
        title=listener.language.gettext(game.words.title),
        edition=edition_name(game, match.setup.house),
        situation="" if situation is None else tell_situation(listener, situation),
        headline=PublicHeadline(*tell_headline(listener, board.headline)) if board.headline else None,
        questions=tuple(tell_questions(listener, questions_of(match))),
        turn=None if match.outcome is not None else board.turn,
        players=tuple(_player(match, standing, listener) for standing in game.rules.standings(match.state)),
        cards=tuple(_open_cards(board, listener)),
        new_cards=new_cards(match, listener),
        rulings=tuple(_ruling(match, ruling, listener) for ruling in match.rulings),
        is_over=match.outcome is not None,
    )


def encode_moment(match: Match, language: Language) -> bytes:
    """Encode what anybody may know of a moment as JSON."""
    return msgspec.json.encode(public_moment(match, listener_at(match.setup, language)))


def _open_cards(board: Board, listener: Listener) -> Iterator[PublicCard]:
    """Give the cards that lie open; those that a seat only says it has are none."""
    for row in board.cards:
        if row.claimed_by is None:
            place = tell_card_row(listener, row)
            yield from (PublicCard(face, tell_face(listener, face), place, row.seat) for face in row.faces)


def new_cards(match: Match, listener: Listener) -> tuple[PublicCard, ...]:
    """List the open cards that didn't lie there a moment ago, wherever they lay."""
    cards = tuple(_open_cards(board_of(match), listener))
    if match.before is None:
        return cards
    before = Counter((card.face, card.seat) for card in _open_cards(board_of(match.before), listener))
    added: list[PublicCard] = []
    for card in cards:
        place = card.face, card.seat
        before[place] -= 1
        if before[place] < 0:
            added.append(card)
    return tuple(added)


def _player(match: Match, standing: Standing, listener: Listener) -> PublicPlayer:
    seat, outcome = standing.seat, match.outcome
    return PublicPlayer(
        seat=seat,
        name=listener.names[seat],
        place=standing.place,
        counts=tuple(
            PublicCount(key, count, tell_count(listener, key, count)) for key, count in standing.counts.items()
        ),
        is_out=standing.out,
        is_asked=any(seat in ask.seats for ask in match.asks),
        is_winner=outcome is not None and seat in outcome.winners,
    )


def _ruling(match: Match, ruling: Ruling, listener: Listener) -> PublicRuling:
    cue = cue_for(match.setup.game, ruling)
    return PublicRuling(ruling.key, tell(listener, ruling), None if cue is None else cue.mood.value)
