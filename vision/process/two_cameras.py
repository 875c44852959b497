"""What two cameras tell of one table, made one, pure: without a second look it is what the first one tells.

The second camera is asked for a look when the first one has doubts. What it says holds until the first one sees
that something has changed there. While it holds, the second one goes on looking: what it alone can read may be
changed without the first one's seeing it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.process.messages import (
    CardChanged,
    Expect,
    EyesMessage,
    EyesOrder,
    EyesReady,
    EyesSettings,
    FindTable,
    KeepEvidence,
    ReadTable,
    Rest,
    TableRead,
    UnexplainedChanged,
    UseDeck,
    UseTable,
    Wake,
    settings_after,
)
from vision.process.places import distance_between, is_same_place, lies_on, longer_side, pair_nearest
from vision.process.two_looks import FusedCard, bring_by_shared_cards, fuse_looks
from vision.sightings import SecondLook, Sighting, UnexplainedThing
from vision.table.calibration import to_pixels
from vision.table.plane import as_outline
from vision.table.zones import PlacedCard, locate_card

HELD = 8
"""Readings of which it is known what the second camera had to do with them, in case a ruling rests on one."""
BESIDE = 1.5
"""How far apart the middles of cards are at most that touch, as a share of their longer side."""
SHIFTED = 0.25
"""How far a thing's middle may shift and it is still the same one, as a share of its size."""

Places: TypeAlias = tuple[PlacedCard, ...]


class TableCard(Struct, frozen=True):
    """A card as it was told on, and what the second camera had to do with it."""

    card: PlacedCard
    part: SecondLook = "none"


class JointReading(Struct, frozen=True):
    """A reading of the first camera that the second one had to do with, and the second one's own."""

    first: int
    second: int
    """0 once its picture isn't held any more."""
    cards: tuple[FusedCard, ...]


class TwoCameras(Struct, frozen=True):
    """What both cameras have told, and what of it was told on; each message gives the next state."""

    settings: EyesSettings
    """The first camera's."""
    size: tuple[int, int] = (0, 0)
    """Of the first camera's picture."""
    own: Places = ()
    """The cards as the first camera tells them."""
    strange: tuple[UnexplainedThing, ...] = ()
    reading: int = 0
    told: tuple[TableCard, ...] = ()
    """The cards as they were told on: the first camera's, one for one, then those that the second has added."""
    is_awake: bool = False
    """Whether the second camera looks now."""
    asked: int = 0
    """Looks that it was asked for."""
    is_awaited: bool = False
    """Whether it still owes the last one."""
    look: Places | None = None
    """The cards as it sees them now; None if that isn't known."""
    look_reading: int = 0
    joint: tuple[JointReading, ...] = ()


class JointStep(Struct, frozen=True):
    """What comes of a message: what the table is told, and what the second camera is."""

    cameras: TwoCameras
    news: tuple[EyesMessage, ...] = ()
    orders: tuple[EyesOrder, ...] = ()


def has_doubts(cards: Iterable[PlacedCard], strange: Sequence[UnexplainedThing]) -> bool:
    """Return whether a second look could help: something isn't sure, can't be there, or can't be explained."""
    return bool(strange) or any(
        not each.card.sure or not each.card.possible or each.card.more_below for each in cards
    )


# what the first camera tells


def hear_first(cameras: TwoCameras, news: EyesMessage) -> JointStep:
    """Pass on what the first camera tells, with what the second one knows; ask that one where it has doubts."""
    cameras = replace(cameras, settings=settings_after(cameras.settings, news))
    match news:
        case TableRead():
            return _hear_reading(cameras, news)
        case CardChanged():
            return _hear_change(cameras, news)
        case UnexplainedChanged(strange):
            step = _ask_where_doubtful(
                replace(cameras, strange=strange), is_changed=_differ(cameras.strange, strange)
            )
            return _tell_differences(step, cameras.told[: len(cameras.own)])
        case EyesReady(_camera, size):
            return JointStep(replace(cameras, size=size), (news,))
        case _:
            return JointStep(cameras, (news,))


def _hear_reading(cameras: TwoCameras, news: TableRead) -> JointStep:
    gone, come = _changed_cards(cameras.own, news.cards)
    changed = (*gone, *come)
    is_changed = bool(changed) or _differ(cameras.strange, news.strange)
    cameras = replace(cameras, own=news.cards, strange=news.strange, reading=news.reading)
    step = _ask_where_doubtful(_without_stale(cameras, changed), is_changed=is_changed)
    cameras = _remember_reading(replace(step.cameras, told=_fused(step.cameras)))
    read = replace(news, cards=tuple(each.card for each in cameras.told))
    return JointStep(cameras, (read,), step.orders)


def _hear_change(cameras: TwoCameras, news: CardChanged) -> JointStep:
    before = news.card if news.what == "taken" else news.before
    place = None if before is None else _find_card(cameras.own, before)
    left = tuple(each for number, each in enumerate(cameras.own) if number != place)
    known: tuple[TableCard | None, ...] = tuple(
        each for number, each in enumerate(cameras.told[: len(cameras.own)]) if number != place
    )
    was = None if before is None else TableCard(before) if place is None else cameras.told[place]
    own = left if news.what == "taken" else (*left, news.card)
    changed = (news.card,) if before is None else (news.card, before)
    cameras = _without_stale(replace(cameras, own=own, reading=news.reading), changed)
    step = _ask_where_doubtful(cameras, is_changed=True)
    gone = (
        CardChanged("taken", was.card, None, news.reading) if was is not None and news.what == "taken" else None
    )
    step = _tell_differences(step, known if news.what == "taken" else (*known, was))
    return step if gone is None else replace(step, news=(gone, *step.news))


def _ask_where_doubtful(cameras: TwoCameras, *, is_changed: bool) -> JointStep:
    """Ask for another look where something has changed, and doubts are left; without doubts, none is needed."""
    if not has_doubts(cameras.own, cameras.strange):
        return _let_second_rest(cameras)
    if not is_changed:
        return JointStep(cameras)
    wake = () if cameras.is_awake else (Wake(),)
    cameras = replace(cameras, is_awake=True, asked=cameras.asked + 1, is_awaited=True)
    return JointStep(cameras, (), (*wake, ReadTable(_token(cameras))))


def _let_second_rest(cameras: TwoCameras) -> JointStep:
    orders = (Rest(),) if cameras.is_awake else ()
    return JointStep(replace(cameras, is_awake=False, is_awaited=False, look=None), (), orders)


def _token(cameras: TwoCameras) -> str:
    return f"look {cameras.asked}"


def _without_stale(cameras: TwoCameras, changed: Sequence[PlacedCard]) -> TwoCameras:
    """Drop what the second camera has said of places where the first one sees that something has changed."""
    if not changed or not cameras.look:
        return cameras
    # where it isn't known how the pictures lie on each other, none of it is sure to be elsewhere
    brought = _brought(cameras)
    stays = tuple(
        each
        for each, there in zip(cameras.look, brought, strict=False)
        if not any(is_same_place(there, other.card) for other in changed)
    )
    return replace(cameras, look=stays)


# what the second camera tells


def hear_second(cameras: TwoCameras, news: EyesMessage) -> JointStep:
    """Take in what the second camera tells; if its look says nothing new, it needn't look on."""
    if isinstance(news, EyesReady):
        # new eyes don't know what the old ones were asked
        asked = (ReadTable(_token(cameras)),) if cameras.is_awaited else ()
        return JointStep(cameras, (), asked)
    heard = _with_look(cameras, news)
    if heard is cameras:
        return JointStep(cameras)
    step = _tell_differences(JointStep(heard), cameras.told[: len(cameras.own)])
    is_of_use = tuple(each.card for each in step.cameras.told) != heard.own
    if is_of_use or not isinstance(news, TableRead):
        return step
    rests = _let_second_rest(step.cameras)
    return JointStep(rests.cameras, step.news, rests.orders)


def _with_look(cameras: TwoCameras, news: EyesMessage) -> TwoCameras:
    """Take in what it sees; what it was told to see earlier, and tells late, doesn't count."""
    match news:
        case TableRead() if cameras.is_awaited and news.asked == _token(cameras):
            return replace(cameras, look=news.cards, look_reading=news.reading, is_awaited=False)
        case TableRead() if cameras.look is not None and not cameras.is_awaited:
            return replace(cameras, look=news.cards, look_reading=news.reading)
        case CardChanged() if cameras.look is not None:
            gone = news.card if news.what == "taken" else news.before
            place = None if gone is None else _find_card(cameras.look, gone)
            left = tuple(each for number, each in enumerate(cameras.look) if number != place)
            look = left if news.what == "taken" else (*left, news.card)
            return replace(cameras, look=look, look_reading=news.reading)
        case _:
            return cameras


def lose_second(cameras: TwoCameras) -> JointStep:
    """Go on as if there were no second camera; one that was looking is asked anew, for when it is back."""
    # new eyes of it number their readings anew
    joint = tuple(replace(each, second=0) for each in cameras.joint)
    lost = replace(cameras, look=None, joint=joint)
    step = _ask_where_doubtful(lost, is_changed=True) if lost.is_awake else JointStep(lost)
    return _tell_differences(step, cameras.told[: len(cameras.own)])


# orders


def prepare_order(cameras: TwoCameras, order: EyesOrder) -> tuple[TwoCameras, EyesOrder, tuple[EyesOrder, ...]]:
    """Prepare an order of the table: what both cameras are told; of evidence, what both have seen."""
    cameras = replace(cameras, settings=settings_after(cameras.settings, order))
    match order:
        case KeepEvidence():
            joint = joint_reading(cameras, order.reading)
            return cameras, order if joint is None else replace(order, fused=joint.cards), ()
        case UseDeck() | FindTable():
            step = forget_cards(cameras)
            return step.cameras, order, (*step.orders, order)
        case Expect():
            return cameras, order, (order,)
        case Rest() | UseTable():
            step = forget_cards(cameras)
            return step.cameras, order, step.orders
        case _:
            return cameras, order, ()


def forget_first(cameras: TwoCameras) -> JointStep:
    """Begin anew with new eyes of the first camera, which number their readings anew."""
    return forget_cards(replace(cameras, joint=()))


def forget_cards(cameras: TwoCameras) -> JointStep:
    """Begin anew: the first camera reads the whole table before it tells of any card again."""
    return _let_second_rest(replace(cameras, own=(), strange=(), told=()))


def joint_reading(cameras: TwoCameras, reading: int) -> JointReading | None:
    """Give a reading that both cameras had to do with; None if it is the first one's alone."""
    return next((each for each in cameras.joint if each.first == reading), None)


def _remember_reading(cameras: TwoCameras) -> TwoCameras:
    if all(each.part == "none" for each in cameras.told):
        return cameras
    cards = tuple(FusedCard(each.card.card, each.part) for each in cameras.told)
    return replace(
        cameras, joint=(*cameras.joint, JointReading(cameras.reading, cameras.look_reading, cards))[-HELD:]
    )


# both looks made one


def _fused(cameras: TwoCameras) -> tuple[TableCard, ...]:
    """Fuse what both see: the first camera's cards, one for one, then those that the second adds."""
    brought = _brought(cameras)
    if not brought:
        return tuple(map(TableCard, cameras.own))
    table, zones = cameras.settings.table, cameras.settings.zones
    first = [each.card for each in cameras.own]
    fused = fuse_looks(first, brought, cameras.size)
    # a card is added only where the first camera sees something that it can't explain
    added = [
        each for each in fused[len(first) :] if any(lies_on(thing, each.card) for thing in cameras.strange)
    ]
    whole = [_explain_neighbours(each, (*fused[: len(first)], *added), brought) for each in fused[: len(first)]]
    return (
        *(
            TableCard(replace(was, card=now.card), now.part)
            for was, now in zip(cameras.own, whole, strict=True)
        ),
        *(TableCard(locate_card(each.card, table, zones), each.part) for each in added),
    )


def _explain_neighbours(fused: FusedCard, others: Sequence[FusedCard], second: Sequence[Sighting]) -> FusedCard:
    """Let a card lie on nothing more, where what was unread beside it is named by the second look."""
    card = fused.card
    if fused.part != "agreed" or not card.more_below:
        return fused
    is_free = any(is_same_place(each, card) and not each.more_below for each in second)
    named = (each.card for each in others if each.part in {"added", "settled"})
    is_explained = any(distance_between(each, card) < BESIDE * longer_side(card) for each in named)
    return replace(fused, card=replace(card, more_below=False)) if is_free and is_explained else fused


def _brought(cameras: TwoCameras) -> tuple[Sighting, ...]:
    """Bring the second camera's cards into the first one's picture: by the table, or by cards that both see."""
    look, table = cameras.look or (), cameras.settings.table
    outlines = [each.outline for each in look if each.outline is not None]
    if table is not None and len(outlines) == len(look):
        pixels = (to_pixels(table, np.array(outline)) for outline in outlines)
        return tuple(
            replace(each.card, outline=as_outline(there)) for each, there in zip(look, pixels, strict=True)
        )
    apart = [(each.card, each.card.outline) for each in look]
    return bring_by_shared_cards(apart, [each.card for each in cameras.own])


def _tell_differences(step: JointStep, known: Sequence[TableCard | None]) -> JointStep:
    """Report how the cards have changed; `known` are the first camera's own, None for a new one."""
    cameras = step.cameras
    told = _fused(cameras)
    own, added = told[: len(known)], told[len(known) :]
    before = tuple(each for each in cameras.told if each.part == "added")
    news = (
        *(_difference(was, now, cameras.reading) for was, now in zip(known, own, strict=True) if was != now),
        *_added_differences(before, added, cameras.reading),
    )
    changes = tuple(each for each in news if each.before != each.card)
    return JointStep(replace(cameras, told=told), (*step.news, *changes), step.orders)


def _difference(was: TableCard | None, now: TableCard, reading: int) -> CardChanged:
    if was is None:
        return CardChanged("laid", now.card, None, reading)
    return CardChanged("moved", now.card, was.card, reading)


def _added_differences(
    before: Sequence[TableCard], after: Sequence[TableCard], reading: int
) -> Iterator[CardChanged]:
    """Compare the cards that only the second camera sees with those that it saw."""
    gone, come = _changed_cards([each.card for each in before], [each.card for each in after])
    yield from (CardChanged("taken", each, None, reading) for each in gone)
    yield from (CardChanged("laid", each, None, reading) for each in come)


# what is the same


def _same_cards(before: Sequence[PlacedCard], after: Sequence[PlacedCard]) -> list[tuple[int, int]]:
    """Pair cards that lie where they lay, and look the same."""
    return pair_nearest([each.card for each in before], [each.card for each in after], _apart)


def _apart(one: Sighting, other: Sighting) -> float | None:
    if not is_same_place(one, other) or (one.face, one.facing) != (other.face, other.facing):
        return None
    return distance_between(one, other)


def _find_card(cards: Sequence[PlacedCard], card: PlacedCard) -> int | None:
    return next((number for number, _one in _same_cards(cards, [card])), None)


def _changed_cards(before: Sequence[PlacedCard], after: Sequence[PlacedCard]) -> tuple[Places, Places]:
    """List the cards that have gone, and those that have come; one that looks other than before is both."""
    pairs = _same_cards(before, after)
    stays, come = {old for old, _new in pairs}, {new for _old, new in pairs}
    gone = tuple(each for number, each in enumerate(before) if number not in stays)
    return gone, tuple(each for number, each in enumerate(after) if number not in come)


def _differ(before: Sequence[UnexplainedThing], after: Sequence[UnexplainedThing]) -> bool:
    """Return whether things that are no cards have come, gone or moved."""
    return len(before) != len(after) or not all(
        any(_is_same_thing(one, other) for other in after) for one in before
    )


def _is_same_thing(one: UnexplainedThing, other: UnexplainedThing) -> bool:
    here, there = np.array(one.outline), np.array(other.outline)
    size = float(np.hypot(*np.ptp(here, axis=0)))
    return float(np.hypot(*(here.mean(axis=0) - there.mean(axis=0)))) < SHIFTED * size
