"""Both sides of each boundary that Coyote's rule book draws, as far as no other test stands there."""

import pytest
from msgspec.structs import replace

from referee.contract import Option, Reason
from referee.games.coyote import COYOTE
from tests.referee.boundaries import beyond, on_both_sides_of
from tests.referee.games.coyote.script import CRY, Script, open_first_round
from tests.referee.games.coyote.second_scorer import EDITIONS, Edition


@on_both_sides_of("four-digits")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("said", "most"), [(1, 9999), (9997, 9999), (9998, 10000), (9999, 10001)])
def test_a_display_bounds_numbers_until_its_last_one_is_said(edition: Edition, said: int, most: int) -> None:
    script = open_first_round(3, edition=edition).says(0, said)
    assert script.refusal("announce", most + 1, 1)[0] == Reason.TOO_HIGH
    assert script.says(1, most).turn == 2


@on_both_sides_of("fox", "max-minus", "added", "subtracted")
@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("10 10 3", 23),
        ("10 10 max0", 10),
        ("10 3 max0", 3),
        ("-5 -10 max0", -15),
        ("-5 night max0", -5),
        ("10 -5 3", 8),
        ("-5 -10 night", -15),
    ],
)
@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
def test_the_fox_cancels_one_card_above_0_where_there_is_one(edition: Edition, cards: str, total: int) -> None:
    shown = open_first_round(3, edition=edition).says(0, 1).coyote(1).shows(cards)
    key = "enough" if total >= 1 else "short"
    assert shown.ruling(key)["total"] == total
    assert shown.tells("count-cancel-none") == ("max0" in cards and total < 0)


@on_both_sides_of("all-shown")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_card_less_and_none_more_than_all_is_counted(edition: Edition) -> None:
    called = open_first_round(3, edition=edition).says(0, 1).coyote(1)
    assert called.refusal("reveal", ("10", "5"))[0] == Reason.CARD_COUNT
    assert called.refusal("reveal", ("10", "5", "3", "1"))[0] == Reason.CARD_COUNT
    assert called.shows("10 5 3").ruling("enough")["total"] == 18


@on_both_sides_of("odds")
def test_odds_are_told_after_a_reveal_and_not_before() -> None:
    called = open_first_round(3).says(0, 1).coyote(1)
    assert COYOTE.insight(called.state) == ()
    shown = called.shows("10 5 3", owners=(0, 1, 2))
    assert [ruling.key for ruling in COYOTE.insight(shown.state)] == ["chance"]


@beyond("first-opener/best-laugh", "first-opener/youngest")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_asked_who_opens_a_later_round(edition: Edition) -> None:
    assert open_first_round(3, edition=edition).loses(1).keys() == {"announce"}


@on_both_sides_of("call/in-turn", "call/anytime")
@pytest.mark.parametrize(("anyone", "reason"), [(False, Reason.NOT_YOU), (True, None)])
def test_who_isnt_in_turn_calls_only_where_that_is_agreed(anyone: bool, reason: Reason | None) -> None:
    script = open_first_round(4, anyone_may_contest=anyone).says(0, 5)
    if reason is None:
        assert script.answers("contest", CRY, 2).ruling("called")["seat"] == 2
    else:
        assert script.refusal("contest", CRY, 2)[0] == reason
    assert script.coyote(1).ruling("called")["seat"] == 1


@on_both_sides_of("double", "second-card", "next-is")
@pytest.mark.parametrize(("word", "aim"), [("double", None), ("extra", 2), ("next", 2)])
@pytest.mark.parametrize("edition", ["kidult", "gigamic"])
def test_what_comes_right_after_ones_number_is_too_late_after_the_next_one(
    edition: Edition, word: str, aim: int | None
) -> None:
    script = open_first_round(4, edition=edition, powers=("double", "extra", "next")).says(0, 5)
    assert word in script.words("after")
    assert script.adds(0, word, aim).tells("doubled" if word == "double" else word)
    late = script.says(1, 6)
    assert late.refusal("after", Option(word, seat=aim), 0) == ("not-you", {"seats": (1,)})


@on_both_sides_of("token-extra", "token-replace")
@pytest.mark.parametrize(("drawn", "may_draw"), [(16, True), (17, True), (18, False)])
def test_a_card_is_drawn_as_long_as_the_pile_has_one(drawn: int, may_draw: bool) -> None:
    """Twelve cards of thirty are dealt; so eighteen may be drawn, and nothing is discarded yet."""
    script = open_first_round(12, edition="oliphante", boxes=2, powers=("extra", "replace", "skip"))
    state = replace(script.state, stage=replace(script.round, turned=drawn))
    position = replace(script.match.position, state=state, asks=COYOTE.asks(state))
    words = Script(replace(script.match, position=position)).words()
    assert words == ({"extra", "replace", "skip"} if may_draw else {"skip"})
