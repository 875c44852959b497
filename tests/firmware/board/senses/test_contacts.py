"""Contacts that bounce, a dial that is turned, and the order of what came of them."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.hands import Encoder, turn_by_edge
from firmware.board.senses.presses import (
    HELD,
    LATE,
    STILL,
    TIE,
    Contact,
    ContactChange,
    Waiting,
    contact_due,
    hear_edge,
    hold_back,
    settle_contact,
    take_ready,
    waiting_due,
)
from tests.firmware.board.senses.dial_clicks import BACK, CLOCKWISE
from tests.given import present
from tests.hardware.board.bounce import Flip, presses
from tests.tiers import tiered

# debounce


def turns(flips: list[Flip], until: float = 1e9) -> list[ContactChange]:
    contact, told = Contact(), list[ContactChange]()
    for flip in flips:
        contact, heard = hear_edge(contact, flip.at, is_down=flip.is_down)
        told += heard
    return told + list(settle_contact(contact, until)[1])


def flips(text: str) -> list[Flip]:
    """Read edges written as milliseconds, down first: "0 3"."""
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
def test_the_first_edge_counts_and_rest_ends_it(edges: str, downs: list[float], ups: list[float]) -> None:
    told = turns(flips(edges))
    assert [1000 * turn.at for turn in told if turn.is_down] == pytest.approx(downs)
    assert [1000 * turn.at for turn in told if not turn.is_down] == pytest.approx(ups)


def test_a_press_is_told_with_its_first_edge_and_a_release_when_the_contact_is_still() -> None:
    contact, heard = hear_edge(Contact(), 5.0, is_down=True)
    assert heard == (ContactChange(is_down=True, at=5.0),)
    assert contact_due(contact) is None
    contact, heard = hear_edge(contact, 5.003, is_down=False)
    assert heard == ()
    assert contact_due(contact) == 5.003 + STILL
    assert settle_contact(contact, 5.003 + STILL - 0.001)[1] == ()
    assert settle_contact(contact, 5.003 + STILL)[1] == (ContactChange(is_down=False, at=5.003),)


def test_edges_that_are_heard_late_double_nothing() -> None:
    """The loop looks at its clock while edges are still under way to it, no later than it is allowed for."""
    rng, contact, told = Random(1), Contact(), list[ContactChange]()
    made = list(presses(rng, tiered(1_000, 5_000)))
    flips = [flip for _at, edges in made for flip in edges]
    heard_at = 0.0
    for flip in flips:
        heard_at = max(heard_at, flip.at + rng.choice((0.001, LATE)))
        contact, turned = settle_contact(contact, heard_at - LATE)
        told += turned
        contact, turned = hear_edge(contact, flip.at, is_down=flip.is_down)
        told += turned
    assert [turn.at for turn in told if turn.is_down] == [at for at, _edges in made]


@given(st.lists(st.tuples(st.floats(0, 0.1), st.booleans()), max_size=60), st.data())
def test_the_same_is_told_whenever_one_looks(moves: list[tuple[float, bool]], data: st.DataObject) -> None:
    """Looking in between, as a late or an early loop does, changes nothing; levels may even be missed."""
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
    # as the contact reckons it: a difference of the same stamps may be rounded below
    assert all(later.at >= turn.at + STILL for turn, later in pairwise(told) if later.is_down)


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
def test_slow_clicks_count_one_by_one(clicks: list[int], rng: Random) -> None:
    assert steps(clicks, 0.2, rng) == sum(clicks)


@pytest.mark.parametrize(("apart", "worth"), [(0.2, 1), (0.05, 2), (0.025, 5), (0.008, 10)])
def test_a_fast_hand_makes_larger_steps(apart: float, worth: int) -> None:
    assert steps([1] * 11, apart, Random(1)) == 1 + 10 * worth
    assert steps([-1] * 11, apart, Random(1)) == -1 - 10 * worth
    # turning back is never fast
    assert steps([1, -1], apart, Random(1)) == 0


@pytest.mark.parametrize("missing", range(4))
def test_a_missed_edge_costs_a_click_and_no_more(missing: int) -> None:
    encoder, sum_ = Encoder(), 0
    for place, (wire, is_high) in enumerate(CLOCKWISE * 4):
        if place != missing:
            encoder, step = turn_by_edge(encoder, wire, place / 10, is_high=is_high)
            sum_ += step
    assert sum_ in {3, 4}


def test_half_a_click_and_back_is_nothing() -> None:
    encoder, sum_ = Encoder(), 0
    for wire, is_high in (*CLOCKWISE, CLOCKWISE[0], CLOCKWISE[2], BACK[0], BACK[2]):
        encoder, step = turn_by_edge(encoder, wire, 1.0, is_high=is_high)
        sum_ += step
    assert sum_ == 1


# order


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, HELD * 0.9)), max_size=20))
def test_lateness_below_the_hold_back_changes_no_order(stamped: list[tuple[float, float]]) -> None:
    waiting, heard = Waiting[float](), list[float]()
    for at, late in sorted(stamped, key=sum):
        waiting, groups = take_ready(waiting, at + late)
        heard += [stamp for group in groups for stamp in group]
        waiting = hold_back(waiting, at, at)
    waiting, groups = take_ready(waiting, 3)
    heard += [stamp for group in groups for stamp in group]
    assert heard == sorted(at for at, _late in stamped)
    assert waiting == Waiting()


def test_what_is_held_back_is_due_then() -> None:
    waiting = hold_back(Waiting[str](), 5.0, "Ana")
    assert waiting_due(waiting) == 5.0 + HELD
    assert take_ready(waiting, 5.0 + HELD - 0.001) == (waiting, [])
    assert take_ready(waiting, 5.0 + HELD) == (Waiting(), [("Ana",)])
    assert take_ready(waiting, 5.0, held=0) == (Waiting(), [("Ana",)])


def test_presses_that_stamps_cannot_tell_apart_are_told_together() -> None:
    waiting = hold_back(hold_back(hold_back(Waiting[str](), 5.0002, "Chloé"), 5.00005, "Bo"), 5.0, "Ana")
    assert take_ready(waiting, 6)[1] == [("Ana", "Bo"), ("Chloé",)]
    assert TIE < 0.0002


def test_a_press_waits_for_one_that_is_open_and_that_no_stamp_tells_apart_from_it() -> None:
    waiting = hold_back(Waiting[str](), 5.0, "Ana")
    for since in (4.9, 5.00005):
        assert take_ready(waiting, 6, open_since=since) == (waiting, [])
    assert take_ready(waiting, 6, open_since=5.1) == (Waiting(), [("Ana",)])
    both = hold_back(waiting, 5.00005, "Bo")
    assert take_ready(both, 6) == (Waiting(), [("Ana", "Bo")])


@given(st.floats(0.0, 4e9), st.sampled_from([HELD, 0.005]))
def test_what_is_held_back_is_ready_just_when_it_is_due(at: float, held: float) -> None:
    """Sums of floats aren't exact; a loop that looks again at that very time must find it ready."""
    waiting = hold_back(Waiting[str](), at, "press")
    assert take_ready(waiting, present(waiting_due(waiting, held)), held) == (Waiting(), [("press",)])
