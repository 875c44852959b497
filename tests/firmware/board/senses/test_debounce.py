"""The debouncer: whatever the bounce, a press counts, and counts once, at its first edge."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.debounce import LATE, STILL, Contact, ContactChange, due, hear_edge, settle_contact
from hardware.board.bounce import Flip, presses


def turns(flips: list[Flip], until: float = 1e9) -> list[ContactChange]:
    contact, told = Contact(), list[ContactChange]()
    for flip in flips:
        contact, heard = hear_edge(contact, flip.at, is_down=flip.is_down)
        told += heard
    return told + list(settle_contact(contact, until)[1])


def flips(text: str) -> list[Flip]:
    """Read edges written as milliseconds, down first: "0 3"."""
    return [Flip(float(at) / 1000, place % 2 == 0) for place, at in enumerate(text.split())]


def test_no_press_is_lost_or_doubled() -> None:
    made = list(presses(Random(1), 20_000))
    told = turns([flip for _at, edges in made for flip in edges])
    assert [turn.at for turn in told if turn.is_down] == [at for at, _edges in made]
    assert [turn.is_down for turn in told] == [True, False] * len(made)


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


def test_a_press_is_told_with_its_first_edge_not_later() -> None:
    contact, heard = hear_edge(Contact(), 5.0, is_down=True)
    assert heard == (ContactChange(is_down=True, at=5.0),)
    assert due(contact) is None


def test_a_release_is_told_when_the_contact_is_still() -> None:
    contact, _heard = hear_edge(Contact(), 5.0, is_down=True)
    contact, heard = hear_edge(contact, 5.003, is_down=False)
    assert heard == ()
    assert due(contact) == 5.003 + STILL
    assert settle_contact(contact, 5.02)[1] == ()
    assert settle_contact(contact, 5.003 + STILL)[1] == (ContactChange(is_down=False, at=5.003),)


def test_edges_that_are_heard_late_double_nothing() -> None:
    """The loop looks at its clock while edges are still under way to it, no later than it is allowed for."""
    rng, contact, told = Random(1), Contact(), list[ContactChange]()
    made = list(presses(rng, 5_000))
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
