"""Debouncing, dial steps, event order, and short, long and double presses."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.inputs.button_input import Encoder, turn_by_edge
from firmware.board.inputs.presses import (
    DEBOUNCE,
    DOUBLE_PRESS_GAP,
    EDGE_LATENCY,
    LONG_PRESS,
    RELEASE_CERTAIN,
    REORDER_DELAY,
    STUCK_AFTER,
    TIE_WINDOW,
    Contact,
    ContactChange,
    Gesture,
    Place,
    Press,
    PressEvent,
    change_button,
    due,
    hear_edge,
    hold_back,
    open_since,
    settle_contact,
    settle_presses,
    take_ready,
    waiting_due,
)
from firmware.board_events import ButtonFreed, ButtonStuck, Chord
from hardware.board.board import Key
from tests.firmware.board.inputs.waves import BACK, CLOCKWISE, Flip
from tests.given import present

# debounce


def turns(flips: list[Flip], until: float = 1e9) -> list[ContactChange]:
    contact, told = Contact(), list[ContactChange]()
    for flip in flips:
        contact, heard = hear_edge(contact, flip.at, is_down=flip.is_down)
        told += heard
    return told + list(settle_contact(contact, until)[1])


def flips(text: str) -> list[Flip]:
    """Parse edges written in milliseconds, the first one down: "0 3"."""
    return [Flip(float(at) / 1000, place % 2 == 0) for place, at in enumerate(text.split())]


@pytest.mark.parametrize(
    ("edges", "downs", "ups"),
    [
        ("0 3", [0], [3]),
        ("0 3 3.1 3.2 3.5 19", [0], [19]),
        ("0 0.1 0.2 0.3 0.4 100", [0], [100]),
        ("0 19 19.5 200 201 219", [0], [219]),
        ("0 30 70 100", [0, 70], [30, 100]),
        ("0 300 310 600", [0], [600]),
        ("100 103 160 163", [100, 160], [103, 163]),
    ],
)
def test_first_edge_counts_and_quiet_time_ends_bounce(edges: str, downs: list[float], ups: list[float]) -> None:
    events = turns(flips(edges))
    assert [1000 * turn.at for turn in events if turn.is_down] == pytest.approx(downs)
    assert [1000 * turn.at for turn in events if not turn.is_down] == pytest.approx(ups)


@given(st.lists(st.tuples(st.floats(0, 0.1), st.booleans()), max_size=60), st.data())
def test_polling_times_do_not_change_events(moves: list[tuple[float, bool]], data: st.DataObject) -> None:
    """Extra polls, as of a late or early loop, change nothing; level readings may even be missing."""
    at, edges = 0.0, list[Flip]()
    for gap, is_down in moves:
        at += gap
        edges.append(Flip(at, is_down))
    contact, told = Contact(), list[ContactChange]()
    for flip in edges:
        if data.draw(st.booleans()):
            contact, heard = settle_contact(contact, flip.at)
            told += heard
        contact, heard = hear_edge(contact, flip.at, is_down=flip.is_down)
        told += heard
    told += settle_contact(contact, 1e9)[1]
    assert told == turns(edges)
    assert [turn.is_down for turn in told] == [place % 2 == 0 for place in range(len(told))]
    assert bool(edges and edges[-1].is_down) == (len(told) % 2 == 1)
    # computed like the debouncer: the difference of equal timestamps may be rounded down
    assert all(later.at >= turn.at + DEBOUNCE for turn, later in pairwise(told) if later.is_down)


# dial


def steps(clicks: list[int], apart: float, rng: Random) -> int:
    encoder, at, sum_ = Encoder(), 0.0, 0
    for click in clicks:
        at += apart
        for wire, is_high in CLOCKWISE if click > 0 else BACK:
            for level in [is_high, *[not is_high, is_high] * rng.randrange(4)]:
                at += 0.0001
                encoder, step = turn_by_edge(encoder, wire, at, is_high=level)
                sum_ += step
    return sum_


@given(st.lists(st.sampled_from([1, -1]), max_size=60), st.randoms(use_true_random=False))
def test_slow_clicks_count_one_each(clicks: list[int], rng: Random) -> None:
    assert steps(clicks, 0.2, rng) == sum(clicks)


@pytest.mark.parametrize(("apart", "worth"), [(0.2, 1), (0.05, 2), (0.025, 5), (0.008, 10)])
def test_fast_turn_makes_larger_steps(apart: float, worth: int) -> None:
    assert steps([1] * 11, apart, Random(1)) == 1 + 10 * worth
    assert steps([-1] * 11, apart, Random(1)) == -1 - 10 * worth
    # reversing never counts as fast
    assert steps([1, -1], apart, Random(1)) == 0


# order


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, REORDER_DELAY * 0.9)), max_size=20))
def test_lateness_within_hold_back_keeps_order(stamped: list[tuple[float, float]]) -> None:
    waiting, heard = (), list[float]()
    for at, late in sorted(stamped, key=sum):
        waiting, groups = take_ready(waiting, at + late)
        heard += [stamp for group in groups for stamp in group]
        waiting = hold_back(waiting, at, at)
    waiting, groups = take_ready(waiting, 3)
    heard += [stamp for group in groups for stamp in group]
    assert heard == sorted(at for at, _late in stamped)
    assert waiting == ()


def test_press_waits_for_pending_press_with_same_timestamp() -> None:
    assert TIE_WINDOW < 0.0002
    waiting = hold_back((), 5.0, "Ana")
    for since in (4.9, 5.00005):
        assert take_ready(waiting, 6, open_since=since) == (waiting, [])
    assert take_ready(waiting, 6, open_since=5.1) == ((), [("Ana",)])
    both = hold_back(waiting, 5.00005, "Bo")
    assert take_ready(hold_back(both, 5.0002, "Chloé"), 6) == ((), [("Ana", "Bo"), ("Chloé",)])


@given(st.floats(0.0, 4e9), st.sampled_from([REORDER_DELAY, 0.005]))
def test_held_back_event_is_ready_when_due(at: float, held: float) -> None:
    """Float sums aren't exact: a loop that polls exactly at the due time must get the event."""
    waiting = hold_back((), at, "press")
    assert take_ready(waiting, present(waiting_due(waiting, held)), held) == ((), [("press",)])


# short, long and double presses


CALL, SECOND = Key("call", 0), Key("second", 0)
ALL_GESTURES: frozenset[Gesture] = frozenset({"short", "long", "double"})
SHORT: frozenset[Gesture] = frozenset({"short"})


def play_moves(
    moves: str, wanted: frozenset[Gesture], until: float, *, beside: bool = False
) -> list[PressEvent]:
    """Play moves written as key, direction and milliseconds: "c+0 c-100".

    Poll whenever something is due.
    """
    place, told = Place(has_neighbours=beside), list[PressEvent]()
    for move in moves.split():
        at = float(move[2:]) / 1000
        place = _look(place, at, told)
        key = CALL if move[0] == "c" else SECOND
        place, heard = change_button(place, key, ContactChange(move[1] == "+", at), wanted)
        told += heard
    _look(place, until, told)
    return told


def _look(place: Place, until: float, told: list[PressEvent]) -> Place:
    while (at := due(place)) is not None and at < until:
        place, heard = settle_presses(place, at)
        told += heard
    return place


@pytest.mark.parametrize(
    ("moves", "wanted", "heard"),
    [
        ("c+0 c-3", ALL_GESTURES, "short"),
        ("c+0 c-599", ALL_GESTURES, "short"),
        ("c+0 c-601", ALL_GESTURES, "long"),
        ("c+0 c-100 c+390 c-400", ALL_GESTURES, "double"),
        ("c+0 c-100 c+410 c-420", ALL_GESTURES, "short short"),
        ("c+0 c-100 c+390 c-400", frozenset({"short", "long"}), "short short"),
        ("c+0 c-900", frozenset({"short", "double"}), "short"),
        ("c+0 c-900", frozenset({"long", "double"}), "long"),
        ("c+0 c-900", SHORT, "short"),
        ("c+0 c-900", frozenset(), "short"),
        ("c+0 c-100 c+200 c-300 c+1000 c-1100", ALL_GESTURES, "double short"),
    ],
)
def test_gestures(moves: str, wanted: frozenset[Gesture], heard: str) -> None:
    events = play_moves(moves, wanted, 5)
    assert [press.gesture for press in events if isinstance(press, Press)] == heard.split()
    assert len(events) == len(heard.split())


def test_unsettled_press_is_pending() -> None:
    place, _heard = change_button(Place(), CALL, ContactChange(is_down=True, at=7.0), ALL_GESTURES)
    assert open_since(place) == 7.0
    assert due(place) == pytest.approx(7.0 + LONG_PRESS + RELEASE_CERTAIN)
    place, _heard = change_button(place, CALL, ContactChange(is_down=False, at=7.2), ALL_GESTURES)
    assert due(place) == pytest.approx(7.2 + DOUBLE_PRESS_GAP + EDGE_LATENCY)
    assert settle_presses(place, 7.2 + DOUBLE_PRESS_GAP + EDGE_LATENCY + 0.001) == (
        Place(),
        (Press(CALL, "short", 7.0),),
    )


@pytest.mark.parametrize("moves", ["c+0 s+5 c-100 s-120", "s+0 c+14 s-50 c-60", "c+0 s+10 c-40 c+50 c-60 s-90"])
def test_chord_at_one_seat_is_rejected(moves: str) -> None:
    events = play_moves(moves, SHORT, 5, beside=True)
    assert events
    assert all(isinstance(press, Chord) for press in events)


def test_late_second_button_is_rejected_alone() -> None:
    events = play_moves("c+0 s+100 c-200 s-300", SHORT, 5, beside=True)
    assert events == [Press(CALL, "short", 0.0), Chord(SECOND, 0.1)]


def test_stuck_button_is_reported_once_and_when_released() -> None:
    events = play_moves("c+0 c-30000 c+31000 c-31100", SHORT, 60)
    assert events == [
        Press(CALL, "short", 0.0),
        ButtonStuck(CALL, STUCK_AFTER),
        ButtonFreed(CALL, 30.0),
        Press(CALL, "short", 31.0),
    ]


def test_stuck_button_leaves_neighbour_working() -> None:
    events = play_moves("c+0 s+20000 s-20100", SHORT, 60, beside=True)
    assert events == [Press(CALL, "short", 0.0), ButtonStuck(CALL, STUCK_AFTER), Press(SECOND, "short", 20.0)]
