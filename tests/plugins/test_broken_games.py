"""Games that can't be loaded are skipped with one line; all others can be played."""

from pathlib import Path

from tests.plugins.installed import Environment, with_game
from tests.tiers import slow

REPLACED = "from msgspec.structs import replace\nfrom high_card import GAME as ONE\n"
BROKEN = {
    "no module": ("nowhere:GAME", "", "ModuleNotFoundError"),
    "no name": ("odd:GAMES", "GAME = 1\n", "AttributeError"),
    "no game": ("odd:GAME", "GAME = 1\n", "is no referee.contract.Game"),
    "no Python": ("odd:GAME", "def\n", "SyntaxError"),
    "failing": ("odd:GAME", "raise RuntimeError('two\\nlines')\n", "two lines, in `<module>`, line 1 of "),
    "exit": ("odd:GAME", "raise SystemExit('bye')\n", "SystemExit: bye"),
    "markup": ("odd:GAME", REPLACED + "GAME = replace(ONE, name='<b>')\n", "'<b>' is no name of a game"),
    "a number": ("odd:GAME", REPLACED + "GAME = replace(ONE, name=5)\n", "its name is no str"),
    "no book": ("odd:GAME", REPLACED + "GAME = replace(ONE, name='odd', book=3)\n", "its book is no Book"),
    "no settings": (
        "odd:GAME",
        REPLACED + "GAME = replace(ONE, name='odd', rules=replace(ONE.rules, settings={}))\n",
        "it has no settings",
    ),
    "duplicate": ("odd:GAME", REPLACED + "GAME = ONE\n", "there is already a game named high-card"),
    "our name": ("odd:GAME", REPLACED + "GAME = replace(ONE, name='coup')\n", "a game named coup"),
    "our deck": (
        "odd:GAME",
        "from referee.contract import Deck, OnTable\n"
        + REPLACED
        + "GAME = replace(ONE, name='odd', table=OnTable(deck=lambda _house: Deck('piquet', {'1': 1})))\n",
        "there is already another deck named piquet",
    ),
}


def test_broken_games_are_skipped_with_one_line_each(tmp_path: Path) -> None:
    environment = with_game(tmp_path, "high-card")
    for number, (value, code, _why) in enumerate(BROKEN.values()):
        (environment.site / f"odd{number}.py").write_text(code)
        # the last entry points of the alphabet, so the others are already loaded
        environment.install(f"zzz{number}", value.replace("odd", f"odd{number}"))
    result = environment.run("count", "gigamic", "20", "15")
    assert result.code == 0
    assert "35" in result.out
    lines = result.err.splitlines()
    assert len(lines) == len(BROKEN)
    for number, (_value, _code, why) in enumerate(BROKEN.values()):
        (line,) = [line for line in lines if line.startswith(f"coyote: the game zzz{number} (")]
        assert why in line
    assert environment.run("play", "high-card", "--seats", "Ana,Bo", typed="quit\n").code == 0


@slow("three commands")
def test_missing_art_and_bot_are_tolerated(tmp_path: Path) -> None:
    environment = with_game(tmp_path, "high-card")
    for which in ("art", "bot"):
        (environment.site / "high_card" / f"{which}.py").unlink()
    played = environment.run("play", "high-card", "--seats", "Ana,Bo", typed="double\nquit\n")
    assert (played.code, played.err) == (0, "")
    printed = environment.run("print", "deck", "high-card", "-o", "cards.pdf")
    assert printed.code == 0
    assert "drawn plainly" in printed.err
    checked = environment.run("develop", "check-game", "high-card")
    assert checked.code == 1
    assert all(f"high_card.{which}:" in checked.out for which in ("art", "bot"))
    assert checked.err.count("\n") == 2


@slow("three commands")
def test_plugin_commands_run_and_broken_ones_are_reported(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    (environment.site / "tea").mkdir(parents=True)
    (environment.site / "tea" / "__init__.py").write_text("import nowhere\n")
    info = environment.info("tea")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tea\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[coyote.commands]\ntea = tea.making:tea\ncount = tea.making:tea\n")
    for code, why in (("import nowhere", "No module named 'nowhere'"), ("exit()", "")):
        (environment.site / "tea" / "__init__.py").write_text(f"{code}\n")
        result = environment.run("--help")
        assert result.code == 0
        assert f"the package tea doesn't work, reinstall it: {why}" in " ".join(result.out.split())
    result = environment.run("tea")
    assert (result.code, result.err.count("\n")) == (1, 1)
    (environment.site / "tea" / "__init__.py").write_text("")
    (environment.site / "tea" / "making.py").write_text(
        "import click\n\n@click.command()\ndef tea():\n    '''Make tea.'''\n    click.echo('It is ready.')\n"
    )
    assert "tea      Make tea." in environment.run("--help").out
    assert environment.run("tea").out == "It is ready.\n"
    # its command can't replace one of ours
    assert "35" in environment.run("count", "gigamic", "20", "15").out
