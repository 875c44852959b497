"""Games that can't be loaded are left out with a line; all others are played."""

from pathlib import Path

import pytest

from tests.examples.installed import with_high_card

REPLACED = "from msgspec.structs import replace\nfrom high_card import GAME as ONE\n"
BROKEN = {
    "no module": ("nowhere:GAME", "", "ModuleNotFoundError"),
    "no name": ("odd:GAMES", "GAME = 1\n", "AttributeError"),
    "no game": ("odd:GAME", "GAME = 1\n", "is no referee.contract.Game"),
    "no Python": ("odd:GAME", "def\n", "SyntaxError"),
    "failing": ("odd:GAME", "raise RuntimeError('two\\nlines')\n", "RuntimeError: two lines"),
    "duplicate": ("odd:GAME", REPLACED + "GAME = ONE\n", "there is already a game named high-card"),
    "our name": ("odd:GAME", REPLACED + "GAME = replace(ONE, name='coup')\n", "a game named coup"),
    "our deck": (
        "odd:GAME",
        "from referee.contract import Deck\n"
        + REPLACED
        + "GAME = replace(ONE, name='odd', deck=lambda _house: Deck('piquet', {'1': 1}))\n",
        "there is already another deck named piquet",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_game_is_left_out_with_a_line(tmp_path: Path, how: str) -> None:
    value, code, why = BROKEN[how]
    environment = with_high_card(tmp_path)
    (environment.site / "odd.py").write_text(code)
    # the last entry point of the alphabet: the others are there first
    environment.install("zzz", value)
    said = environment.run("count", "gigamic", "20", "15")
    assert said.code == 0
    assert "35" in said.out
    assert said.err.startswith("coyote: the game zzz (")
    assert why in said.err
    assert said.err.count("\n") == 1
    assert environment.run("play", "high-card", "--seats", "Ana,Bo", typed="quit\n").code == 0


@pytest.mark.parametrize("which", ["art", "bot"])
def test_art_and_a_bot_that_cant_be_loaded_are_done_without(tmp_path: Path, which: str) -> None:
    environment = with_high_card(tmp_path)
    (environment.site / "high_card" / f"{which}.py").unlink()
    played = environment.run("play", "high-card", "--seats", "Ana,Bo", typed="double\nquit\n")
    assert (played.code, played.err) == (0, "")
    printed = environment.run("print", "deck", "high-card", "-o", "cards.pdf")
    assert printed.code == 0
    assert ("drawn plainly" in printed.err) == (which == "art")
    checked = environment.run("check-game", "high-card")
    assert checked.code == 1
    assert f"high_card.{which}:" in checked.out
    assert checked.err.count("\n") == 1
