"""What lies alone on the table, told while somebody teaches a deck: pure, a picture at a time.

Whoever teaches asks again and again, with the number of what was heard last: what was told while nobody
listened is told again. Eyes that were replaced don't know the empty table, and say so.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from vision.process.messages import Attend, Attended, Bare, News, Reaching, Unknown
from vision.process.watching import PATIENCE, STILL_FRAMES, Watch, at_rest, begun, gate_picture, stirred, unread
from vision.table.calibration import Picture, light_problems
from vision.teaching.lessons import Empty, One, seen_on

Attentive: TypeAlias = tuple["Attention", tuple[News, ...]]


class Attention(Struct, frozen=True, eq=False):
    """What is known of the table while a deck is taught."""

    ground: Picture | None = None
    """The empty table."""
    is_clearing: bool = False
    """Somebody says that the table is empty: it is taken so once it is still."""
    watch: Watch | None = None
    shape: float | None = None
    """The width by height of the deck's cards, where that is known."""
    number: int = 0
    """The number of what was told last."""
    last: Attended | None = None


def asked(attention: Attention | None, order: Attend | Bare, size: tuple[int, int] | None) -> Attentive:
    """Attend to what lies there: tell again what wasn't heard, or take the table for empty once it is still."""
    known = attention or Attention(number=order.after)
    known = replace(known, number=max(known.number, order.after))
    if isinstance(order, Bare):
        return replace(known, is_clearing=True, ground=None, watch=None), ()
    known = replace(known, shape=order.shape)
    if known.last is not None and known.last.number > order.after:
        return known, (known.last,)
    if attention is None:
        return _telling(known, Attended(0, Unknown(), size or (0, 0)))
    return known, ()


def attended(attention: Attention, picture: Picture) -> Attentive:
    """Look at the next picture; usually there is nothing to tell."""
    if attention.is_clearing:
        return _cleared(attention, picture)
    if attention.ground is None:
        return attention, ()
    if attention.watch is None:
        return replace(attention, watch=begun(picture)), ()
    watch = stirred(attention.watch, gate_picture(picture))
    if not at_rest(watch):
        return replace(attention, watch=watch), ()
    return _judged(replace(attention, watch=begun(picture)), picture)


def _cleared(attention: Attention, picture: Picture) -> Attentive:
    """Wait until the table is still, and take it for empty."""
    if attention.watch is None:
        return replace(attention, watch=unread(picture)), ()
    watch = stirred(attention.watch, gate_picture(picture))
    if bool((watch.still < STILL_FRAMES).any()) and int(watch.waiting.max()) < PATIENCE:
        return replace(attention, watch=watch), ()
    bare = replace(attention, is_clearing=False, ground=picture, watch=begun(picture))
    return _telling(bare, Attended(0, Empty(), _size(picture), light_problems(picture)))


def _judged(attention: Attention, picture: Picture) -> Attentive:
    """Tell what lies there; the light that the empty table is seen in changes slowly."""
    assert attention.ground is not None  # noqa: S101 - whoever judges has one
    what = seen_on(attention.ground, picture, attention.shape) or Reaching()
    if isinstance(what, Empty):
        attention = replace(attention, ground=picture)
    if isinstance(what, One):
        attention = replace(attention, shape=what.shape)
    return _telling(attention, Attended(0, what, _size(picture), light_problems(picture)))


def _telling(attention: Attention, news: Attended) -> Attentive:
    number = attention.number + 1
    numbered = replace(news, number=number)
    return replace(attention, number=number, last=numbered), (numbered,)


def _size(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
