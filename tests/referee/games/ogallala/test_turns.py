"""Turns: what is drawn, what it means, and when it is another player's turn."""

from fractions import Fraction

import pytest

from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS
from referee.games.ogallala.house import House, deck_of, house_refusal
from referee.games.ogallala.state import hidden_cards, pile_size
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.ogallala.script import begin_midway, sit_down


@beyond("doubles/territory")
@on_both_sides_of("draw", "next")
def test_a_card_after_the_other_until_one_is_not_wanted() -> None:
    script = sit_down(3).draws("keg").says("place", "first")
    assert script.turn == 0
    script = script.draws("fur").puts(1)
    assert script.turn == 0
    script = script.draws("eagle").says("place", "discard")
    assert script.turn == 1
    assert script.state.discard == ("eagle",)


@within("doubles/territory")
def test_a_card_that_lies_there_already_is_the_last_one() -> None:
    script = begin_midway("B keg S\n1r", "").draws("keg")
    assert "double" in script.ruling_keys()
    assert (1, 1) not in {option.cell for option in script.options("place")}
    assert script.puts(1, 1).turn == 1


@pytest.mark.parametrize(("word", "drawn"), [("3r", "3b"), ("B", "B"), ("S", "S")])
def test_colours_do_not_matter_and_ends_do_count(word: str, drawn: str) -> None:
    assert "double" in begin_midway(word, "").draws(drawn).ruling_keys()


@on_both_sides_of("doubles/incomplete")
def test_complete_canoes_count_for_doubles_unless_agreed_otherwise() -> None:
    assert "double" in begin_midway("B keg S", "").draws("keg").ruling_keys()
    assert "double" not in begin_midway("B keg S", "", doubles="incomplete").draws("keg").ruling_keys()
    assert "double" in begin_midway("B keg", "", doubles="incomplete").draws("keg").ruling_keys()


@on_both_sides_of("stop/free", "stop/never")
def test_one_may_stop_before_drawing_again_but_not_before_drawing() -> None:
    script = sit_down()
    assert "turn" not in script.ask_keys()
    script = script.draws("keg").says("place", "first")
    assert script.says("turn", "stop").turn == 1
    script = sit_down(voluntary_stop=False).draws("keg").says("place", "first")
    assert "turn" not in script.ask_keys()


def test_a_card_of_a_set_says_where_it_belongs() -> None:
    assert begin_midway("B gold-left 1r", "").draws("gold-digger").ruling("set")["cards"] == ("gold-left",)


def test_a_card_without_a_place_is_discarded_at_once() -> None:
    rows = (
        "B keg fur eagle tent dynamite tobacco 1r 2r 3r 4r 5r hr S",
        "B 1r 2r 3r 4r 5r hr keg fur eagle tent dynamite companion S",
        "B 1b 2b 3b 4b 5b hb keg fur eagle tent dynamite tobacco S",
    )
    box = tuple(5 for _face in COUNTS)
    script = begin_midway("\n".join(rows), "", box=box).draws("cr")
    assert script.ruling_keys()[-3:] == ["no-place", "discarded", "next"]


# the open pile


def test_the_top_discard_may_be_taken() -> None:
    script = begin_midway("1r", "", discard="keg fur").says("turn", "take")
    assert script.ruling("taken")["card"] == "fur"
    assert script.state.discard == ("keg",)
    assert script.puts(1).turn == 0


def test_a_camera_that_sees_the_top_discard_is_understood() -> None:
    """The only cannon half there is can't come from a pile."""
    script = begin_midway("1r", "", discard="cannon-left").draws("cannon-left")
    assert script.ruling_keys()[0] == "taken"
    script = begin_midway("1r", "", discard="keg").draws("keg")
    assert script.ask_keys() == ["from"]
    assert script.says("from", "from-discard").state.discard == ()
    assert script.says("from", "from-pile").state.discard == ("keg",)
    assert script.says("from", "from-pile").ruling_keys()[0] == "drawn"


def test_a_card_that_was_seen_is_refused() -> None:
    reason, values = begin_midway("cannon-left", "").refusal("draw", ("cannon-left",))
    assert (reason, values["card"]) == ("already-seen", "cannon-left")
    reason, _values = begin_midway("1r", "", discard="cannon-left keg").refusal("draw", ("cannon-left",))
    assert reason == "already-seen"


def small_box(**counts: int) -> tuple[int, ...]:
    """Make a box of a few cards."""
    return tuple(counts.get(card.replace("-", "_"), 0) for card in COUNTS)


@within("no-cards/face-down")
def test_the_match_is_over_when_a_card_must_be_drawn_and_none_is_left() -> None:
    script = sit_down(box=small_box(keg=1, fur=1)).draws("keg").says("place", "first").draws("fur").puts(1)
    assert script.match.outcome is not None
    assert script.match.outcome.reason == "no-cards"
    assert script.match.outcome.winners == (0, 1)


@on_both_sides_of("no-cards/open-pile-too")
@beyond("no-cards/face-down")
def test_the_open_pile_may_be_played_out() -> None:
    house = {"box": small_box(keg=1, fur=1, eagle=1), "end_of_piles": "all_piles"}
    script = sit_down(**house).draws("keg").says("place", "discard")
    script = script.draws("fur").says("place", "first").draws("eagle").puts(1)
    assert script.ask_keys() == ["turn"]
    assert script.words("turn") == {"stop", "take"}
    assert script.says("turn", "take").says("place", "discard").match.outcome is not None
    taken = script.says("turn", "take").puts(2)
    assert taken.match.outcome is not None
    assert taken.state.discard == ()


@on_both_sides_of("discards/shuffled")
def test_the_discards_are_shuffled_when_no_card_is_left() -> None:
    house = {"box": small_box(keg=1, fur=1), "discard": "recycle_when_pile_empty"}
    script = sit_down(**house).draws("keg").says("place", "first").draws("fur").says("place", "discard")
    assert script.ruling("refill")["count"] == 1
    assert hidden_cards(script.state)["fur"] == 1
    script = script.draws("fur").says("place", "discard")
    assert script.match.outcome is not None, "nothing was laid since the discards were shuffled"


def test_a_pile_that_is_used_up_is_made_anew_at_will() -> None:
    house = {"discard": "recycle_when_pile_empty"}
    script = sit_down(**house).draws("keg").says("place", "first").draws("fur").says("place", "discard")
    assert script.says("turn", "refill").state.discard == ()


def test_piles_may_be_empty_before_the_record_thinks_so() -> None:
    """A box may have fewer cards than the deck says: only when few should be left."""
    assert "turn" not in sit_down().ask_keys()
    script = sit_down(box=small_box(keg=2, fur=2)).draws("keg").says("place", "first").draws("fur").puts(1)
    script = script.draws("keg").puts(0, 1)
    assert script.says("turn", "empty").match.outcome is not None


# the box


@on_both_sides_of("box")
def test_a_box_has_its_own_counts() -> None:
    counts = {**COUNTS, "keg": 3, "fur": 0}
    house = OGALLALA.boxed(House(), counts)
    assert deck_of(house).counts == counts
    assert house_refusal(house) is None
    assert OGALLALA.boxed(House(), COUNTS) == House()
    assert house_refusal(House(box=(1, 2))) is not None
    assert house_refusal(House(box=(0,) * len(COUNTS))) is not None


# insight


@on_both_sides_of("odds")
def test_odds_are_counted_among_the_hidden_cards() -> None:
    script = begin_midway("keg 1r", "fur")
    (odds,) = OGALLALA.insight(script.state)
    ends = sum(
        count
        for card, count in hidden_cards(script.state).items()
        if card == "keg" or card.endswith(("-warrior-1", "-lasso", "-archer", "-saboteur"))
    )
    assert odds.values["left"] == pile_size(script.state) == 112 - 3
    assert odds.values["last"] == ends == 1 + 7 + 4 + 4 + 2
    assert odds.values["percent"] == round(100 * Fraction(ends, 109))
    assert OGALLALA.insight(script.draws("fur").state) == ()
