"""Report lone cards on the table while a deck is taught; pure, one picture at a time.

The teaching page polls with the number of its last report, and later reports are repeated. Restarted eyes don't
know the empty table, and report that.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from vision.card_cuts import LoneCard
from vision.pictures import Picture
from vision.process import watching
from vision.process.messages import Attend, EyesMessage, Lying, TakeAsEmpty, TeachingReport
from vision.table.plates import light_problems
from vision.teaching.lessons import look_at_table
from vision.troubles import Problem

AttentionStep: TypeAlias = tuple["Attention", tuple[EyesMessage, ...]]


class Attention(Struct, frozen=True, eq=False):
    """State of the eyes while a deck is taught."""

    ground: Picture | None = None  # the empty table
    is_clearing: bool = False
    """Whether to record the table as empty once it is still."""
    watch: watching.Watch | None = None
    shape: float | None = None  # width divided by height of the deck's cards, if known
    number: int = 0  # number of the last report
    last: TeachingReport | None = None


def obey_teaching_order(
    attention: Attention | None, order: Attend | TakeAsEmpty, size: tuple[int, int] | None
) -> AttentionStep:
    """Apply an order: repeat a missed report, or record the empty table once it is still."""
    known = attention or Attention(number=order.after)
    known = replace(known, number=max(known.number, order.after))
    if isinstance(order, TakeAsEmpty):
        return replace(known, is_clearing=True, ground=None, watch=None), ()
    known = replace(known, shape=order.shape)
    if known.last is not None and known.last.number > order.after:
        return known, (known.last,)
    if attention is None:
        return _tell(known, "", size or (0, 0))
    return known, ()


def attend_to_picture(attention: Attention, picture: Picture) -> AttentionStep:
    if attention.is_clearing:
        return _wait_for_empty_table(attention, picture)
    if attention.ground is None:
        return attention, ()
    if attention.watch is None:
        return replace(attention, watch=watching.begin_watch(picture)), ()
    watch = watching.note_motion(attention.watch, watching.gate_picture(picture))
    if not watching.is_at_rest(watch):
        return replace(attention, watch=watch), ()
    return _tell_what_lies(replace(attention, watch=watching.begin_watch(picture)), attention.ground, picture)


def _wait_for_empty_table(attention: Attention, picture: Picture) -> AttentionStep:
    if attention.watch is None:
        return replace(attention, watch=watching.begin_unread_watch(picture)), ()
    watch = watching.note_motion(attention.watch, watching.gate_picture(picture))
    if (
        bool((watch.still < watching.STILL_FRAMES).any())
        and int(watch.waiting.max()) < watching.RESTLESS_FRAMES
    ):
        return replace(attention, watch=watch), ()
    bare = replace(attention, is_clearing=False, ground=picture, watch=watching.begin_watch(picture))
    return _tell(bare, "empty", picture.shape[1::-1], light_problems(picture))


def _tell_what_lies(attention: Attention, ground: Picture, picture: Picture) -> AttentionStep:
    """Report the table's contents; adapt the empty table's picture to slow changes of light."""
    what = look_at_table(ground, picture, attention.shape) or "reaching"
    now = replace(attention, ground=picture if what == "empty" else ground)
    if isinstance(what, LoneCard):
        now = replace(now, shape=what.shape)
    return _tell(now, what, picture.shape[1::-1], light_problems(picture))


def _tell(
    attention: Attention, what: Lying, size: tuple[int, ...], wrong: tuple[Problem, ...] = ()
) -> AttentionStep:
    wide, high = size
    news = TeachingReport(attention.number + 1, what, (wide, high), wrong)
    return replace(attention, number=news.number, last=news), (news,)
