"""Windows: who may challenge or block, and whose objection counts; one for an action, one for a block.

Challenges are settled before anything else: a block that the target calls at once waits for those who may
still challenge the action.
"""

from functools import cache

from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Deadline, Option
from referee.games.coup.actions import ACTIONS
from referee.games.coup.state import Block, DeclaredAction, Objection, State, Window, alive, claimant, clockwise

PASS = Option("pass")
CHALLENGE = Option("challenge")
OBJECTIONS = Option("objections")

Group = tuple[str, tuple[int, ...], tuple[Option, ...]]
"""Seats that may choose among the same options, after the key of their ask."""


def open_window(
    state: State, deed: DeclaredAction, block: Block | None = None, *, is_proven: bool = False
) -> State:
    """Open a window on an action, or on a block of it."""
    if block is not None:
        waiting = tuple(seat for seat in (deed.seat, *clockwise(state, deed.seat)) if seat != block.seat)
    elif is_proven:
        waiting = blockers(state, deed)
    else:
        waiting = clockwise(state, deed.seat)
    number = state.windows + 1
    return replace(state, windows=number, stage=Window(deed, number, waiting, block, is_proven))


def blockers(state: State, deed: DeclaredAction) -> tuple[int, ...]:
    """List who may block an action whose character was shown: its target, if still in play."""
    target = deed.target
    if target is None or target not in alive(state) or not ACTIONS[deed.word].blocked_by:
        return ()
    return (target,)


def is_doubtful(window: Window) -> bool:
    """Tell whether the window has a claim to challenge."""
    if window.block is not None:
        return True
    return not window.is_proven and ACTIONS[window.deed.word].claim is not None


def ask_window(state: State, window: Window) -> tuple[Ask, ...]:
    """Ask all seats that haven't spoken; the claimant may ask for objections, and then the clock runs."""
    deed, number = window.deed, window.number
    has_clock = window.is_counting or state.house.window == "timer"
    deadline = _clock(state.house.window_seconds) if has_clock else None
    groups = _doubters(deed, window.block, window.waiting) if is_doubtful(window) else _blockers(window)
    asks: list[Ask] = [Choice(key, seats, options, number, deadline) for key, seats, options in groups]
    if not has_clock:
        asks.append(Choice("objections", (claimant(deed, window.block),), (OBJECTIONS,), number))
    return tuple(asks)


def _blockers(window: Window) -> tuple[Group, ...]:
    """Let all who may still speak block."""
    return (("block", window.waiting, _blocks(window.deed.word)),)


@cache
def _doubters(deed: DeclaredAction, block: Block | None, waiting: tuple[int, ...]) -> tuple[Group, ...]:
    """Group the seats that may challenge by their options: the target of an action may block it at once."""
    target = deed.target
    if block is not None or target not in waiting or not ACTIONS[deed.word].blocked_by:
        return (("challenge", waiting, _DOUBTS),)
    others = tuple([seat for seat in waiting if seat != target])
    either = ("challenge-or-block", (target,), (CHALLENGE, *_blocks(deed.word)))
    return (("challenge", others, _DOUBTS), either) if others else (either,)


_DOUBTS = (CHALLENGE, PASS)


@cache
def _blocks(word: str) -> tuple[Option, ...]:
    return (*(Option("block", face=face) for face in ACTIONS[word].blocked_by), PASS)


@cache
def _clock(seconds: int) -> Deadline:
    return Deadline(float(seconds), PASS)


def with_seat_heard(window: Window, seat: int, option: Option) -> Window:
    """Hear a seat; it can't speak again in this window."""
    waiting = tuple([other for other in window.waiting if other != seat])
    said = window.said if option == PASS else (*window.said, Objection(seat, option))
    return replace(window, waiting=waiting, said=said)


def objection(state: State, window: Window) -> Objection | None:
    """Find the challenge or block that counts, once no other can come before it."""
    if not window.said:
        return None
    challenges = tuple([said for said in window.said if said.option == CHALLENGE])
    if is_doubtful(window) and not challenges and window.waiting:
        return None
    rivals = challenges or window.said
    if state.house.priority == "button":
        return rivals[0]
    order = (window.deed.seat, *clockwise(state, window.deed.seat))
    first = min(rivals, key=lambda said: order.index(said.seat))
    before = order[: order.index(first.seat)]
    return None if any(seat in before for seat in window.waiting) else first


def in_order(state: State, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Order objections of the same instant: a challenge, then a block; the target's first, then clockwise."""
    window = state.stage
    if not isinstance(window, Window) or state.house.priority == "clockwise":
        return answers
    first, *others = sorted(answers, key=lambda answer: _rank(state, window, answer))
    rivals = tuple(other.seat for other in others if other.seat is not None and _word(other) == _word(first))
    if not rivals or first.value == PASS:
        return (first, *others)
    return (replace(first, tied=rivals), *others)


def _rank(state: State, window: Window, answer: Answer) -> tuple[int, bool, int]:
    order = (window.deed.seat, *clockwise(state, window.deed.seat))
    place = order.index(answer.seat) if answer.seat in order else len(order)
    return _RANKS.get(_word(answer), len(_RANKS)), answer.seat != window.deed.target, place


def _word(answer: Answer) -> str:
    return answer.value.word if isinstance(answer.value, Option) else ""


_RANKS = {"challenge": 0, "block": 1, "pass": 2}
