"""The Lasso, the Archer, the Saboteur and the Guardian."""

from msgspec.structs import replace

from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.ogallala.script import begin_midway


def test_the_lasso_takes_from_incomplete_canoes_even_the_guardian() -> None:
    script = begin_midway("keg", "B G 1r\nB 2r S", "fur").draws("Lr").puts(1)
    assert script.aims("lasso") == {(1, "empty-bow"), (1, "guardian"), (1, "red-warrior-1"), (2, "fur")}
    script = script.chooses("lasso", face="guardian")
    assert script.ruling("ropes")["target"] == 1
    assert script.state.territories[1].rows[0] == ("empty-bow", "", "red-warrior-1")
    script = script.puts(2)
    assert script.state.territories[0].rows == (("keg", "red-lasso", "guardian"),)
    assert script.turn == 1


def test_nothing_can_be_roped_from_a_player_who_is_not_there() -> None:
    script = begin_midway("keg", "B G 1r", "fur").draws("Lr").puts(1)
    (fur,) = [option for option in script.options("lasso") if option.face == "fur"]
    assert fur.seat == 2
    for seat in (3, -1):
        assert script.refusal("lasso", replace(fur, seat=seat))[0] == "other-player"


def test_what_has_no_place_can_not_be_roped() -> None:
    full = "keg fur eagle tent dynamite tobacco companion soldier cowboy 1r 2r 3r 4r"
    script = begin_midway(f"{full}\n{full}\n{full}", "5r", box=(9,) * 52).draws("Lr")
    script = script.puts(13, 0)
    assert "lasso" in script.ask_keys()
    script = begin_midway(f"{full}\n{full}\n{full}", "keg", box=(9,) * 52).draws("Lr").puts(13, 0)
    assert "lapses" in script.ruling_keys()
    script = begin_midway(f"{full}\n{full}\n{full}", "keg", box=(9,) * 52, lasso_unplaced="discard").draws("Lr")
    script = script.puts(13, 0).chooses("lasso", face="keg")
    assert script.ruling("unplaced")["cards"] == ("keg",)
    assert script.state.discard == ("keg",)


def test_a_lasso_without_anything_to_aim_at_lapses() -> None:
    script = begin_midway("keg", "B 1r S").draws("Lr").puts(1)
    assert "lapses" in script.ruling_keys()
    assert script.turn == 1


def test_a_roped_card_may_complete_a_canoe_and_attack() -> None:
    script = (
        begin_midway("B 5r cr", "S", "B 1r keg")
        .draws("Lr")
        .puts(0, 1)
        .chooses("lasso", face="empty-stern")
        .puts(3)
    )
    assert script.ruling("completes")["strength"] == 12
    assert script.aims("attack") == {(2, "empty-bow")}
    script = begin_midway("B 5r cr", "S", "B 1r keg", lasso_attack=False).draws("Lr").puts(0, 1)
    script = script.chooses("lasso", face="empty-stern").puts(3)
    assert "completes" in script.ruling_keys()
    assert script.turn == 1


@on_both_sides_of("effect-first")
def test_a_lasso_that_completes_a_canoe_takes_first_and_attacks_then() -> None:
    script = begin_midway("B - S", "keg 1r").draws("Lr").puts(1)
    assert script.ask_keys() == ["lasso"]
    script = script.chooses("lasso", face="keg").puts(0, 1)
    assert script.aims("attack") == {(1, "red-warrior-1")}


def test_the_archer_shoots_paddlers_without_a_guardian() -> None:
    script = begin_midway("keg", "B G 1r\nBr 2r fur\nB 4r S").draws("Ab").puts(1)
    assert script.aims("archer") == {(1, "red-bow"), (1, "red-warrior-2")}
    script = script.chooses("archer", face="red-warrior-2")
    assert script.state.discard == ("red-warrior-2",)
    assert script.state.territories[1].rows[1] == ("red-bow", "", "fur")
    assert script.turn == 1


def test_an_archer_may_be_discarded_without_effect() -> None:
    script = begin_midway("keg", "1r").draws("Ab").says("place", "discard")
    assert script.turn == 1
    assert script.state.discard == ("black-archer",)
    assert begin_midway("keg", "1r", special_discard=False).draws("Ab").words("place") == {"put"}


def test_the_saboteur_sinks_the_only_complete_canoe() -> None:
    script = begin_midway("B G S\n1r", "keg").draws("xr")
    assert script.ruling("sinks")["cards"] == ("empty-bow", "guardian", "empty-stern")
    assert script.state.discard == ("empty-bow", "guardian", "empty-stern", "red-saboteur")
    assert script.state.territories[0].rows == (("red-warrior-1",),)
    assert script.turn == 1


def test_the_saboteur_sinks_the_canoe_of_ones_choice() -> None:
    script = begin_midway("B S B 1r S", "keg").draws("xr")
    assert len(script.options("saboteur")) == 2
    script = script.answers("saboteur", script.options("saboteur")[1])
    assert script.state.territories[0].rows == (("empty-bow", "empty-stern"),)


def test_the_saboteur_without_a_complete_canoe_is_discarded() -> None:
    script = begin_midway("B 1r", "keg").draws("xr")
    assert script.state.discard == ("red-saboteur",)
    assert script.turn == 1
    script = begin_midway("B 1r", "keg", saboteur_stays=True).draws("xr").puts(2)
    assert script.turn == 1
    assert "red-saboteur" in script.state.territories[0].rows[0]
    assert "sinks" in begin_midway("B 1r S", "keg", saboteur_stays=True).draws("xr").ruling_keys()
