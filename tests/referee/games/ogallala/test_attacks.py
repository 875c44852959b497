"""Attacks: who may attack whom, what is captured, and chains of them."""

import pytest
from msgspec.structs import replace

from referee.games.ogallala import OGALLALA
from referee.match import Position
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.ogallala.script import Script, at, begin_midway


@on_both_sides_of("attack")
@pytest.mark.parametrize(
    ("own", "other", "is_legal"),
    [
        ("cb", "B cr S", False),
        ("1b cb", "B cr S", True),
        ("1b cb", "B 3r G S", False),
        ("1b", "B keg S", True),
        ("fur", "B keg S", False),
        ("1b cb", "B cr - S", True),
        ("1b", "keg", True),
    ],
)
def test_only_a_stronger_canoe_attacks_where_no_guardian_is(own: str, other: str, is_legal: bool) -> None:
    script = begin_midway(f"B {own}", other).draws("S").puts(len(own.split()) + 1)
    assert ("attack" in script.ask_keys()) == is_legal


def test_booty_is_laid_and_the_others_are_discarded() -> None:
    script = begin_midway("B 5r", "B 1r keg fur S").draws("S").puts(2).says("attack", "attack")
    assert script.ruling("captures")["cards"] == ("keg", "fur")
    assert script.state.discard == ("empty-bow", "red-warrior-1", "empty-stern")
    assert script.state.territories[1].rows == ()
    script = script.chooses("booty", face="fur").puts(0, 1)
    assert script.ask_keys() == ["place"]
    assert "discard" not in script.words("place")
    script = script.puts(1, 1)
    assert script.state.territories[0].rows[1][:2] == ("fur", "keg")
    assert script.turn == 1


def test_one_may_spare_others() -> None:
    script = begin_midway("B 5r", "B 1r keg S").draws("S").puts(2).says("attack", "spare")
    assert script.turn == 1
    assert script.state.territories[1].rows


def test_a_canoe_with_a_gap_is_taken_as_one() -> None:
    script = begin_midway("B 5r", "keg 1r - fur").draws("S").puts(2).says("attack", "attack")
    assert script.ruling("captures")["cards"] == ("keg", "fur")


def test_or_only_one_side_of_it() -> None:
    script = begin_midway("B 5r", "keg 1r - fur", gap="two_targets").draws("S").puts(2)
    assert script.aims("attack") == {(1, "keg"), (1, "fur")}
    script = script.chooses("attack", face="fur")
    assert script.state.territories[1].rows == (("keg", "red-warrior-1"),)


def test_booty_that_completes_a_canoe_lets_that_one_attack_too() -> None:
    script = begin_midway("B 5r\nB cr - S", "B 1r keg S", "2r hr").draws("S").puts(2)
    script = script.chooses("attack", seat=1).puts(2, 1)
    assert script.ruling("completes")["strength"] == 7
    assert "attack" not in script.ask_keys()
    script = begin_midway("B 5r\nB cr - S", "B 1r keg S", "2r 4r").draws("S").puts(2)
    script = script.chooses("attack", seat=1).puts(2, 1)
    assert script.aims("attack") == {(2, "red-warrior-2")}
    script = script.chooses("attack", seat=2)
    assert script.turn == 1
    assert script.state.territories[2].rows == ()


@beyond("one-attack")
def test_canoes_that_booty_completes_attack_one_after_the_other() -> None:
    script = begin_midway("B 5r\nB cr - S\nB cb - S", "B 1r keg fur S", "2r 4r", "1b").draws("S").puts(2)
    script = script.chooses("attack", seat=1).chooses("booty", face="keg").puts(2, 1).puts(2, 2)
    assert script.state.turn.due == (at(0, 1), at(0, 2))
    script = script.chooses("attack", seat=2)
    assert script.aims("attack") == {(3, "black-warrior-1")}
    script = script.chooses("attack", seat=3)
    assert [territory.rows for territory in script.state.territories[1:]] == [(), (), ()]


@within("one-attack")
def test_a_canoe_attacks_once() -> None:
    script = begin_midway("B 5r", "keg", "fur").draws("S").puts(2).chooses("attack", seat=1).puts(0, 1)
    assert script.turn == 1


def test_a_row_that_is_pushed_takes_its_attacker_along() -> None:
    """The bow of the canoe that has still to attack lies elsewhere once more booty was pushed in."""
    script = begin_midway("B - 5b S B gold-left 5r cr", "gold-right keg", "1r").draws("S").puts(8)
    script = script.chooses("attack", seat=1)
    script = script.chooses("booty", face="keg").puts(1)
    assert script.state.turn.due == (at(0),)
    script = script.chooses("place", word="push-left", cell=at(4))
    assert script.state.turn.due == (at(-1),)
    script = script.chooses("attack", seat=2)
    assert script.ruling("attacks")["own"] == 5


@within("booty-unplaced/aside")
def test_booty_without_a_place_is_discarded_or_kept_aside() -> None:
    full = "keg fur eagle tent dynamite tobacco companion soldier cowboy 1r 2r 3r 4r 5r"
    rows = f"{full}\n{full}\nB lumberjack gold-digger bear-hunter bison-hunter 1r 2r 3r 4r hr cr keg fur"
    script = begin_midway(rows, "keg fur", box=(9,) * 52).draws("S").puts(13, 2).says("attack", "attack")
    assert script.ruling("unplaced")["cards"] == ("keg", "fur")
    assert script.state.discard == ("keg", "fur")
    script = begin_midway(rows, "keg fur", box=(9,) * 52, unplaced_booty="keep_aside").draws("S").puts(13, 2)
    script = script.says("attack", "attack")
    assert script.state.aside[0] == ("keg", "fur")


@beyond("booty-unplaced/aside")
def test_what_was_kept_aside_is_laid_later() -> None:
    script = begin_midway("1r", "2r", unplaced_booty="keep_aside")
    state = replace(script.state, aside=(("keg",), ()))
    script = Script(replace(script.match, position=Position(state, OGALLALA.asks(state), ())))
    assert script.chooses("aside", face="keg").says("place", "keep-aside").state.aside[0] == ("keg",)
    script = script.chooses("aside", face="keg").puts(1)
    assert script.state.aside[0] == ()
    assert script.turn == 0


def test_two_crews_attack_only_the_other() -> None:
    script = begin_midway("B 5r", "1r keg", "1b fur", "tent", two_crews=True).draws("S").puts(2)
    assert script.aims("attack") == {(2, "black-warrior-1"), (3, "tent")}


@within("slide-completes")
def test_a_canoe_whose_gap_closes_by_sliding_is_complete_and_may_attack() -> None:
    """B L 1 _ S with R: the rule text lets the others slide, so the card closes the gap."""
    usual = begin_midway("B gold-left 1r - S", "keg").draws("gold-right")
    assert usual.words("place") == {"put", "push-right", "push-left", "discard"}
    script = begin_midway("B gold-left 1r - S", "keg", push="into_gap").draws("gold-right")
    script = script.chooses("place", word="slide-right", cell=at(2))
    assert script.ruling_keys() == ["slide-right", "completes"]
    assert script.ruling("completes")["cards"] == (
        "empty-bow", "gold-left", "gold-right", "red-warrior-1", "empty-stern",
    )  # fmt: skip
    assert script.words("attack") == {"attack", "spare"}


def test_a_canoe_beyond_may_be_the_one_that_is_completed() -> None:
    script = begin_midway("gold-left 1r S B 2r - S", "keg", push="into_gap").draws("gold-right")
    script = script.chooses("place", word="slide-right", cell=at(1))
    assert script.ruling("completes")["cards"] == ("empty-bow", "red-warrior-2", "empty-stern")
    assert script.words("attack") == {"attack", "spare"}


@beyond("slide-completes")
def test_sliding_into_a_complete_canoe_completes_nothing() -> None:
    script = begin_midway("B gold-left S - B 1r", "keg", push="into_gap").draws("gold-right")
    script = script.chooses("place", word="slide-right", cell=at(2))
    assert "completes" not in script.ruling_keys()
