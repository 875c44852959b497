"""Tracks which cards in view answers have counted, from one view of the eyes to the next.

Every face-up card that isn't counted yet counts for the open ask, wherever it lies, if the ask allows its face.
Places are hints, except in games whose turns are read as a whole.

Each view has all cards. A card at the place of an equal one is the same. Of the others, two accounts are
compared: counted cards were moved, covered or laid again; or they were swept, and others with the same faces
were laid. A card's `Count` says what answers have counted of it:

| count | lifted | its face is elsewhere | cards are asked for again |
|---|---|---|---|
| NOT_YET | forgotten | moved | |
| SHOWN | expected back | moved, or laid again | USED, unless the record expects it there |
| USED | put away, covered, or gone | moved, CARRIED if others are gone; NOT_YET if swept | |
| CARRIED | as USED | moved | USED |

An answer makes the cards that it counts SHOWN. CARRIED cards become NOT_YET if a later view shows that they
were swept. A covered card keeps its count until its cover is gone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import compress
from math import inf
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.expected import Faces, brought_cards, expected_in_view, faces_named, last_revealed
from referee.contract import DISCARD, Answer, Show, Zone
from referee.match import Match
from vision.process.messages import TableRead
from vision.sightings import best_face, likely_face
from vision.table.values import PlacedCard, distance_apart

T = TypeVar("T")
UNMOVED_WITHIN = 25.0  # millimetres within which a card counts as unmoved
COVERING_DISTANCE = 75.0  # millimetres between the middles of a card and of one that covers it
FREE = 0.9  # visible share from which on a card isn't covered


class Count(Enum):
    """What answers have counted of a card; see the table above."""

    NOT_YET = "not yet"
    SHOWN = "shown"
    """An answer counted it, and its reveal lasts: the record moves no cards, and asks for no others."""
    USED = "used"
    """An answer counted it before that."""
    CARRIED = "carried"
    """A used card that seems to have been moved while others were taken."""


EARLIER = frozenset({Count.USED, Count.CARRIED})


class TableCard(Struct, frozen=True):
    """A card in view, and the reading in which it first appeared."""

    card: PlacedCard
    count: Count = Count.NOT_YET
    since: int = 0
    denied: tuple[str, ...] = ()  # faces that people have denied while it is there
    is_new: bool = True  # whether it appeared or moved at this moment

    @property
    def name(self) -> str | None:
        return self.card.card.face or likely_face(self.card.card)

    @property
    def is_counted(self) -> bool:
        return self.count != Count.NOT_YET


Cards = tuple[TableCard, ...]


class AbsentCard(Struct, frozen=True):
    """A counted card that isn't in view: lifted, covered, or named by a person before it is laid."""

    face: str
    count: Count = Count.SHOWN
    card: PlacedCard | None = None
    over: PlacedCard | None = None  # the card that covers it
    asked: Zone | None = None  # the place for which it was named before it is laid


Absent = tuple[AbsentCard, ...]

CardState = Literal[
    "counted", "counts now", "already counted", "not asked now", "elsewhere",
    "covered", "face down", "not in this deck", "blurred", "no name yet", "hidden",
]  # fmt: skip
"""Whether a card counts, and if not, the reason; "hidden" from a viewer who may not see the card."""
UNREAD = frozenset({"covered", "blurred", "no name yet"})


def zone_name(zone: Zone) -> str:
    """Return a zone's name, as on the mat."""
    return zone.name if zone.seat is None else f"{zone.name} {zone.seat + 1}"


def show_ask(match: Match) -> Show | None:
    return next((ask for ask in match.asks if isinstance(ask, Show)), None)


def needs_places(match: Match) -> bool:
    """Return whether a card counts only where it is asked for."""
    return match.setup.game.table.turns is not None


# views of the eyes


def track_cards(match: Match, before: Cards | None, absent: Absent, view: TableRead) -> tuple[Cards, Absent]:
    """Apply a view; at the first one, cards of earlier answers are counted by the record."""
    if before is not None:
        return _after_view(match, before, absent, view)
    ask = show_ask(match)
    cards = _counted_before(tuple(TableCard(card, since=view.reading) for card in view.cards), match)
    return (cards, absent) if ask is None else _open_reveal(cards, absent, match, ask)


def _after_view(match: Match, before: Cards, absent: Absent, view: TableRead) -> tuple[Cards, Absent]:
    left, now = list(before), dict[int, TableCard]()

    def find(is_same: Callable[[TableCard, PlacedCard], bool]) -> dict[int, TableCard]:
        """Find known cards again; returns what they were, by their numbers in the view."""
        found = dict[int, TableCard]()
        for number, card in enumerate(view.cards):
            was = None if number in now else next((each for each in left if is_same(each, card)), None)
            if was is not None:
                left.remove(was)
                found[number], now[number] = was, replace(was, card=card)
        return found

    find(lambda was, card: was.card.card.face == card.card.face and _is_unmoved(match, was.card, card))
    unread = find(
        # only one of two views was sure of it; a card turned over is a new one
        lambda was, card: (
            (was.card.card.face is None) != (card.card.face is None)
            and was.card.card.facing == card.card.facing
            and _is_unmoved(match, was.card, card)
        )
    )
    renamed = [number for number, was in unread.items() if now[number].name not in {None, was.name}]
    came = Counter(card.card.face for number, card in enumerate(view.cards) if number not in now)
    if is_swept := _is_swept(left, came, tuple(now.values()), absent):
        carried = {number: each for number, each in now.items() if each.count is Count.CARRIED}
        now |= {number: replace(each, count=Count.NOT_YET) for number, each in carried.items()}
    moved = find(
        lambda was, card: (
            was.card.card.face == card.card.face is not None
            and not (is_swept and was.count in EARLIER)
            and _keeps_count(match, was, card)
        )
    )
    is_others_gone = any(each.is_counted for each in left)
    is_open = is_others_gone and all(each.is_counted or not each.is_new for each in now.values())
    for number, was in moved.items():
        is_carried = was.count is Count.USED and is_open
        count, since = (Count.CARRIED, view.reading) if is_carried else (was.count, was.since)
        now[number] = replace(now[number], count=count, since=since, is_new=True)
    new = [number for number in range(len(view.cards)) if number not in now]
    now |= {number: TableCard(view.cards[number], since=view.reading) for number in new}
    if needs_places(match):
        return tuple(now[number] for number in range(len(view.cards))), ()
    absent = (*absent, *_gone_cards(left, [view.cards[number] for number in (*new, *moved)]))
    for number in sorted((*new, *renamed)):
        now[number], absent = _returned(match, now[number], absent)
    cards = tuple(now[number] for number in range(len(view.cards)))
    return cards, tuple(replace(gone, over=_cover_of(gone, cards)) for gone in absent)


def _is_swept(left: Iterable[TableCard], came: "Counter[Any]", there: Cards, absent: Absent) -> bool:
    """Return whether counted cards were swept and others came, and not moved: the faces show it.

    Either none of several is left in its place, or others came than are gone, and others are gone than came.
    Cards without a name may be those that are gone.
    """
    gone = Counter[Any](each.name for each in left if each.is_counted)
    named = Counter({face: count for face, count in came.items() if face is not None})
    if (gone - named).total() - came[None] > 1 and not any(each.count in EARLIER for each in there):
        return True
    carried = Counter(each.name for each in there if each.count is Count.CARRIED)
    taken = Counter(each.face for each in absent if each.count is Count.USED and each.over is None)
    known = Counter(each.face for each in absent) - taken
    known.update(each.name for each in left if not each.is_counted and each.name)
    lost, others = gone + carried, named - known + carried
    if carried:
        lost += taken
        others.update(each.name for each in there if not each.is_counted and each.is_new and each.name)
    return not (lost <= others or others <= lost)


def _gone_cards(left: Iterable[TableCard], arrived: Sequence[PlacedCard]) -> Iterator[AbsentCard]:
    """Yield the counted cards that left, with the card over each.

    One in the very place of a used card has replaced it: cards are drawn one after another.
    """
    for each in left:
        if each.is_counted and each.name:
            nearest = 0.0 if each.count is Count.SHOWN else UNMOVED_WITHIN
            over = (card for card in arrived if nearest <= distance_apart(each.card, card) < COVERING_DISTANCE)
            count = Count.USED if each.count is Count.CARRIED else each.count
            yield AbsentCard(each.name, count, each.card, next(over, None))


def _is_unmoved(match: Match, was: PlacedCard, now: PlacedCard) -> bool:
    return (was.zone == now.zone or not needs_places(match)) and distance_apart(was, now) < UNMOVED_WITHIN


def _keeps_count(match: Match, was: TableCard, now: PlacedCard) -> bool:
    """Return whether a moved card keeps its count; not one that hands bring, or lay where a player is asked."""
    ask, is_nudged = show_ask(match), distance_apart(was.card, now) < UNMOVED_WITHIN
    if needs_places(match):
        return was.card.zone == now.zone
    if not was.is_counted or is_nudged or ask is None:
        return True
    is_laid = _is_elsewhere(ask, was.card) and not _is_elsewhere(ask, now)
    return not (brought_cards(match, ask)[now.card.face or ""] or (is_laid and was.count is not Count.SHOWN))


def _is_elsewhere(ask: Show | None, card: PlacedCard) -> bool:
    """Return whether a card is outside the zone of the asked player."""
    return ask is not None and ask.zone.seat is not None and card.zone != zone_name(ask.zone)


def _cover_of(gone: AbsentCard, there: Iterable[TableCard]) -> PlacedCard | None:
    """Return the card that still covers an absent one: the one that did, or an unread one in its place."""
    if gone.over is None or gone.card is None:
        return None
    for each in there:
        is_near = each.name is None and distance_apart(gone.card, each.card) < COVERING_DISTANCE
        if is_near or distance_apart(gone.over, each.card) < UNMOVED_WITHIN:
            return each.card
    return None


def _returned(match: Match, each: TableCard, absent: Absent) -> tuple[TableCard, Absent]:
    """Return a card that is new or has a new name: counted if it is laid again, uncovered or put away."""
    card, ask = each.card, show_ask(match)
    is_put_away = card.zone == DISCARD.name and (ask is None or ask.zone != DISCARD)
    for place, gone in enumerate(absent):
        apart = inf if gone.card is None else distance_apart(gone.card, card)
        may_be_same = apart < UNMOVED_WITHIN and (gone.over is not None or _is_elsewhere(ask, card))
        is_others = ask and gone.asked not in {None, ask.zone} and card.zone == zone_name(ask.zone)
        is_back = (gone.count is Count.SHOWN and not is_others) or is_put_away or may_be_same
        if is_back and gone.face == each.name and not each.is_counted:
            return replace(each, count=gone.count), (*absent[:place], *absent[place + 1 :])
    return each, absent


# counted cards


def cards_at_moment(before: Match, after: Match, cards: Cards, absent: Absent) -> tuple[Cards, Absent]:
    """Count the cards of the answer that led to a moment; see whether their reveal lasts."""
    entry, asked, ask = after.entry, show_ask(before), show_ask(after)
    is_answer, unlaid = False, tuple[AbsentCard, ...]()
    if asked is not None and isinstance(entry, Answer) and entry.ask == asked.key:
        is_answer = True
        cards, unlaid = _count_answer(before, asked, cards, faces_named(entry))
    cards, table = mark_seen(cards), after.setup.game.table
    moves = any(table.moves(after.state, ruling) for ruling in after.rulings)
    if ask is not None and (not is_answer or moves or brought_cards(after, ask)):
        # cards of earlier answers may still be unlaid, too
        unlaid = (*unlaid, *(each for each in absent if each.card is None))
        cards, absent = _open_reveal(cards, absent, after, ask)
        unlaid = tuple(compress(unlaid, are_due(unlaid, expected_in_view(after), lambda each: each.face)))
    elif ask is not None:
        cards = _without_required(cards, ask)
    return cards, absent if needs_places(after) else (*absent, *unlaid)


def _count_answer(match: Match, ask: Show, cards: Cards, faces: Sequence[str]) -> tuple[Cards, Absent]:
    """Count the cards of an answer; if more are there, only those with its names. Returns also unlaid ones."""
    fresh = cards_for_ask(match, ask, cards)
    if len(fresh) > ask.count:
        counted = mark_named(cards, (*in_zone(fresh, ask), *fresh), Counter(faces))
    else:
        counted = mark(cards, fresh)
    new = [now.name for was, now in zip(cards, counted, strict=True) if now.is_counted and not was.is_counted]
    unlaid = tuple((Counter(faces) - Counter(filter(None, new))).elements())
    return counted, tuple(AbsentCard(face, asked=ask.zone) for face in unlaid[new.count(None) :])


def _open_reveal(cards: Cards, absent: Absent, match: Match, ask: Show) -> tuple[Cards, Absent]:
    """Let counted cards count anew once they are lifted, unless the record expects them on the table."""
    due = expected_in_view(match, ask.zone if brought_cards(match, ask) else None)
    rest = due - Counter(each.name or "" for each in cards if each.is_counted)
    # a card without a name is the lifted one that should lie there
    lifted = {gone.card.zone for gone in absent if gone.card is not None and gone.face in rest}
    unread = (each for each in cards if each.name is None and each.card.card.facing == "up")
    cards = mark(cards, tuple(each for each in unread if each.card.zone in lifted))
    are_expected = zip(cards, are_due(cards, due, _counted_name), strict=True)
    cards = tuple(
        replace(each, count=Count.SHOWN if is_expected or (each.name is None and rest) else Count.USED)
        if each.is_counted
        else each
        for each, is_expected in are_expected
    )
    covered = tuple(replace(each, count=Count.USED) for each in absent if each.over is not None)
    return _without_required(cards, ask), covered


def _without_required(cards: Cards, ask: Show) -> Cards:
    """Let counted cards that must be among the requested ones count again where they lie."""
    required = are_due(cards, Counter(ask.must), _counted_name)
    return tuple(
        replace(each, count=Count.NOT_YET) if again else each
        for each, again in zip(cards, required, strict=True)
    )


def _counted_name(each: TableCard) -> str | None:
    return each.name if each.is_counted else None


def _counted_before(cards: Cards, match: Match) -> Cards:
    """Count cards of earlier answers after a start: discards, expected ones, the last shown unless swept."""
    discards = tuple(each for each in cards if each.card.zone == DISCARD.name)
    cards = mark_seen(mark(cards, discards))
    due, shown = expected_in_view(match), last_revealed(match)
    now = Counter(each.name or "" for each in cards)
    return mark_named(cards, cards, due | shown if shown <= now or now <= shown else due)


def mark(cards: Cards, counted: Cards) -> Cards:
    """Count some of the cards as shown."""
    marked = {id(each) for each in counted}
    return tuple(replace(each, count=Count.SHOWN) if id(each) in marked else each for each in cards)


def mark_seen(cards: Cards) -> Cards:
    return tuple(replace(each, is_new=False) for each in cards)


def mark_all_counted(cards: Cards) -> Cards:
    """Count all cards; those that aren't counted yet may count once they are lifted and laid again."""
    return tuple(each if each.is_counted else replace(each, count=Count.USED) for each in cards)


def mark_named(cards: Cards, there: Cards, faces: Faces) -> Cards:
    return mark_due(cards, faces, lambda each: each.name if each in there else None)[0]


def mark_due(
    cards: Cards, due: "Counter[Any]", named: Callable[[TableCard], object]
) -> tuple[Cards, "Counter[Any]"]:
    """Mark as many cards of each name as are due; returns also the names that are still due."""
    found = tuple(compress(cards, are_due(cards, due, named)))
    return mark(cards, found), due - Counter(map(named, found))


def are_due(cards: Iterable[T], due: "Counter[Any]", named: Callable[[T], object]) -> list[bool]:
    """Return of each card whether it is among as many of its name as are due."""
    left, found = Counter(due), list[bool]()
    for each in cards:
        found.append(left[named(each)] > 0)
        left[named(each)] -= found[-1]
    return found


def without_denied(each: TableCard) -> TableCard:
    """Drop faces that people have denied; the card then counts as uncertain."""
    card = each.card.card
    if best_face(card) in each.denied:
        card = replace(card, face=None, sure=False, chance=None)
    others = tuple(guess for guess in card.runners_up if guess.face not in each.denied)
    return replace(each, card=replace(each.card, card=replace(card, runners_up=others)))


# which cards count


def state_of(match: Match, ask: Show | None, each: TableCard) -> CardState:
    """Return whether a card counts for an ask, or why it doesn't."""
    if each.is_counted:
        return "already counted" if ask is not None and is_allowed(ask, each.name or "") else "counted"
    card = without_denied(each).card.card
    if card.facing == "down":
        return "face down"
    if not card.sure or card.face is None:
        return "covered" if card.visible < FREE or card.more_below else "blurred"
    if not card.possible:
        return "not in this deck"
    if ask is None or not is_allowed(ask, card.face):
        return "not asked now"
    return "counts now" if _is_in_place(match, ask, each) else "elsewhere"


def _is_in_place(match: Match, ask: Show, each: TableCard) -> bool:
    """Return whether a card's position fits an ask; in games with places, also a new card's outside of all."""
    return not needs_places(match) or each in in_zone((each,), ask) or (each.is_new and each.card.zone is None)


def is_allowed(ask: Show, face: str) -> bool:
    return ask.among.get(face, 0) > 0 and face not in ask.barred


def in_zone(cards: Cards, ask: Show) -> Cards:
    """Return the cards in the ask's zone, and those whose place is unknown."""
    name = zone_name(ask.zone)
    return tuple(each for each in cards if each.card.middle is None or each.card.zone == name)


def cards_for_ask(match: Match, ask: Show, cards: Cards) -> Cards:
    """Return the cards that count for an ask, wherever they lie, in order of arrival.

    Unread cards are among them if they are new or in the ask's zone: others may have been there for long.
    """
    there = in_zone(cards, ask)
    states = ((each, state_of(match, ask, each)) for each in sorted(cards, key=lambda each: each.since))
    return tuple(
        each
        for each, state in states
        if state == "counts now"
        or (state in UNREAD and (each in there or (each.is_new and _is_in_place(match, ask, each))))
    )
