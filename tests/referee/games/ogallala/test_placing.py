"""Legal placements, compared with a slow cell-by-cell implementation of the printed rules."""

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contract import Option
from referee.games.ogallala.deck import COUNTS, SET_OF, House
from referee.games.ogallala.placing import has_place, placings, with_card_placed
from referee.games.ogallala.territory import HIGHEST, WIDEST, Territory, cards_in, completed_by, territory_of
from tests.referee.games.ogallala.script import at, face, territory


def cells(territory_text: str, word: str, kind: str = "put", **house: object) -> set[tuple[int, int]]:
    """Return the cells where a card may be placed, counted from the first one."""
    options = placings(House(**house), territory(territory_text), face(word))
    zero = at(0)
    found = {option.cell for option in options if option.word == kind and option.cell is not None}
    return {(column - zero[0], row - zero[1]) for column, row in found}


def test_further_cards_must_touch() -> None:
    assert placings(House(), Territory(), "keg") == (Option("first", cell=at(0)),)
    assert cells("keg", "fur") == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}


def test_set_is_pushed_together() -> None:
    text = "B gold-left 1r S"
    assert cells(text, "gold-right", "push-right") == {(1, 0), (2, 0)}
    assert cells(text, "gold-right", "push-left") == {(0, 0), (1, 0)}
    after = with_card_placed(territory(text), Option("push-right", cell=at(2)), "gold-right")
    assert after.rows == territory("B gold-left gold-right 1r S").rows
    assert after.left == at(0)[0]
    before = with_card_placed(territory(text), Option("push-left", cell=at(1)), "gold-right")
    assert before.rows == after.rows
    assert before.left == at(-1)[0]


def test_set_card_into_complete_canoe() -> None:
    assert cells("B gold-left S", "gold-right", "push-right")
    assert not cells("B gold-left S", "gold-right", "push-right", insert_complete=False)
    assert cells("B gold-left 1r", "gold-right", "push-right", insert_complete=False)


def test_gaps_are_pushed_along() -> None:
    row = slid("gold-left 1r - 2r - - keg", Option("push-right", cell=at(1)))
    assert row == [*territory("gold-left gold-right 1r - 2r - - keg").rows[0]]


def test_row_of_fourteen_is_not_pushed() -> None:
    row = "B gold-left 1r 2r 3r 4r 5r hr cr keg fur eagle tent S"
    assert len(row.split()) == WIDEST
    assert not cells(row, "gold-right", "push-right")
    assert not cells(row, "gold-right", "push-left")


# House rule: a row slides into its next gap.


def slid(text: str, option: Option) -> list[str]:
    after = with_card_placed(territory(text), option, face("gold-right"))
    return [*after.rows[0]]


def test_cards_slide_up_to_the_next_gap() -> None:
    """« Faire ainsi glisser les autres cartes pour pouvoir l'insérer »: the card closes the gap."""
    text = "B gold-left 1r - S"
    assert not cells(text, "gold-right", "slide-right")
    assert cells(text, "gold-right", "slide-right", push="into_gap") == {(1, 0), (2, 0)}
    assert not cells(text, "gold-right", "push-right", push="into_gap")
    assert cells(text, "gold-right", "push-left", push="into_gap") == {(0, 0), (1, 0)}
    row = slid(text, Option("slide-right", cell=at(2)))
    assert row == [*territory("B gold-left gold-right 1r S").rows[0]]


def test_sliding_respects_adjacency_rules() -> None:
    def ways(text: str, **house: object) -> set[tuple[int, int]]:
        return cells(text, "gold-right", "slide-right", push="into_gap", **house)

    assert (1, 0) in ways("gold-left 1r - - 2r")
    assert not ways("gold-left 1r - - 1b")
    assert not ways("gold-left 1r - B")
    assert not ways("B gold-left S - 1r")
    assert not ways("gold-left 1r - - 2b", two_crews=True)
    assert (1, 0) in ways("gold-left S - B 1r")


# every cell of a large grid, checked separately


def slow_puts(house: House, held: dict[tuple[int, int], str], card: str) -> set[tuple[int, int]]:
    """Try every cell, and check the whole territory afterwards."""
    columns, rows = [x for x, _y in held], [y for _x, y in held]
    window = product(range(min(columns) - 2, max(columns) + 3), range(min(rows) - 2, max(rows) + 3))
    return {cell for cell in window if cell not in held and is_legal(house, held, cell, card)}


def is_legal(house: House, held: dict[tuple[int, int], str], cell: tuple[int, int], card: str) -> bool:
    """Decide by the printed rules, sentence by sentence."""
    x, y = cell
    if not any(max(abs(x - a), abs(y - b)) == 1 for a, b in held):
        return False
    after = {**held, cell: card}
    if max(a for a, _b in after) - min(a for a, _b in after) + 1 > WIDEST:
        return False
    if max(b for _a, b in after) - min(b for _a, b in after) + 1 > HIGHEST:
        return False
    for (a, b), one in after.items():
        other = after.get((a + 1, b))
        if other is not None and one.endswith("stern") != other.endswith("bow"):
            return False
    canoe = next(canoe for canoe in slow_canoes(after, y) if x in canoe)
    names = [after[a, y].removeprefix("red-").removeprefix("black-") for a in canoe]
    crews = {after[a, y].split("-")[0] for a in canoe} & {"red", "black"}
    return len(set(names)) == len(names) and not (house.two_crews and len(crews) > 1)


def slow_canoes(held: dict[tuple[int, int], str], row: int) -> list[list[int]]:
    """Split a row at a stern before a bow, at a hole that only fits an end, and at a larger hole."""
    columns = sorted(x for x, y in held if y == row)
    canoes = [columns[:1]]
    for a, b in pairwise(columns):
        stern, bow = held[a, row].endswith("stern"), held[b, row].endswith("bow")
        if b - a > 2 or (b - a == 2 and (stern or bow)) or (stern and bow):
            canoes.append([])
        canoes[-1].append(b)
    return canoes


def is_sound(held: dict[tuple[int, int], str]) -> bool:
    pairs = ((card, held.get((x + 1, y))) for (x, y), card in held.items())
    return all(other is None or card.endswith("stern") == other.endswith("bow") for card, other in pairs)


faces = st.sampled_from(["empty-bow", "empty-stern", "red-bow", "black-stern", *COUNTS])
territories = st.dictionaries(st.tuples(st.integers(0, 13), st.integers(0, 2)), faces, min_size=1, max_size=24)


@given(territories.filter(is_sound), faces, st.booleans())
def test_fast_placements_match_slow_ones(held: dict[tuple[int, int], str], card: str, two_crews: bool) -> None:
    house = House(two_crews=two_crews)
    options = placings(house, territory_of(held), card)
    puts = {option.cell for option in options if option.word == "put"}
    # illegal neighbours can't occur in play
    broken = any(
        len({held[a, y].split("-", 1)[-1] if held[a, y][:3] in {"red", "bla"} else held[a, y] for a in canoe})
        < len(canoe)
        for y in {y for _x, y in held}
        for canoe in slow_canoes(held, y)
    )
    if not broken:
        assert puts == slow_puts(house, held, card)
        assert has_place(house, territory_of(held), card) == bool(options)


@pytest.mark.parametrize("push", ["whole_side", "into_gap"])
@given(held=territories.filter(is_sound), card=st.sampled_from(sorted(SET_OF)))
def test_sliding_keeps_all_cards_and_the_rules(held: dict[tuple[int, int], str], card: str, push: Any) -> None:
    before = territory_of(held)
    for option in placings(House(push=push), before, card):
        after = with_card_placed(before, option, card)
        assert sorted(cards_in(after)) == sorted((*cards_in(before), card))
        assert is_sound(after.cells)
        assert len(after.rows[0]) <= WIDEST
        assert len(after.rows) <= HIGHEST
        more = len(after.complete) - len(before.complete)
        if option.word.startswith("push"):
            shapes = [sorted(filter(None, canoe.cards)) for canoe in after.canoes]
            old = [sorted(filter(None, canoe.cards)) for canoe in before.canoes]
            assert len(shapes) == len(old)
            assert len([shape for shape in shapes if shape not in old]) == 1
            assert more == 0
        elif option.word.startswith("slide"):
            assert len(after.rows[0]) == len(before.rows[0])
            assert len(completed_by(before, option, after)) == more
