"""Cards that a table learns while people play: which ones need a name now, and who may be asked for it.

A card is asked for only while the game waits for it, and only of players who may see it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import dist
from typing import Literal
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.card_answers import answer_from_cards
from firmware.table.cards import UNREAD, Cards, CardState, TableCard, cards_for_ask, show_ask, state_of
from referee.contract import CENTRE, Answer, Show, is_seen
from referee.legal import ask_named
from referee.match import Correct, Match, standing_answers
from vision.process.messages import LearningOrder, NameCard, UndoName, UnknownCard
from vision.sightings import Outline, likely_face

NEAR = 0.25
"""Greatest distance of two outlines of the same card, in card widths: a reading shifts them a little."""


class UnknownOnTable(Struct, frozen=True):
    """A card without a sure name, under a number that stays the same while it lies there."""

    number: int
    card: UnknownCard


class NameQuestion(Struct, frozen=True, eq=False):
    """A card whose name the game waits for."""

    unknown: UnknownOnTable
    ask: Show
    seats: tuple[int, ...]
    """Seats that may see the card; the one before whom it lies comes first, then the asked ones."""
    before: int | None
    """Seat before which the card lies, if that is clear."""
    is_open: bool
    """Whether everybody may see the card, also on a shared screen."""
    is_likely: bool = False
    """Whether the card has a likely face, which counts by itself once it is the only unsure card."""
    lying: frozenset[str] = frozenset()
    """Faces of which all copies lie open on the table."""


def numbered_cards(
    before: Iterable[UnknownOnTable], cards: Iterable[UnknownCard]
) -> tuple[UnknownOnTable, ...]:
    """Number the unknown cards; a card that lies where one lay before keeps that one's number."""
    known = tuple(before)
    return tuple(UnknownOnTable(next(_numbers_at(card, known), _number(card)), card) for card in cards)


def _numbers_at(card: UnknownCard, known: Iterable[UnknownOnTable]) -> Iterator[int]:
    return (each.number for each in known if _lies_there(each.card, card))


def _lies_there(was: UnknownCard, now: UnknownCard) -> bool:
    limit = NEAR * min(dist(now.outline[0], now.outline[1]), dist(now.outline[1], now.outline[2]))
    return dist(_middle(was.outline), _middle(now.outline)) < limit


def _middle(outline: Outline) -> tuple[float, float]:
    return sum(x for x, _y in outline) / 4, sum(y for _x, y in outline) / 4


def _number(card: UnknownCard) -> int:
    return crc32(card.jpeg, crc32(repr(card.outline).encode()))


def open_questions(match: Match, cards: Cards, unknown: tuple[UnknownOnTable, ...]) -> tuple[NameQuestion, ...]:
    """Return the cards that need a name before the game goes on; those with a likely face come last."""
    ask = show_ask(match)
    if ask is None or not unknown or isinstance(answer_from_cards(match, cards), Answer):
        return ()
    lying = _used_up(match, ask, cards)
    questions = (
        replace(_question(match, ask, each, card), lying=lying)
        for each, card in _nameless(match, ask, cards, unknown)
    )
    return tuple(sorted(questions, key=lambda each: each.is_likely))


def _used_up(match: Match, ask: Show, cards: Cards) -> frozenset[str]:
    """Return the faces whose copies all lie in view of the asked players."""
    lying = (each for each in cards if each.is_counted or state_of(match, ask, each) == "counts now")
    seen = Counter(each.card.card.face for each in lying if each.card.card.sure)
    return frozenset(face for face, most in match.setup.deck.counts.items() if 0 < most <= seen[face])


def _nameless(
    match: Match, ask: Show, cards: Cards, unknown: Iterable[UnknownOnTable]
) -> Iterator[tuple[TableCard, UnknownOnTable]]:
    by_outline = {each.card.outline: each for each in unknown}
    for each in cards_for_ask(match, ask, cards):
        card = each.card.card
        if not (card.sure and card.face is not None) and card.outline in by_outline:
            yield each, by_outline[card.outline]


def _question(match: Match, ask: Show, each: TableCard, unknown: UnknownOnTable) -> NameQuestion:
    game = match.setup.game
    before = ask.zone.seat if ask.zone.seat is not None else each.card.seat
    first = [*([] if before is None else [before]), *ask.seats, *range(len(match.setup.names))]
    return NameQuestion(
        unknown,
        ask,
        tuple(seat for seat in dict.fromkeys(first) if is_seen(game, ask.zone, seat)),
        before,
        is_open=is_seen(game, ask.zone, None),
        is_likely=_has_likely_face(each),
    )


def _has_likely_face(each: TableCard) -> bool:
    return likely_face(each.card.card) not in {None, *each.denied}


def questions_about_all(match: Match, unknown: Iterable[UnknownOnTable]) -> tuple[NameQuestion, ...]:
    """Return questions about all unknown cards, for learning the rest of a deck between matches."""
    deck = match.setup.deck
    ask = Show("", (), 1, CENTRE, deck, deck.counts)
    return tuple(NameQuestion(each, ask, tuple(range(len(match.setup.names))), None, True) for each in unknown)


def seat_mark(seat: int) -> str:
    """Return who named a card, for a deck's folder: people share it, so it gets no names of people."""
    return f"seat {seat + 1}"


def seats_first(seat: int | None, questions: Iterable[NameQuestion]) -> tuple[NameQuestion, ...]:
    """Put the questions about cards before a seat first, among those without a likely face and the others."""
    return tuple(sorted(questions, key=lambda each: (each.is_likely, seat is None or each.before != seat)))


# faces that a viewer may not see yet


def unseen_faces(match: Match, seat: int | None, learnt: Mapping[str, Collection[int]]) -> frozenset[str]:
    """Return the faces that were learnt in this match, but only from cards that a viewer may not see.

    `learnt` are the faces without pictures from before the match, and the moments at which they were named.
    """
    if match.outcome is not None:
        return frozenset()
    asks_at = {step.heard_at: step.before.asks for step in standing_answers(match)}
    seen_at = {
        moment
        for moment, asks in {**asks_at, match.number: match.asks}.items()
        if all(is_seen(match.setup.game, ask.zone, seat) for ask in asks if isinstance(ask, Show))
    }
    hidden = (face for face, moments in learnt.items() if seen_at.isdisjoint(moments))
    return frozenset(hidden) - _shown_faces(match, seat)[0]


def _shown_faces(match: Match, seat: int | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the faces of the match's answers: those that a viewer may have seen, and those for others only."""
    seen, others = set[str](), set[str]()
    for step in standing_answers(match):
        ask = ask_named(step.before.asks, step.answer.ask)
        if isinstance(ask, Show) and isinstance(step.answer.value, tuple):
            (seen if is_seen(match.setup.game, ask.zone, seat) else others).update(step.answer.value)
    return frozenset(seen), frozenset(others - seen)


# cards in view


class CardInView(Struct, frozen=True):
    """A card in the camera's picture, in its pixels, and whether it counts."""

    outline: Outline
    state: CardState
    name: str = ""
    """The face; empty if it is unread, or if the viewer may not see it."""
    is_new: bool = False


class CardsInView(Struct, frozen=True):
    """The cards in the camera's picture, for one viewer."""

    cards: tuple[CardInView, ...] = ()
    size: tuple[int, int] = (0, 0)  # of the picture; zero before the first one
    may_show: bool = True
    """Whether the viewer may see the picture; if not, only the outlines: a card may be somebody's secret."""
    sees_ask: bool = False
    """Whether cards are asked for that the viewer may see."""


def cards_in_view(
    match: Match, cards: Cards, unknown: Iterable[UnknownOnTable], size: tuple[int, int], seat: int | None
) -> CardsInView:
    """Return the cards for a seat, or a shared screen: asks for cards decide who may see them."""
    ask, nameless = show_ask(match), {each.card.outline for each in unknown}
    may_see = ask is not None and is_seen(match.setup.game, ask.zone, seat)
    _seen, for_others = _shown_faces(match, seat)

    def is_for_others(each: TableCard) -> bool:
        return each.is_counted and each.name in for_others

    def in_view(each: TableCard) -> CardInView:
        outline, state = each.card.card.outline, state_of(match, ask, each)
        if state in UNREAD and outline in nameless:
            state = "no name yet"
        is_secret = is_for_others(each) if each.is_counted else ask is not None and not may_see
        if is_secret and state not in {*UNREAD, "face down"}:
            return CardInView(outline, "hidden", "", each.is_new)
        return CardInView(
            outline, state, (each.name if each.is_counted or may_see else None) or "", each.is_new
        )

    may_show = may_see or all(each.is_counted or each.card.card.facing == "down" for each in cards)
    may_show = may_show and not any(map(is_for_others, cards))
    return CardsInView(tuple(map(in_view, cards)), size, may_show, may_see)


# faces to choose from


class OfferedFace(Struct, frozen=True):
    """A face that a card may have: not met yet, met before, or used up or not allowed now."""

    name: str
    state: Literal["new", "met", "used"]


def offered_faces(
    ask: Show, met: Iterable[str], others: Iterable[str] = (), lying: Collection[str] = ()
) -> tuple[OfferedFace, ...]:
    """Return the faces of the deck: first those not met yet that the game allows now, then those met.

    `others` are faces outside the game's pile, such as the back; they come before the used-up ones. Faces of
    which all copies are `lying` on the table are used up.
    """
    known = frozenset(met)
    faces = [
        OfferedFace(face, "used" if face in lying else _state_of(face, ask, known)) for face in ask.deck.counts
    ]
    extra = [OfferedFace(face, "met") for face in others if face not in ask.deck.counts and face not in known]
    at = {"new": 0, "met": 1, "used": 2}
    return tuple(sorted((*faces, *extra), key=lambda each: at[each.state]))


def _state_of(face: str, ask: Show, known: frozenset[str]) -> Literal["new", "met", "used"]:
    if ask.among.get(face, 0) <= 0 or face in ask.barred:
        return "used"
    return "met" if face in known else "new"


# names from the course of play


def orders_after(
    match: Match, cards: Cards, unknown: Iterable[UnknownOnTable], entry: object
) -> tuple[LearningOrder, ...]:
    """Return what an accepted entry teaches: the name of the only unknown card, or that names were wrong."""
    match entry:
        case Answer():
            named = _named_by(match, cards, unknown, entry)
            return () if named is None else (NameCard(*named, match.setup.begun, match.number),)
        case Correct():
            return tuple(
                UndoName(face, match.setup.begun, entry.heard_at) for face in _replaced_faces(match, entry)
            )
    return ()


def _named_by(
    match: Match, cards: Cards, unknown: Iterable[UnknownOnTable], answer: Answer
) -> tuple[Outline, str] | None:
    """Return the outline and the face of the only unknown card, if all cards' names are known now.

    Either a person gave them, or rules and counts left one face, which nobody denied.
    """
    ask = ask_named(match.asks, answer.ask)
    if not isinstance(ask, Show) or not isinstance(answer.value, tuple) or answer.sense == "clock":
        return None
    fresh = [each.card.card for each in cards_for_ask(match, ask, cards)]
    known = Counter(card.face for card in fresh if card.sure and card.face is not None)
    nameless = tuple(_nameless(match, ask, cards, unknown))
    # a face that the reader itself found likely teaches it nothing
    is_read = not answer.likely or any(_has_likely_face(each) for each, _unknown in nameless)
    if answer.sense == "camera" and is_read:
        return None
    named: Mapping[str, int] = Counter(answer.value)
    left = Counter(named) - known
    if len(fresh) != len(answer.value) or known.total() != len(fresh) - 1 or left.total() != 1 or not nameless:
        return None
    return nameless[0][1].card.outline, next(iter(left))


def _replaced_faces(match: Match, correct: Correct) -> Iterable[str]:
    """Return the faces of an answer that the host corrects to others."""
    step = next((each for each in standing_answers(match) if each.heard_at == correct.heard_at), None)
    if step is None or not isinstance(step.answer.value, tuple) or not isinstance(correct.value, tuple):
        return ()
    return Counter(step.answer.value) - Counter(correct.value)
