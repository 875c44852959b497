"""The Lasso, the Archer, the Saboteur and the Guardian."""

from tests.referee.games.ogallala.script import lying


def test_the_lasso_takes_from_incomplete_canoes_even_the_guardian() -> None:
    script = lying("keg", "B G 1r\nB 2r S", "fur").draws("Lr").puts(1)
    assert script.aims("lasso") == {(1, "empty-bow"), (1, "guardian"), (1, "red-warrior-1"), (2, "fur")}
    script = script.chooses("lasso", face="guardian")
    assert script.told("ropes")["target"] == 1
    assert script.state.territories[1].rows[0] == ("empty-bow", "", "red-warrior-1")
    script = script.puts(2)
    assert script.state.territories[0].rows == (("keg", "red-lasso", "guardian"),)
    assert script.turn == 1


def test_what_has_no_place_can_not_be_roped() -> None:
    full = "keg fur eagle tent dynamite tobacco companion soldier cowboy 1r 2r 3r 4r"
    script = lying(f"{full}\n{full}\n{full}", "5r", box=(9,) * 52).draws("Lr")
    script = script.puts(13, 0)
    assert "lasso" in script.asked()
    script = lying(f"{full}\n{full}\n{full}", "keg", box=(9,) * 52).draws("Lr").puts(13, 0)
    assert "lapses" in script.ruled()
    script = lying(f"{full}\n{full}\n{full}", "keg", box=(9,) * 52, lasso_unplaced="discard").draws("Lr")
    script = script.puts(13, 0).chooses("lasso", face="keg")
    assert script.told("unplaced")["cards"] == ("keg",)
    assert script.state.discard == ("keg",)


def test_a_lasso_without_anything_to_aim_at_lapses() -> None:
    script = lying("keg", "B 1r S").draws("Lr").puts(1)
    assert "lapses" in script.ruled()
    assert script.turn == 1


def test_a_roped_card_may_complete_a_canoe_and_attack() -> None:
    script = (
        lying("B 5r cr", "S", "B 1r keg").draws("Lr").puts(0, 1).chooses("lasso", face="empty-stern").puts(3)
    )
    assert script.told("completes")["strength"] == 12
    assert script.aims("attack") == {(2, "empty-bow")}
    script = lying("B 5r cr", "S", "B 1r keg", lasso_attack=False).draws("Lr").puts(0, 1)
    script = script.chooses("lasso", face="empty-stern").puts(3)
    assert "completes" in script.ruled()
    assert script.turn == 1


def test_a_lasso_that_completes_a_canoe_takes_first_and_attacks_then() -> None:
    script = lying("B - S", "keg 1r").draws("Lr").puts(1)
    assert script.asked() == ["lasso"]
    script = script.chooses("lasso", face="keg").puts(0, 1)
    assert script.aims("attack") == {(1, "red-warrior-1")}


def test_the_archer_shoots_paddlers_without_a_guardian() -> None:
    script = lying("keg", "B G 1r\nBr 2r fur\nB 4r S").draws("Ab").puts(1)
    assert script.aims("archer") == {(1, "red-bow"), (1, "red-warrior-2")}
    script = script.chooses("archer", face="red-warrior-2")
    assert script.state.discard == ("red-warrior-2",)
    assert script.state.territories[1].rows[1] == ("red-bow", "", "fur")
    assert script.turn == 1


def test_an_archer_may_be_discarded_without_effect() -> None:
    script = lying("keg", "1r").draws("Ab").says("place", "discard")
    assert script.turn == 1
    assert script.state.discard == ("black-archer",)
    assert lying("keg", "1r", special_discard=False).draws("Ab").words("place") == {"put"}


def test_the_saboteur_sinks_the_only_complete_canoe() -> None:
    script = lying("B G S\n1r", "keg").draws("xr")
    assert script.told("sinks")["cards"] == ("empty-bow", "guardian", "empty-stern")
    assert script.state.discard == ("empty-bow", "guardian", "empty-stern", "red-saboteur")
    assert script.state.territories[0].rows == (("red-warrior-1",),)
    assert script.turn == 1


def test_the_saboteur_sinks_the_canoe_of_ones_choice() -> None:
    script = lying("B S B 1r S", "keg").draws("xr")
    assert len(script.options("saboteur")) == 2
    script = script.answers("saboteur", script.options("saboteur")[1])
    assert script.state.territories[0].rows == (("empty-bow", "empty-stern"),)


def test_the_saboteur_without_a_complete_canoe_is_discarded() -> None:
    script = lying("B 1r", "keg").draws("xr")
    assert script.state.discard == ("red-saboteur",)
    assert script.turn == 1
    script = lying("B 1r", "keg", saboteur_stays=True).draws("xr").puts(2)
    assert script.turn == 1
    assert "red-saboteur" in script.state.territories[0].rows[0]
    assert "sinks" in lying("B 1r S", "keg", saboteur_stays=True).draws("xr").ruled()
