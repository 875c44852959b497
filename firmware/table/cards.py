"""Turns the cards that the eyes report into an answer, a notice, or nothing yet.

Every face-up card in view that no answer has counted yet counts for the open ask, wherever it lies, if the ask
allows its face. Places are hints: they decide what faces, counts and order leave open, except in games whose
turns are read as a whole. Cards are never guessed: a likely card is shown and accepted unless a player objects,
if it can be corrected later; any other doubt leads to a notice.

A counted card stays counted if it is moved or covered, and if it is taken and laid again while its reveal
stands: until the record moves cards, or a person answers in another way, and cards are asked for again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from math import inf
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.expected import (
    Faces,
    brought_cards,
    expected_cards,
    expected_in_view,
    faces_named,
    last_revealed,
)
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import DISCARD, Answer, Refusal, Show, Zone
from referee.legal import card_refusal
from referee.match import Match, hear, is_correctable
from vision.process.messages import CardChanged, TableRead
from vision.sightings import Sighting, best_face, likely_face, likely_faces
from vision.table.values import PlacedCard, distance_apart

T = TypeVar("T")
LIKELY_NOTICES = (NoticeKey.LIKELY_ONE, NoticeKey.LIKELY_TWO)
"""Notices about an uncertain card, with the answers that it could make."""
UNMOVED_WITHIN = 25.0  # millimetres within which a card counts as unmoved
COVERING_DISTANCE = 75.0  # millimetres between the middles of a card and of one that covers it
FREE = 0.9  # visible share from which on a card isn't covered


class TableCard(Struct, frozen=True):
    """A card in view, whether an answer has counted it, and the reading in which it first appeared."""

    card: PlacedCard
    is_told: bool = False
    since: int = 0
    denied: tuple[str, ...] = ()  # faces that people have denied while it is there
    stands: bool = False  # whether the reveal that counted it stands
    is_new: bool = True  # whether it appeared or moved at this moment

    @property
    def name(self) -> str | None:
        return self.card.card.face or likely_face(self.card.card)


Cards = tuple[TableCard, ...]


class AwayCard(Struct, frozen=True):
    """A counted card that isn't in view: lifted, covered, or named by a person before it is laid."""

    face: str
    stands: bool = True
    card: PlacedCard | None = None
    left: int | None = None  # the reading in which it left
    over: PlacedCard | None = None  # the card that covers it
    bared: int | None = None  # the reading in which that one left
    asked: Zone | None = None  # the place for which it was named before it is laid


Away = tuple[AwayCard, ...]

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


# reports of the eyes


def take_in(
    match: Match, before: Cards | None, away: Away, news: TableRead | CardChanged
) -> tuple[Cards, Away]:
    """Apply a report; at the first one, cards of earlier answers are counted by the record."""
    if isinstance(news, TableRead):
        cards, away = _after_reading(match, before or (), away, news)
    else:
        cards, away = _after_event(match, before or (), away, news)
    ask = show_ask(match)
    if before is not None:
        return cards, tuple(_without_swept(cards, away, news.reading))
    cards = _counted_before(cards, match)
    if ask is not None:
        cards, away = _open_reveal(cards, away, match, ask)
    return cards, away


def _after_reading(match: Match, cards: Cards, away: Away, news: TableRead) -> tuple[Cards, Away]:
    """Replace all cards; unmoved and moved ones keep their state.

    If earlier cards are gone and others came, they were swept: one in another place is a new one then.
    """
    left, known, named = list(cards), dict[int, TableCard](), set[int]()

    def find(is_it: Callable[[TableCard, PlacedCard], bool], *, is_new: bool = False) -> None:
        for number, card in enumerate(news.cards):
            was = None if number in known else next((each for each in left if is_it(each, card)), None)
            if was is not None:
                left.remove(was)
                known[number] = now = replace(was, card=card, is_new=was.is_new or is_new)
                named.update(() if now.name in {None, was.name} else {number})

    find(lambda was, now: was.card.card.face == now.card.face and _is_unmoved(match, was.card, now))
    find(
        # only one of two readings was sure of it; a card turned over is a new one
        lambda was, now: (
            (was.card.card.face is None) != (now.card.face is None)
            and was.card.card.facing == now.card.facing
            and _is_unmoved(match, was.card, now)
        )
    )
    gone = Counter(each.name for each in left if each.is_told)
    came = Counter(each.card.face for number, each in enumerate(news.cards) if number not in known)
    is_swept = not (gone <= came or came <= gone)
    find(
        lambda was, now: (
            was.card.card.face == now.card.face is not None
            and (was.stands or not (was.is_told and is_swept))
            and _keeps_state(match, was, now)
        ),
        is_new=True,
    )
    away = _with_left(match, away, left, news.reading)
    after = list[TableCard]()
    for number, card in enumerate(news.cards):
        each = known.get(number, TableCard(card, since=news.reading))
        if number not in known or number in named:
            each, away = _arrive(match, each, away, news.reading)
        after.append(each)
    return tuple(after), away


def _after_event(match: Match, cards: Cards, away: Away, news: CardChanged) -> tuple[Cards, Away]:
    """Apply a laid, taken or moved card; a moved one keeps its state."""
    gone = news.before if news.what == "moved" else news.card if news.what == "taken" else None
    there = (each for each in cards if gone is not None and each.card.card.face == gone.card.face)
    was = next((each for each in there if gone is not None and _is_unmoved(match, each.card, gone)), None)
    left = tuple(each for each in cards if each is not was)
    if news.what == "moved" and was is not None and _keeps_state(match, was, news.card):
        each = replace(was, card=news.card, is_new=True)
        if each.name not in {None, was.name}:
            each, away = _arrive(match, each, away, news.reading)
        return (*left, each), away
    if was is not None:
        away = _with_left(match, away, (was,), news.reading)
    if news.what == "taken":
        return left, away
    if news.what == "moved":
        return (*left, TableCard(news.card, since=news.reading)), away
    each, away = _arrive(match, TableCard(news.card, since=news.reading), away, news.reading)
    return (*left, each), away


def _is_unmoved(match: Match, was: PlacedCard, now: PlacedCard) -> bool:
    return (was.zone == now.zone or not needs_places(match)) and distance_apart(was, now) < UNMOVED_WITHIN


def _keeps_state(match: Match, was: TableCard, now: PlacedCard) -> bool:
    """Return whether a moved card keeps its state; not one that hands bring, or lay where a player is asked."""
    ask, is_nudged = show_ask(match), distance_apart(was.card, now) < UNMOVED_WITHIN
    if needs_places(match):
        return was.card.zone == now.zone
    if not was.is_told or is_nudged or ask is None:
        return True
    is_laid = _is_elsewhere(ask, was.card) and not _is_elsewhere(ask, now)
    return not (brought_cards(match, ask)[now.card.face or ""] or (is_laid and not was.stands))


def _is_elsewhere(ask: Show | None, card: PlacedCard) -> bool:
    """Return whether a card is outside the zone of the asked player."""
    return ask is not None and ask.zone.seat is not None and card.zone != zone_name(ask.zone)


def _with_left(match: Match, away: Away, left: Iterable[TableCard], reading: int) -> Away:
    if needs_places(match):
        return ()
    gone = (AwayCard(each.name, each.stands, each.card, reading) for each in left if each.is_told and each.name)
    return (*away, *gone)


def _arrive(match: Match, each: TableCard, away: Away, reading: int) -> tuple[TableCard, Away]:
    """Return a card that is new or has a new name: counted if it is laid again, uncovered or put away."""
    card, ask = each.card, show_ask(match)
    is_put_away = card.zone == DISCARD.name and (ask is None or ask.zone != DISCARD)
    after = list[AwayCard]()
    for gone in away:
        apart = inf if gone.card is None else distance_apart(gone.card, card)
        may_be_same = apart < UNMOVED_WITHIN and (gone.over is not None or _is_elsewhere(ask, card))
        is_others = ask and gone.asked not in {None, ask.zone} and card.zone == zone_name(ask.zone)
        is_back = (gone.stands and not is_others) or is_put_away or may_be_same
        if is_back and gone.face == each.name and not each.is_told:
            each = replace(each, is_told=True, stands=gone.stands)
            continue
        is_over = gone.over is None and gone.left == reading and apart < COVERING_DISTANCE
        after.append(replace(gone, over=card) if is_over else gone)
    return each, tuple(after)


def _without_swept(cards: Cards, away: Away, reading: int) -> Iterator[AwayCard]:
    """Yield the cards without those taken with the one over them: they don't come in the reading after that."""
    for gone in away:
        if gone.over is None or any(distance_apart(gone.over, each.card) < UNMOVED_WITHIN for each in cards):
            yield gone
        elif gone.bared in {None, reading}:
            yield replace(gone, bared=reading)
        elif gone.stands:
            yield replace(gone, over=None)


# counted cards


def cards_at_moment(before: Match, after: Match, cards: Cards, away: Away) -> tuple[Cards, Away]:
    """Count the cards of the answer that led to a moment; see whether their reveal stands."""
    entry, asked, ask = after.entry, show_ask(before), show_ask(after)
    is_answer, unlaid = False, tuple[AwayCard, ...]()
    if asked is not None and isinstance(entry, Answer) and entry.ask == asked.key:
        is_answer = True
        cards, unlaid = _count_answer(before, asked, cards, faces_named(entry))
    cards, table = mark_seen(cards), after.setup.game.table
    moves = any(table.moves(after.state, ruling) for ruling in after.rulings)
    if ask is not None and (not is_answer or moves or brought_cards(after, ask)):
        # cards of earlier answers may still be unlaid, too
        unlaid = (*unlaid, *(each for each in away if each.card is None))
        cards, away = _open_reveal(cards, away, after, ask)
        unlaid = tuple(compress(unlaid, are_due(unlaid, expected_in_view(after), lambda each: each.face)))
    elif ask is not None:
        cards = _without_required(cards, ask)
    return cards, away if needs_places(after) else (*away, *unlaid)


def _count_answer(match: Match, ask: Show, cards: Cards, faces: Sequence[str]) -> tuple[Cards, Away]:
    """Count the cards of an answer; if more are there, only those with its names. Returns also unlaid ones."""
    fresh = cards_for_ask(match, ask, cards)
    if len(fresh) > ask.count:
        counted = mark_named(cards, (*in_zone(fresh, ask), *fresh), Counter(faces))
    else:
        counted = mark(cards, fresh)
    new = [now.name for was, now in zip(cards, counted, strict=True) if now.is_told and not was.is_told]
    unlaid = tuple((Counter(faces) - Counter(filter(None, new))).elements())
    return counted, tuple(AwayCard(face, asked=ask.zone) for face in unlaid[new.count(None) :])


def _open_reveal(cards: Cards, away: Away, match: Match, ask: Show) -> tuple[Cards, Away]:
    """Let counted cards count anew once they are lifted, unless the record expects them on the table."""
    due = expected_in_view(match, ask.zone if brought_cards(match, ask) else None)
    rest = due - Counter(each.name or "" for each in cards if each.is_told)
    # a card without a name is the lifted one that should lie there
    lifted = {gone.card.zone for gone in away if gone.card is not None and gone.face in rest}
    unread = (each for each in cards if each.name is None and each.card.card.facing == "up")
    cards = mark(cards, tuple(each for each in unread if each.card.zone in lifted))
    stand = zip(cards, are_due(cards, due, _counted_name), strict=True)
    cards = tuple(
        replace(each, stands=stands or (each.is_told and each.name is None and bool(rest)))
        for each, stands in stand
    )
    covered = tuple(replace(each, stands=False) for each in away if each.over is not None)
    return _without_required(cards, ask), covered


def _without_required(cards: Cards, ask: Show) -> Cards:
    """Let counted cards that must be among the requested ones count again where they lie."""
    required = are_due(cards, Counter(ask.must), _counted_name)
    return tuple(
        replace(each, is_told=each.is_told and not again) for each, again in zip(cards, required, strict=True)
    )


def _counted_name(each: TableCard) -> str | None:
    return each.name if each.is_told else None


def _counted_before(cards: Cards, match: Match) -> Cards:
    """Count cards of earlier answers after a start: discards, expected ones, the last shown unless swept."""
    cards = tuple(
        replace(each, is_told=each.card.zone == DISCARD.name, stands=True, is_new=False) for each in cards
    )
    due, shown = expected_in_view(match), last_revealed(match)
    now = Counter(each.name or "" for each in cards)
    return mark_named(cards, cards, due | shown if shown <= now or now <= shown else due)


def mark(cards: Cards, told: Cards) -> Cards:
    marked = {id(each) for each in told}
    return tuple(replace(each, is_told=True, stands=True) if id(each) in marked else each for each in cards)


def mark_seen(cards: Cards) -> Cards:
    return tuple(replace(each, is_new=False) for each in cards)


def mark_all_told(cards: Cards) -> Cards:
    return tuple(replace(each, is_told=True) for each in cards)


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


def _without_denied(each: TableCard) -> TableCard:
    """Drop faces that people have denied; the card then counts as uncertain."""
    card = each.card.card
    if best_face(card) in each.denied:
        card = replace(card, face=None, sure=False, chance=None)
    others = tuple(guess for guess in card.runners_up if guess.face not in each.denied)
    return replace(each, card=replace(each.card, card=replace(card, runners_up=others)))


# which cards count


def state_of(match: Match, ask: Show | None, each: TableCard) -> CardState:
    """Return whether a card counts for an ask, or why it doesn't."""
    card = _without_denied(each).card.card
    allowed = frozenset[str]() if ask is None else {face for face in ask.among if is_allowed(ask, face)}
    if each.is_told:
        return "already counted" if each.name in allowed else "counted"
    if card.facing == "down":
        return "face down"
    if not card.sure or card.face is None:
        return "covered" if card.visible < FREE or card.more_below else "blurred"
    if not card.possible:
        return "not in this deck"
    if ask is None or card.face not in allowed:
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


# answers


def answer_from_cards(match: Match, cards: Cards, away: Away = ()) -> Answer | Notice | None:
    """Return the answer of the cards that count, or the notice of a problem; None without cards or ask."""
    ask = show_ask(match)
    if ask is None:
        return None
    fresh = tuple(_without_denied(each) for each in cards_for_ask(match, ask, cards))
    inside = in_zone(fresh, ask)
    if len(inside) == ask.count > 1:
        fresh = inside
    unread = card_trouble([each.card.card for each in fresh])
    if unread is not None:
        return _likely_answer(match, ask, fresh) or _likely_notice(match, ask, fresh) or unread
    if len(fresh) > ask.count:
        return _answer_from_too_many(match, ask, fresh)
    if more := _more_below_notice(ask, fresh):
        return more
    if len(fresh) == ask.count:
        return _answer(match, ask, _faces(fresh), _owners(match, ask, fresh))
    return _lack_notice(match, ask, cards, away, len(fresh))


def _lack_notice(match: Match, ask: Show, cards: Cards, away: Away, shown: int) -> Notice | None:
    there, ignored = in_zone(cards, ask), _ignored_notice(match, ask, cards)
    if ignored is not None or shown:
        missing = Notice(NoticeKey.CARDS_MISSING, {"shown": shown, "wanted": ask.count})
        return ignored or _old_cards_notice(there) or missing
    return _swept_notice(match, ask, cards, away) or _same_card_notice(match, ask, there)


def _faces(cards: Cards, doubtful: TableCard | None = None, face: str = "") -> tuple[str, ...]:
    return tuple(face if each is doubtful else each.card.card.face or "" for each in cards)


def _ignored_notice(match: Match, ask: Show, cards: Cards) -> Notice | None:
    """Return why the newest card doesn't count; one that was there before isn't mentioned."""
    there = in_zone(cards, ask)
    for each in sorted(there if needs_places(match) else cards, key=lambda each: each.since)[::-1]:
        state, face = state_of(match, ask, each), each.card.card.face or ""
        if not each.is_new or each.is_told:
            continue
        # elsewhere, hands of cards may lie face down
        if state == "face down" and each in there:
            return Notice(NoticeKey.FACE_DOWN)
        if state == "not in this deck":
            return Notice(NoticeKey.IMPOSSIBLE, {"card": face})
        if state == "not asked now" and (refusal := card_refusal(ask, (face,))):
            return Notice(NoticeKey.REFUSED, refusal=refusal)
    return None


def _more_below_notice(ask: Show, fresh: Cards) -> Notice | None:
    """Return a notice if more cards lie under new ones; discards may cover each other."""
    over = _faces(tuple(each for each in fresh if each.card.card.more_below))
    return Notice(NoticeKey.CARDS_OVERLAP, {"cards": " ".join(over)}) if over and ask.zone != DISCARD else None


def card_trouble(cards: Sequence[Sighting]) -> Notice | None:
    """Return why new cards don't count yet."""
    if any(card.facing == "down" and card.sure for card in cards):
        return Notice(NoticeKey.FACE_DOWN)
    if any(card.face is None or not card.sure for card in cards):
        return Notice(NoticeKey.UNSURE)
    strange = next((card.face for card in cards if not card.possible), None)
    return None if strange is None else Notice(NoticeKey.IMPOSSIBLE, {"card": strange})


def _only_doubtful(ask: Show, fresh: Cards) -> TableCard | None:
    """Return the only uncertain card, if the number of cards is right."""
    cards = ((each, each.card.card) for each in fresh)
    doubtful = [each for each, card in cards if not (card.sure and card.face is not None and card.possible)]
    return doubtful[0] if len(doubtful) == 1 and len(fresh) == ask.count else None


def _likely_answer(match: Match, ask: Show, fresh: Cards) -> Answer | None:
    """Answer with the most likely face of the only uncertain card, if that can be corrected later."""
    doubtful = _only_doubtful(ask, fresh)
    face = None if doubtful is None else likely_face(doubtful.card.card) or _only_face(ask, fresh, doubtful)
    if doubtful is None or face is None or not doubtful.card.card.possible or _more_below_notice(ask, fresh):
        return None
    answer = _answer(match, ask, _faces(fresh, doubtful, face), _owners(match, ask, fresh))
    if isinstance(answer, Notice) or not is_correctable(match, answer):
        return None
    return replace(answer, likely=face)


def _only_face(ask: Show, fresh: Cards, doubtful: TableCard) -> str | None:
    """Return the only face that rules and counts leave for a card."""
    if doubtful.card.card.facing == "down" or doubtful.card.card.sure:
        return None
    lying = Counter(each.card.card.face for each in fresh if each is not doubtful)
    left = [face for face, most in ask.among.items() if most > lying[face] and face not in ask.barred]
    return left[0] if len(left) == 1 and left[0] not in doubtful.denied else None


def _likely_notice(match: Match, ask: Show, fresh: Cards) -> Notice | None:
    """Ask about the only uncertain card if it may be one or two faces and no card is missing."""
    doubtful = _only_doubtful(ask, fresh)
    if doubtful is None:
        return None
    owners = _owners(match, ask, fresh)
    answers = {
        face: answer
        for face in likely_faces(doubtful.card.card)
        if isinstance(answer := _answer(match, ask, _faces(fresh, doubtful, face), owners), Answer)
    }
    if not 1 <= len(answers) <= len(LIKELY_NOTICES):
        return None
    named = dict(zip(("card", "other"), answers, strict=False))
    return Notice(LIKELY_NOTICES[len(answers) - 1], named, answers=tuple(answers.values()))


def _answer_from_too_many(match: Match, ask: Show, fresh: Cards) -> Answer | Notice:
    """Let order choose, then the ask's zone; without a clear choice, people are asked."""
    inside = in_zone(fresh, ask)
    first = _first_card(ask, fresh) or (inside[0] if len(inside) == 1 else None)
    answer = _answer(match, ask, _faces((first or fresh[0],)))
    is_trick = ask.count == 1 and isinstance(answer, Answer) and is_more_wanted(match, answer, ask.zone)
    if first is not None and (is_trick or (ask.count == 1 and inside == (first,))):
        return answer
    if is_trick:
        cards, seat = " ".join(_faces(fresh)), ask.seats[0] if ask.seats else 0
        return Notice(NoticeKey.CARDS_AT_ONCE, {"cards": cards, "seat": seat})
    return Notice(NoticeKey.TOO_MANY_CARDS, {"shown": len(fresh), "wanted": ask.count})


def is_more_wanted(match: Match, answer: Answer, zone: Zone) -> bool:
    """Return whether the answer leads to another card in the same zone, as within a trick."""
    after = hear(match, answer)
    asks = () if isinstance(after, Refusal) else after.asks
    return any(isinstance(ask, Show) and ask.zone == zone for ask in asks)


def _first_card(ask: Show, fresh: Cards) -> TableCard | None:
    """Return the card that counts first: the earliest, or the only one laid from the asked seat."""
    came = [each for each in fresh if each.since == fresh[0].since]
    if len(came) == 1:
        return came[0]
    whose = [each.card.seat for each in came]
    mine = [each for each, seat in zip(came, whose, strict=True) if ask.seats == (seat,)]
    return mine[0] if len(mine) == 1 and None not in whose else None


def _old_cards_notice(there: Cards) -> Notice | None:
    """Return a notice of used cards among new ones, because one of them may be meant again."""
    old = [each.card.card.face or "?" for each in there if each.is_told]
    return Notice(NoticeKey.OLD_CARDS, {"cards": " ".join(old)}) if old else None


def _same_card_notice(match: Match, ask: Show, there: Cards) -> Notice | None:
    """Return a notice of cards that the record has moved away; a new one may be on the same spot."""
    lying = Counter(each.name or "" for each in there if each.is_told)
    left = lying - expected_cards(match, ask.zone)
    together = lying if brought_cards(match, ask) else left
    ways = [(face,) for face in left] if ask.count == 1 else [tuple(together.elements())]
    meant = [face for faces in ways if isinstance(_answer(match, ask, faces), Answer) for face in faces]
    return Notice(NoticeKey.SAME_CARD, {"cards": " ".join(meant)}) if meant and ask.zone != DISCARD else None


def _swept_notice(match: Match, ask: Show, cards: Cards, away: Away) -> Notice | None:
    """Return a notice if cards are gone from the picture that should still be there."""
    # cards of discards and of long rows overlap: hidden cards aren't missing
    if ask.zone == DISCARD or ask.may_leave_view or not ask.seats or brought_cards(match, ask):
        return None
    # nor are cards that were answered before they were seen
    hidden = Counter(each.face for each in away if each.card is None or each.over is not None)
    lacking = expected_cards(match, ask.zone) - Counter(each.name or "" for each in cards) - hidden
    if lacking.total() <= sum(each.name is None and each.card.card.facing == "up" for each in cards):
        return None
    return Notice(NoticeKey.CARDS_REMOVED, {"cards": " ".join(lacking.elements()), "seat": ask.seats[0]})


def _owners(match: Match, ask: Show, cards: Cards) -> tuple[int | None, ...]:
    """Return the seat that laid each card, if all seats lay at once.

    Empty unless the places tell: at most one card is unclear, and no seat has two while there is one for each.
    """
    sources = () if ask.seats else match.setup.game.table.sources(match.state, ask)
    seats = {zone.seat for zone in sources if zone.seat is not None}
    owners = tuple(each.card.seat if each.card.seat in seats else None for each in cards)
    known = [seat for seat in owners if seat is not None]
    is_shared = len(known) > len(set(known)) and len(owners) <= len(seats)
    return owners if known and len(known) + 1 >= len(owners) and not is_shared else ()


def _answer(
    match: Match, ask: Show, faces: Iterable[str], owners: tuple[int | None, ...] = ()
) -> Answer | Notice:
    answer = Answer(match.number, ask.key, tuple(faces), None, "camera", owners=owners)
    after = hear(match, answer)
    return Notice(NoticeKey.REFUSED, refusal=after) if isinstance(after, Refusal) else answer
