"""Lines of play from given positions with their results: turns, attacks, special cards, the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.referee.games.lines import read_lines
from tests.referee.games.ogallala.script import Script, begin_midway, play, with_state

CROWDED = 100


def tail(script: Script) -> str:
    """Return asks, rulings and the last canoes, without crowded territories."""
    asked, lands = script.stands.split(": ", 1)
    keys = [key for key in script.ruling_keys if key != "next"]
    ruled = script.told if any(key.startswith("!") for key in keys) else " ".join(keys)
    told = f"{asked} ({ruled})"
    return told if len(lands) > CROWDED else f"{told}: {lands}".strip()


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    position, played = line.split(" : ")
    position, _, discard = position.partition(" < ")
    box = {"box": (house["copies"],) * 52} if "copies" in house else {}
    agreed = {rule: value for rule, value in house.items() if rule != "copies"}
    assert tail(play(position, played, discard, **box, **agreed)) == stands


def test_available_targets() -> None:
    roped = play("keg|B G 1r / B 2r S|fur", "+Lr 1")
    assert roped.aims("lasso") == {(1, "empty-bow"), (1, "guardian"), (1, "red-warrior-1"), (2, "fur")}
    (fur,) = [option for option in roped.options("lasso") if option.face == "fur"]
    for seat in (3, -1):
        assert roped.refusal("lasso", replace(fur, seat=seat))[0] == "other-player"
    shot = play("keg|B G 1r / Br 2r fur / B 4r S", "+Ab 1")
    assert shot.aims("archer") == {(1, "red-bow"), (1, "red-warrior-2")}
    crews = play("B 5r|1r keg|1b fur|tent", "+S 2", two_crews=True)
    assert crews.aims("attack") == {(2, "black-warrior-1"), (3, "tent")}
    assert play("B 5r|keg 1r - fur", "+S 2", gap="two_targets").aims("attack") == {(1, "keg"), (1, "fur")}
    assert play("keg|1r", "+Ab", special_discard=False).words("place") == {"put"}


def test_discard_order() -> None:
    for position, line, discard in (
        ("B 5r|B 1r keg fur S", "+S 2 attack", ("empty-bow", "red-warrior-1", "empty-stern")),
        ("B G S / 1r|keg", "+xr", ("empty-bow", "guardian", "empty-stern", "red-saboteur")),
        ("keg|B 2r", "+Ab 1 archer=2r", ("red-warrior-2",)),
    ):
        assert play(position, line).state.discard == discard


def test_pushed_row_moves_its_attacker() -> None:
    """A canoe that still has to attack moves when booty is pushed into its row."""
    line = "+S 8 attack:1 booty=keg 1 push-left@4 attack:2"
    assert play("B - 5b S B gold-left 5r cr|gold-right keg|1r", line).ruling("attacks")["own"] == 5


def test_set_aside_booty_is_placed_later() -> None:
    script = begin_midway("1r", "2r", unplaced_booty="keep_aside")
    script = with_state(script, aside=(("keg",), ()))
    assert script.chooses("aside", face="keg").says("place", "keep-aside").state.aside[0] == ("keg",)
    script = script.chooses("aside", face="keg").puts(1)
    assert script.state.aside[0] == ()
    assert script.turn == 0
