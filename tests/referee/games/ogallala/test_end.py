"""The end: three canoes may, five must; and the final count, canoe by canoe under the camera."""

from referee.contract import Answer, Span
from referee.games.ogallala.audit import audit_cards, audit_span
from referee.match import hear
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.ogallala.script import Script, begin_midway

TWO = "B S B S"


def test_the_third_canoe_may_end_the_match() -> None:
    script = begin_midway(f"{TWO}\nB", "keg").draws("S").puts(1, 1)
    assert script.ruling("may-end")["canoes"] == 3
    assert script.says("end", "go-on").turn == 1
    over = script.says("end", "end")
    assert over.ask_keys() == ["record", "count"]


def test_two_canoes_do_not() -> None:
    assert begin_midway("B S B", "keg").draws("S").puts(3).turn == 1


def test_the_player_who_goes_on_needs_another_canoe_and_a_rival_a_third() -> None:
    """OG-34: the owner goes on, the rival may end and goes on, the owner's fifth is the end."""
    script = begin_midway(f"{TWO}\nB", f"{TWO}\nB", box=(20,) * 52).draws("S").puts(1, 1).says("end", "go-on")
    script = script.draws("S").puts(1, 1)
    assert script.turn == 1
    script = script.says("end", "go-on").draws("keg").says("place", "discard")
    assert script.turn == 1
    script = begin_midway(f"{TWO}\nB S B S\nB", "keg", box=(20,) * 52).draws("S").puts(1, 2)
    assert "fifth" in script.ruling_keys()
    assert script.ask_keys() == ["record", "count"]


def test_canoes_that_are_gone_do_not_count_unless_agreed() -> None:
    script = begin_midway("B", "keg", completed=(2, 0)).draws("S").puts(1)
    assert script.turn == 1
    script = begin_midway("B", "keg", completed=(2, 0), count_ever=True).draws("S").puts(1)
    assert script.ruling("may-end")["canoes"] == 3


@on_both_sides_of("attack-before-end")
def test_the_attack_comes_before_the_end() -> None:
    script = begin_midway(f"{TWO}\nB 5r", "keg").draws("S").puts(2, 1)
    assert script.ask_keys() == ["attack"]
    assert script.says("attack", "spare").ask_keys() == ["end"]


def script_at_count() -> Script:
    """Come to the count of three canoes of one player and one of another."""
    return begin_midway(f"{TWO}\nB gold-left gold-right", "B keg S").draws("S").puts(3, 1).says("end", "end")


def test_canoes_are_counted_one_by_one() -> None:
    script = script_at_count()
    assert script.ruling("count-canoe")["cards"] == ("empty-bow", "empty-stern")
    script = script.answers("count", ("empty-stern", "empty-bow"))
    assert script.ruling("canoe-points")["points"] == 2
    script = script.says("record", "as-recorded")
    assert script.ruling("count-canoe")["number"] == 3
    script = script.answers("count", ("empty-bow", "gold-left", "gold-right", "empty-stern"))
    assert script.ruling("count-pair")["points"] == 40
    assert script.ruling("count-canoe")["seat"] == 1
    script = script.answers("count", ("empty-bow", "keg", "empty-stern"))
    assert script.match.outcome is not None
    assert script.ruling("won")["points"] == 2 + 2 + 44
    assert [(s.seat, s.counts["points"]) for s in script.match.setup.game.standings(script.state)] == [
        (0, 48),
        (1, 13),
    ]


def test_what_differs_is_told_and_looked_at_again() -> None:
    script = script_at_count().answers("count", ("empty-bow", "keg"))
    assert script.ruling_keys() == ["missing", "extra"]
    assert script.ruling("missing")["cards"] == ("empty-stern",)
    assert script.ruling("extra")["cards"] == ("keg",)
    assert script.ask_keys() == ["record", "count"]


def test_the_record_may_be_believed_for_all() -> None:
    script = script_at_count().says("record", "all-as-recorded")
    assert script.match.outcome is not None
    assert script.match.outcome.reason == "ended"
    assert [ruling.values["points"] for ruling in script.rulings if ruling.key == "canoe-points"] == [
        2,
        2,
        44,
        13,
    ]


def test_anybody_may_believe_the_record() -> None:
    script = script_at_count()
    after = hear(script.match, Answer(script.match.number, "record", script.options("record")[0], 1))
    assert after.number == script.match.number + 1  # type: ignore[union-attr]


def test_a_row_is_compared_with_the_record() -> None:
    state = script_at_count().match.state
    row = state.territories[0].rows[0]
    left, top = state.territories[0].left, state.territories[0].top
    span, cards = Span(0, (left, top), len(row)), tuple(filter(None, row))
    assert [ruling.key for ruling in audit_span(state, span, cards[::-1])] == ["agrees"]
    differing = audit_span(state, span, (*cards[1:], "tent", "tent"))
    assert [(ruling.key, ruling.values["cards"]) for ruling in differing] == [
        ("missing", cards[:1]),
        ("extra", ("tent", "tent")),
    ]
    assert audit_span(state, Span(0, (left, top + 9), 3), ())[0].key == "agrees"
    assert audit_cards(1, ("keg",), ())[0].values == {"seat": 1, "cards": ("keg",)}
