"""Report what lies alone on the table while a deck is taught: pure, a picture at a time.

The teaching page polls with the number of the last report it has; what it missed is reported again. Eyes that
were replaced don't know the empty table, and say so.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from vision.process.messages import (
    Attend,
    EmptyTableUnknown,
    EyesMessage,
    HandInPicture,
    TakeAsEmpty,
    TeachingReport,
)
from vision.process.watching import (
    PATIENCE,
    STILL_FRAMES,
    Watch,
    begin_unread_watch,
    begin_watch,
    gate_picture,
    is_at_rest,
    note_motion,
)
from vision.table.plates import Picture, light_problems
from vision.teaching.lessons import EmptyTable, LoneCard, look_at_table

AttentionStep: TypeAlias = tuple["Attention", tuple[EyesMessage, ...]]


class Attention(Struct, frozen=True, eq=False):
    """What the eyes know of the table while a deck is taught."""

    ground: Picture | None = None  # the empty table
    is_clearing: bool = False
    """The teacher has said that the table is empty: it is recorded once it is still."""
    watch: Watch | None = None
    shape: float | None = None  # the width by height of the deck's cards, if known
    number: int = 0  # the number of the last report
    last: TeachingReport | None = None


def obey_teaching_order(
    attention: Attention | None, order: Attend | TakeAsEmpty, size: tuple[int, int] | None
) -> AttentionStep:
    """Obey an order: repeat a report that was missed, or record the empty table once it is still."""
    known = attention or Attention(number=order.after)
    known = replace(known, number=max(known.number, order.after))
    if isinstance(order, TakeAsEmpty):
        return replace(known, is_clearing=True, ground=None, watch=None), ()
    known = replace(known, shape=order.shape)
    if known.last is not None and known.last.number > order.after:
        return known, (known.last,)
    if attention is None:
        return _number_report(known, TeachingReport(0, EmptyTableUnknown(), size or (0, 0)))
    return known, ()


def attend_to_picture(attention: Attention, picture: Picture) -> AttentionStep:
    if attention.is_clearing:
        return _wait_for_empty_table(attention, picture)
    if attention.ground is None:
        return attention, ()
    if attention.watch is None:
        return replace(attention, watch=begin_watch(picture)), ()
    watch = note_motion(attention.watch, gate_picture(picture))
    if not is_at_rest(watch):
        return replace(attention, watch=watch), ()
    return _tell_what_lies(replace(attention, watch=begin_watch(picture)), picture)


def _wait_for_empty_table(attention: Attention, picture: Picture) -> AttentionStep:
    if attention.watch is None:
        return replace(attention, watch=begin_unread_watch(picture)), ()
    watch = note_motion(attention.watch, gate_picture(picture))
    if bool((watch.still < STILL_FRAMES).any()) and int(watch.waiting.max()) < PATIENCE:
        return replace(attention, watch=watch), ()
    bare = replace(attention, is_clearing=False, ground=picture, watch=begin_watch(picture))
    return _number_report(bare, TeachingReport(0, EmptyTable(), _size(picture), light_problems(picture)))


def _tell_what_lies(attention: Attention, picture: Picture) -> AttentionStep:
    """Report what lies there; let the empty table's picture follow slow changes of light."""
    assert attention.ground is not None  # noqa: S101 - the caller has checked
    what = look_at_table(attention.ground, picture, attention.shape) or HandInPicture()
    if isinstance(what, EmptyTable):
        attention = replace(attention, ground=picture)
    if isinstance(what, LoneCard):
        attention = replace(attention, shape=what.shape)
    return _number_report(attention, TeachingReport(0, what, _size(picture), light_problems(picture)))


def _number_report(attention: Attention, news: TeachingReport) -> AttentionStep:
    number = attention.number + 1
    numbered = replace(news, number=number)
    return replace(attention, number=number, last=numbered), (numbered,)


def _size(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
