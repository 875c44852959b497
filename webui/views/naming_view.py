"""The question "Which card is this?", as seats, the host and the screen see it; pure functions."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from firmware.storage.people.evening import held_seats
from firmware.table.naming import NameQuestion, OfferedFace
from referee.contract.words import Phrase, phrase
from referee.kit.french_cards import CARDS, SUIT, SYMBOLS
from referee.match import Match
from referee.sentences import Listener, face_name
from webui.access.viewers import Viewer, evening_of
from webui.views.words import page_text

if TYPE_CHECKING:
    from firmware.services.naming import CardNaming, GivenName
    from firmware.services.table import Table

OWN_FACES = {"back": phrase("a card's back"), "summary": phrase("a summary card")}
"""Faces that games have no names for."""
LONG = 5  # letters from which a face's name is printed small
FEW = 12  # most faces that share a few wide columns


class Tile(Struct, frozen=True):
    """A face to choose."""

    face: str
    text: str
    short: str
    state: str


class SuitKeys(Struct, frozen=True):
    """The faces of a suit of 52 playing cards."""

    key: str
    sign: str
    tiles: tuple[Tile, ...]


class Thumbnail(Struct, frozen=True):
    """One of several cards that are named one after the other."""

    number: int
    text: str
    state: Literal["named", "now", "open"]


class LastName(Struct, frozen=True):
    """The last name, or that the viewer didn't know a card; both can be undone."""

    text: str
    number: int | None = None  # of the named card
    face: str = ""
    is_undoable: bool = True


class NamingView(Struct, frozen=True, kw_only=True):
    """The question, and what surrounds it. Without a card, there is only the last name, or a hint."""

    last: LastName | None = None
    number: int | None = None
    question: str = ""
    caption: str = ""
    others: str = ""
    """Sentence about the other players who are asked; without a card, the hint for a viewer who isn't."""
    tiles: tuple[Tile, ...] = ()
    suits: tuple[SuitKeys, ...] = ()
    columns: int = 5
    again: Tile | None = None
    """Likeliest face, of which there is an earlier picture."""
    is_good: bool = False
    """Whether the pictures match well enough to suggest that face."""
    like: tuple[Tile, ...] = ()
    """The likeliest faces, if none is suggested."""
    row: tuple[Thumbnail, ...] = ()
    known: int = 0
    all: int = 0


def naming_view(table: "Table", match: Match, viewer: Viewer, listener: Listener) -> NamingView | None:
    """Return the question for a viewer; None if there is nothing to show."""
    naming, seat = table.naming, viewer.seat
    questions, last = naming.questions(seat), _last(naming, seat, listener)
    if not questions:
        hint = _hint(naming, match, seat, listener)
        if last is None and not hint:
            return None
        known = naming.known(naming.unseen(seat))
        return NamingView(last=last, others=hint, known=known.cards, all=known.all)
    first, unseen = questions[0], naming.unseen(seat)
    known, tiles = naming.known(unseen), tuple(_tile(each, listener) for each in naming.faces(first, unseen))
    like, card = {each.face: each for each in tiles}, first.unknown.card
    suits = _suits(tiles)
    left = like.keys() - first.lying - unseen
    offered = tuple(like[face] for face in card.like if face in left)
    return NamingView(
        last=last,
        number=first.unknown.number,
        question=_question(first, seat, match, listener),
        caption=_caption(first, seat, match, listener),
        others=_others(first, seat, held_seats(evening_of(table)), match, listener),
        tiles=tuple(each for each in tiles if not any(each in suit.tiles for suit in suits)),
        suits=suits,
        columns=2 if len(tiles) <= FEW and any(len(each.short) > LONG for each in tiles) else 5,
        again=offered[0] if offered and card.earlier and card.like[0] == offered[0].face else None,
        is_good=card.is_good,
        like=offered,
        row=_row(naming.given(seat), questions, listener),
        known=known.cards,
        all=known.all,
    )


def own_face_name(listener: Listener, face: str) -> str:
    return _say(listener, OWN_FACES[face]) if face in OWN_FACES else face_name(listener, face)


def _say(listener: Listener, text: Phrase, **values: object) -> str:
    return page_text(listener.language, text, **values)


def _tile(offered: OfferedFace, listener: Listener) -> Tile:
    face, text = offered.name, own_face_name(listener, offered.name)
    return Tile(face, text, face[:-1] if face in SUIT else text, offered.state)


def _suits(tiles: Sequence[Tile]) -> tuple[SuitKeys, ...]:
    """Return the keys of 52 playing cards by suit, each in its place; nothing for other decks."""
    by_face = {tile.face: tile for tile in tiles}
    if not by_face.keys() >= {*CARDS}:
        return ()
    return tuple(
        SuitKeys(suit, sign, tuple(by_face[face] for face in CARDS if SUIT[face] == suit))
        for suit, sign in SYMBOLS.items()
    )


def _question(question: NameQuestion, seat: int | None, match: Match, listener: Listener) -> str:
    if question.before is None:
        return _say(listener, phrase("Which card is this?"))
    if question.before == seat:
        return _say(listener, phrase("Which card is before you?"))
    name = match.setup.names[question.before]
    return _say(listener, phrase("Which card is before {name}?"), name=name)


def _caption(question: NameQuestion, seat: int | None, match: Match, listener: Listener) -> str:
    if question.before is None:
        return ""
    if question.before == seat:
        return _say(listener, phrase("before you"))
    return _say(listener, phrase("before {name}"), name=match.setup.names[question.before])


def _others(
    question: NameQuestion, seat: int | None, held: Iterable[int], match: Match, listener: Listener
) -> str:
    """Name the other players who may answer; a shared page names those whose phones ask."""
    here = frozenset(held)
    names = [match.setup.names[each] for each in question.seats if each != seat and each in here]
    if not names:
        return ""
    if seat is None:
        return _say(listener, phrase("Asked by phone: {names}."), names=", ".join(names))
    return _say(listener, phrase("{names} may answer, too."), names=", ".join(names))


def _hint(naming: "CardNaming", match: Match, seat: int | None, listener: Listener) -> str:
    """Tell a viewer that a card is asked for that it may not see, or that others are asked now."""
    hidden = naming.hidden_from(seat)
    if hidden:
        names = ", ".join(match.setup.names[each] for each in hidden[0].seats)
        if seat is None:
            return _say(listener, phrase("The phones of {names} ask which card this is."), names=names)
        return _say(listener, phrase("{names} can name a card for the table; you may not see it."), names=names)
    if naming.passed(seat):
        return _say(
            listener, phrase("The others are asked now. If nobody knows the card, enter it, and play on.")
        )
    return ""


def _last(naming: "CardNaming", seat: int | None, listener: Listener) -> LastName | None:
    last = naming.last(seat)
    if last is None:
        unknown = phrase("You don't know this card.")
        return LastName(_say(listener, unknown)) if naming.passed(seat) else None
    if not last.face:
        # the eyes ask again once it was moved
        noted = phrase("Not a card. If it is one after all, move it a little.")
        return LastName(_say(listener, noted), is_undoable=False)
    card = own_face_name(listener, last.face)
    this = phrase("{name}: this is {card}.") if last.by else phrase("This is {card}.")
    text = _say(listener, this, name=last.by, card=card)
    return LastName(text, last.question.unknown.number, last.face)


def _row(
    given: "Iterable[GivenName]", questions: Sequence[NameQuestion], listener: Listener
) -> tuple[Thumbnail, ...]:
    named = [
        Thumbnail(each.question.unknown.number, own_face_name(listener, each.face), "named")
        for each in given
        if each.face
    ]
    left = [
        Thumbnail(each.unknown.number, "", "open" if place else "now") for place, each in enumerate(questions)
    ]
    return (*named, *left) if len(named) + len(left) > 1 else ()
