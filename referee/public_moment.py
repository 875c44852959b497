"""Public data about a moment for other programs, in a documented schema.

See docs/dev/events.md. The schema only grows: existing fields never change their meaning.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from referee.house_rules import edition_name
from referee.match import Match
from referee.moment_view import CountView, MomentView, RulingView, view_of
from referee.sentences import Language
from referee.showing import board_of

SCHEMA = "coyote-table/1"


class PublicHeadline(Struct, frozen=True):
    """The text to read from across the room, with captions above and below it."""

    above: str
    text: str
    below: str


class PublicCard(Struct, frozen=True):
    """A face-up card and its place; it belongs to a seat or to the whole table."""

    face: str
    name: str
    place: str
    seat: int | None = None


class PublicPlayer(Struct, frozen=True):
    """A player and their standing."""

    seat: int
    name: str
    place: int
    counts: tuple[CountView, ...]
    is_out: bool
    is_asked: bool
    is_winner: bool


class PublicMoment(Struct, frozen=True):
    """A moment of a match, as visible to anyone in the room."""

    schema: str
    match: str  # start time, which identifies the match at this table
    moment: int  # increases with every answer, take-back and correction
    game: str
    title: str
    edition: str
    situation: str
    headline: PublicHeadline | None
    questions: tuple[str, ...]
    turn: int | None
    players: tuple[PublicPlayer, ...]
    cards: tuple[PublicCard, ...]
    new_cards: tuple[PublicCard, ...]  # cards that are face up since this moment
    rulings: tuple[RulingView, ...]
    is_over: bool


def public_moment(match: Match, language: Language) -> PublicMoment:
    view, game = view_of(match, language), match.setup.game
    return PublicMoment(
        schema=SCHEMA,
        match=match.setup.begun,
        moment=match.number,
        game=game.name,
        title=view.title,
        edition=edition_name(game, match.setup.house),
        situation=view.situation,
        headline=None if view.headline is None else PublicHeadline(*view.headline),
        questions=tuple(each.text for each in view.questions),
        turn=None if match.outcome is not None else view.board.turn,
        players=tuple(msgspec.convert(each, PublicPlayer, from_attributes=True) for each in view.seated),
        cards=tuple(_open_cards(view)),
        new_cards=new_cards(view),
        rulings=view.rulings,
        is_over=match.outcome is not None,
    )


def encode_moment(match: Match, language: Language) -> bytes:
    return msgspec.json.encode(public_moment(match, language))


def _open_cards(view: MomentView) -> Iterator[PublicCard]:
    """Yield the face-up cards, without those a seat only claims to hold."""
    for row in view.rows:
        if row.row.claimed_by is None:
            yield from (PublicCard(card.face, card.name, row.name, row.row.seat) for card in row.cards)


def new_cards(view: MomentView) -> tuple[PublicCard, ...]:
    """Return the face-up cards that weren't face up at the previous moment, wherever they were."""
    cards, moment = tuple(_open_cards(view)), view.match.before
    if moment is None:
        return cards
    rows = (row for row in board_of(moment).cards if row.claimed_by is None)
    before = Counter((face, row.seat) for row in rows for face in row.faces)
    added: list[PublicCard] = []
    for card in cards:
        place = card.face, card.seat
        before[place] -= 1
        if before[place] < 0:
            added.append(card)
    return tuple(added)
