"""Legal placements, compared with a slow cell-by-cell implementation of the printed rules."""

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cells import count_cell
from referee.contract import Option
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS, SET_OF, House
from referee.games.ogallala.placing import has_place, placings, with_card_placed
from referee.games.ogallala.territory import HIGHEST, WIDEST, cards_in, completed_by, territory_of
from tests.referee.games.ogallala.script import at, face, play, sit_down, territory


def cells(territory_text: str, word: str, kind: str = "put", **house: object) -> set[tuple[int, int]]:
    """Return the cells where a card may be placed, counted from the first one."""
    options = placings(House(**house), territory(territory_text), face(word))
    zero = at(0)
    found = {option.cell for option in options if option.word == kind and option.cell is not None}
    return {(column - zero[0], row - zero[1]) for column, row in found}


INTO_GAP, TWO_CREWS = {"push": "into_gap"}, {"push": "into_gap", "two_crews": True}
THIRTEEN = "B gold-left 1r 2r 3r 4r 5r hr cr keg fur eagle S"


@pytest.mark.parametrize(
    ("text", "kind", "house", "places"),
    [
        ("B gold-left 1r S", "push-right", {}, {1, 2}),
        ("B gold-left 1r S", "push-left", {}, {0, 1}),
        ("B gold-left S", "push-right", {}, {1, 2}),
        ("B gold-left S", "push-right", {"insert_complete": False}, set()),
        ("B gold-left 1r", "push-right", {"insert_complete": False}, {1, 2}),
        (THIRTEEN, "push-left", {}, {0, 1}),
        (THIRTEEN.replace("S", "tent S"), "push-left", {}, set()),
        # by a house rule a row slides into its next gap: « Faire ainsi glisser les autres cartes »
        ("B gold-left 1r - S", "slide-right", {}, set()),
        ("B gold-left 1r - S", "slide-right", INTO_GAP, {1, 2}),
        ("B gold-left 1r - S", "push-right", INTO_GAP, set()),
        ("B gold-left 1r - S", "push-left", INTO_GAP, {0, 1}),
        ("gold-left 1r - - 2r", "slide-right", INTO_GAP, {1}),
        ("gold-left 1r - - 1b", "slide-right", INTO_GAP, set()),
        ("gold-left 1r - B", "slide-right", INTO_GAP, set()),
        ("B gold-left S - 1r", "slide-right", INTO_GAP, set()),
        ("gold-left 1r - - 2b", "slide-right", TWO_CREWS, set()),
        ("gold-left S - B 1r", "slide-right", INTO_GAP, {1}),
    ],
)
def test_halves_are_pushed_and_slid_together(
    text: str, kind: str, house: dict[str, Any], places: set[int]
) -> None:
    assert cells(text, "gold-right", kind, **house) == {(place, 0) for place in places}


@pytest.mark.parametrize(
    ("text", "word", "place", "row", "left"),
    [
        ("B gold-left 1r S", "push-right", 2, "B gold-left gold-right 1r S", 0),
        ("B gold-left 1r S", "push-left", 1, "B gold-left gold-right 1r S", -1),
        ("gold-left 1r - 2r - - keg", "push-right", 1, "gold-left gold-right 1r - 2r - - keg", 0),
        ("B gold-left 1r - S", "slide-right", 2, "B gold-left gold-right 1r S", 0),
    ],
)
def test_other_cards_move_along(text: str, word: str, place: int, row: str, left: int) -> None:
    after = with_card_placed(territory(text), Option(word, cell=at(place)), "gold-right")
    assert (after.rows, after.left) == (territory(row).rows, at(left)[0])


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


def test_place_of_a_laid_card_is_counted_as_the_board_shows_it() -> None:
    script, laid = sit_down(), {"2r": (0, 0), "hb": (1, 0), "5b": (0, 1), "4r": (-1, 0), "3b": (1, 1)}
    for word, place in laid.items():
        script = script.draws(word)
        script = script.chooses("place", cell=at(*place))
        (ruling,) = (each for each in script.rulings if "counted" in each.values)
        grid = OGALLALA.table.grids(script.state)[0]
        assert ruling.values["counted"] == count_cell(grid, at(*place))


@pytest.mark.parametrize(("drawn", "named"), [("Sr", "black-stern"), ("1r", "red-warrior-1")])
def test_duplicate_names_the_card_that_is_there(drawn: str, named: str) -> None:
    ruling = play("B 1b - - 1r - Sb|S", f"+{drawn}").ruling("double")
    assert (ruling["card"], ruling["there"]) == (face(drawn), named)
