"""Short, long, double: each where it means something, and nothing is waited for where it doesn't."""

import pytest

from firmware.board.senses.presses import (
    CHORD,
    DOUBLE,
    LATE,
    LONG,
    STUCK,
    SURE,
    ContactChange,
    Gesture,
    Place,
    Press,
    PressEvent,
    change_button,
    due,
    open_since,
    settle_presses,
)
from firmware.board_events import ButtonFreed, ButtonStuck, Chord
from hardware.board.board import Key

CALL, SECOND = Key("call", 0), Key("second", 0)
ALL: frozenset[Gesture] = frozenset({"short", "long", "double"})
SHORT: frozenset[Gesture] = frozenset({"short"})


def play_moves(
    moves: str, wanted: frozenset[Gesture], until: float, *, beside: bool = False
) -> list[PressEvent]:
    """Play moves written as key, way and milliseconds: "c+0 c-100", looking whenever something is due."""
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
        ("c+0 c-3", ALL, "short"),
        ("c+0 c-599", ALL, "short"),
        ("c+0 c-601", ALL, "long"),
        ("c+0 c-100 c+390 c-400", ALL, "double"),
        ("c+0 c-100 c+410 c-420", ALL, "short short"),
        ("c+0 c-100 c+390 c-400", frozenset({"short", "long"}), "short short"),
        ("c+0 c-900", frozenset({"short", "double"}), "short"),
        ("c+0 c-900", frozenset({"long", "double"}), "long"),
        ("c+0 c-900", SHORT, "short"),
        ("c+0 c-900", frozenset(), "short"),
        ("c+0 c-100 c+200 c-300 c+1000 c-1100", ALL, "double short"),
    ],
)
def test_gestures(moves: str, wanted: frozenset[Gesture], heard: str) -> None:
    told = play_moves(moves, wanted, 5)
    assert [press.gesture for press in told if isinstance(press, Press)] == heard.split()
    assert len(told) == len(heard.split())


def test_the_stamp_of_every_gesture_is_when_the_button_went_down_first() -> None:
    for moves in ("c+50 c-100", "c+50 c-900", "c+50 c-100 c+200 c-300"):
        assert play_moves(moves, ALL, 5)[0].at == 0.05


def test_a_press_that_is_not_settled_yet_is_open() -> None:
    place, _heard = change_button(Place(), CALL, ContactChange(is_down=True, at=7.0), ALL)
    assert open_since(place) == 7.0
    assert due(place) == pytest.approx(7.0 + LONG + SURE)
    place, _heard = change_button(place, CALL, ContactChange(is_down=False, at=7.2), ALL)
    assert due(place) == pytest.approx(7.2 + DOUBLE + LATE)
    assert settle_presses(place, 7.2 + DOUBLE + LATE + 0.001) == (Place(), (Press(CALL, "short", 7.0),))


@pytest.mark.parametrize("moves", ["c+0 s+5 c-100 s-120", "s+0 c+14 s-50 c-60", "c+0 s+10 c-40 c+50 c-60 s-90"])
def test_two_buttons_of_one_place_together_are_refused(moves: str) -> None:
    told = play_moves(moves, SHORT, 5, beside=True)
    assert told
    assert all(isinstance(press, Chord) for press in told)


def test_a_button_with_a_neighbour_waits_a_moment_for_it() -> None:
    place, heard = change_button(Place(has_neighbours=True), CALL, ContactChange(is_down=True, at=7.0), SHORT)
    assert heard == ()
    assert due(place) == 7.0 + CHORD
    assert settle_presses(place, 7.0 + CHORD)[1] == (Press(CALL, "short", 7.0),)


def test_a_second_button_that_comes_late_is_refused_alone() -> None:
    told = play_moves("c+0 s+100 c-200 s-300", SHORT, 5, beside=True)
    assert told == [Press(CALL, "short", 0.0), Chord(SECOND, 0.1)]


def test_a_stuck_button_is_named_once_and_again_when_it_is_free() -> None:
    told = play_moves("c+0 c-30000 c+31000 c-31100", SHORT, 60)
    assert told == [
        Press(CALL, "short", 0.0),
        ButtonStuck(CALL, STUCK),
        ButtonFreed(CALL, 30.0),
        Press(CALL, "short", 31.0),
    ]


def test_a_stuck_button_leaves_its_neighbour_alive() -> None:
    told = play_moves("c+0 s+20000 s-20100", SHORT, 60, beside=True)
    assert told == [Press(CALL, "short", 0.0), ButtonStuck(CALL, STUCK), Press(SECOND, "short", 20.0)]
