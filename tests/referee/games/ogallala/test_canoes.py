"""What lies together in a row: the dossier's examples, and what must hold whatever lies there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.ogallala.canoes import canoes_in, groups, is_complete, is_protected, parts_of, strength
from referee.games.ogallala.deck import COUNTS
from referee.games.ogallala.territory import territory_of
from tests.referee.games.ogallala.script import face, territory

rows = st.lists(st.sampled_from(["", "", *COUNTS]), min_size=1, max_size=14).map(tuple)


def lengths(row: str) -> list[int]:
    """Tell how long the canoes of a row are, gaps and all."""
    return [len(canoe.cards) for canoe in canoes_in(territory(row))]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("B 1r - 2r S", [5]),
        ("B 1r S - 2r", [3, 1]),
        ("1r - B 2r", [1, 2]),
        ("B 1r S B 2r S", [3, 3]),
        ("1r - - 2r", [1, 1]),
        ("S - B", [1, 1]),
        ("Br 1r - 2r - 3r Sb", [7]),
    ],
)
def test_grouping(row: str, expected: list[int]) -> None:
    assert lengths(row) == expected


@pytest.mark.parametrize(
    ("row", "complete"),
    [
        ("B S", True),
        ("B 1r - 2r S", False),
        ("B 1r", False),
        ("1r S", False),
        ("Bb 1r Sr", True),
        ("B 1r S B", True),
    ],
)
def test_complete(row: str, complete: bool) -> None:
    assert is_complete(canoes_in(territory(row))[0]) == complete


def test_strength_adds_up_paddlers_alone() -> None:
    (canoe,) = canoes_in(territory("Br 5r cb keg G S"))
    assert (strength(canoe), is_protected(canoe)) == (2 + 5 + 7, True)
    assert strength(canoes_in(territory("B fur S"))[0]) == 0


def test_a_canoe_is_parted_at_its_gaps() -> None:
    (canoe,) = canoes_in(territory("B 1r - 2r - S"))
    assert [len(part.cards) for part in parts_of(canoe)] == [2, 1, 1]


@given(rows, st.integers(-20, 20), st.integers(-20, 20))
def test_grouping_is_the_same_wherever_a_territory_lies(row: tuple[str, ...], right: int, down: int) -> None:
    here, there = (
        territory_of({(place + dx, dy): card for place, card in enumerate(row) if card})
        for dx, dy in ((0, 0), (right, down))
    )
    assert [canoe.cards for canoe in canoes_in(here)] == [canoe.cards for canoe in canoes_in(there)]


@given(rows)
def test_every_card_is_in_exactly_one_canoe(row: tuple[str, ...]) -> None:
    places = [place for first, last in groups(row) for place in range(first, last + 1) if row[place]]
    assert places == [place for place, card in enumerate(row) if card]


def test_short_words() -> None:
    assert face("3b") == "black-warrior-3"
    assert all(
        face(word) in COUNTS for word in ("B", "S", "G", "1r", "5b", "hr", "cb", "Lr", "Ab", "xr", "Br", "Sb")
    )
