"""Both sides of each boundary that Ogallala's rule book draws, as far as no other test stands there."""

import pytest

from referee.contract import Option
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS
from referee.games.ogallala.house import House
from referee.match import Match, Setup, begin
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.ogallala.script import Script, at, begin_midway, sit_down

FULL_ROW = "B 1r 2r 3r 4r 5r hr cr keg fur eagle tent dynamite S"
"""As many cards as a row may have."""


def why_not_there(script: Script, column: int, row: int = 0) -> object:
    """Say why the card that was drawn can't lie on a cell."""
    _reason, values = script.refusal("place", Option("put", cell=at(column, row)))
    return values.get("why")


@on_both_sides_of("box")
@pytest.mark.parametrize(
    ("box", "may_be"),
    [
        ((1,) * len(COUNTS), True),
        ((1,) * (len(COUNTS) - 1), False),
        ((1,) * (len(COUNTS) + 1), False),
        ((1,) + (0,) * (len(COUNTS) - 1), True),
        ((0,) * len(COUNTS), False),
        ((5, -1) + (0,) * (len(COUNTS) - 2), False),
    ],
)
def test_a_box_counts_every_card_and_has_at_least_one(box: tuple[int, ...], may_be: bool) -> None:
    assert isinstance(begin(Setup(OGALLALA, House(box=box), ("A", "B"))), Match) == may_be


@on_both_sides_of("size")
def test_a_territory_grows_to_fourteen_columns_and_no_further() -> None:
    thirteen = begin_midway(FULL_ROW.removesuffix(" S"), "").draws("tobacco")
    assert thirteen.puts(13).turn == 0
    fourteen = begin_midway(FULL_ROW, "", box=(9,) * len(COUNTS)).draws("tobacco")
    assert why_not_there(fourteen, 14, 1) == "too-wide"
    assert why_not_there(fourteen, -1, 1) == "too-wide"
    assert fourteen.puts(13, 1).turn == 0
    assert fourteen.puts(0, -1).turn == 0


@on_both_sides_of("size")
def test_a_territory_grows_to_three_rows_and_no_further() -> None:
    two = begin_midway("keg\nfur", "").draws("tent")
    assert two.puts(0, 2).turn == two.puts(0, -1).turn == 0
    three = begin_midway("keg\nfur\neagle", "").draws("tent")
    assert why_not_there(three, 0, 3) == "too-high"
    assert why_not_there(three, 0, -1) == "too-high"
    assert three.puts(1, 2).turn == 0


@on_both_sides_of("touching", "ends")
def test_why_a_card_cant_lie_on_a_cell() -> None:
    script = begin_midway("B 1r", "").draws("keg")
    assert why_not_there(script, 0) == "cell-taken"
    assert why_not_there(script, 3) == "apart"
    assert why_not_there(script, -1) == "no-end"
    assert script.puts(2).turn == 0
    assert why_not_there(begin_midway("keg fur", "").draws("keg"), 2) == "twice"
    for column, row in ((1, 0), (0, 1)):
        assert why_not_there(sit_down().draws("keg"), column, row) == "apart"


@on_both_sides_of("push")
@pytest.mark.parametrize(("row", "may_push"), [(FULL_ROW, False), (FULL_ROW.replace("tent ", ""), True)])
def test_a_row_is_pushed_up_to_fourteen_cards(row: str, may_push: bool) -> None:
    script = begin_midway(row.replace("1r", "gold-left"), "").draws("gold-right")
    assert ("push-right" in script.words("place")) == may_push
    if not may_push:
        _reason, values = script.refusal("place", Option("push-right", cell=at(2)))
        assert values["why"] == "no-push"


@pytest.mark.parametrize(
    ("two_crews", "own", "other", "why"),
    [
        (False, "1r", "5b", "too-strong"),
        (True, "1r", "5b", "too-strong"),
        (True, "1r", "5r", "same-crew"),
    ],
)
def test_only_with_two_crews_is_a_canoe_of_ones_own_crew_spared(
    two_crews: bool, own: str, other: str, why: str
) -> None:
    script = begin_midway(f"B {own}", f"B {other}", "keg", two_crews=two_crews).draws("S").puts(2)
    _reason, values = script.refusal("attack", Option("attack", cell=at(0), seat=1, face="empty-bow"))
    assert values["why"] == why


@on_both_sides_of("piles-empty")
@pytest.mark.parametrize(("cards", "few"), [(7, False), (8, True), (9, True)])
def test_piles_may_be_said_to_be_empty_with_a_quarter_of_the_deck(cards: int, few: bool) -> None:
    """Two cards are left of eight, or of nine where a third is; or of seven, which is more than a quarter."""
    faces = ["keg", "fur", "eagle", "tent", "dynamite", "tobacco", "companion", "soldier", "cowboy"][:cards]
    script = sit_down(box=tuple(int(face in faces) for face in COUNTS)).draws(faces[0]).says("place", "first")
    for column, face in enumerate(faces[1 : len(faces) - 2], start=1):
        script = script.draws(face).puts(column)
    assert ("empty" in script.words("turn")) == few


@on_both_sides_of("most-points")
@pytest.mark.parametrize(("other", "winners"), [("B 1r S", (0,)), ("B 1r 2r S", (0, 1)), ("B keg S", (1,))])
def test_the_most_points_win_and_equals_together(other: str, winners: tuple[int, ...]) -> None:
    ended = begin_midway("B S B", other, completed=(2, 0), count_ever=True).draws("S").puts(3)
    over = ended.says("end", "end").says("record", "all-as-recorded")
    assert over.match.outcome is not None
    assert over.match.outcome.winners == winners


@on_both_sides_of("stop/free", "stop/never")
def test_why_nobody_stops_before_the_first_card() -> None:
    script = begin_midway("1r", "2r", discard="keg")
    _reason, values = script.refusal("turn", Option("stop"))
    assert values["why"] == "draw-first"
    assert script.draws("fur").puts(1).says("turn", "stop").turn == 1
    assert "turn" not in begin_midway("1r", "2r", voluntary_stop=False).draws("fur").puts(1).ask_keys
