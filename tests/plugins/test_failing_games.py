"""A failing game ends its command with one line, and commands for other games work."""

import pytest

from tests.plugins.brittle_game import FUNCTIONS, KINDS, NAME, SWITCH
from tests.plugins.installed import Environment
from tests.tiers import slow, tiered

PLAYED = "opens Ana\n3\n4\n5\nstandings\nback\nquit\n"
CASES = tiered([("rules.asks", "base")], [(where, kind) for where in FUNCTIONS for kind in KINDS])


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the game, and play an unfinished match of it."""
    environment = Environment(tmp_path_factory.mktemp("failing"))
    environment.install(NAME, "tests.plugins.brittle_game:GAME")
    played = environment.run("play", NAME, "--seats", "Ana,Bo,Eve", typed=PLAYED)
    assert (played.code, played.err) == (0, "")
    return environment


@slow("seven commands for each failure")
@pytest.mark.parametrize(("where", "kind"), CASES)
def test_command_reports_a_failing_game_in_one_line(environment: Environment, where: str, kind: str) -> None:
    switch = environment.folder / "switch"
    switch.write_text(f"{where} {kind}", encoding="ascii")
    for command in (
        ("play", NAME, "--new", "--seats", "Ana,Bo,Eve"),
        ("play", NAME, "--seats", "Ana,Bo,Eve"),
        ("record", "list"),
        ("record", "film", "1", "--out", "film.html"),
        ("record", "statistics"),
    ):
        result = environment.run(*command, typed=PLAYED, **{SWITCH: str(switch)})
        assert "Traceback" not in result.out + result.err
        # a game that fails to load is skipped, and can't be chosen
        lines = [line for line in result.err.splitlines() if "is left out" not in line]
        assert result.code in {0, 1} or "is left out" in result.err, result
        assert len(lines) == (result.code > 0), result.err
        assert result.code == 0 or NAME in result.err
    # other games, and the matches of this one, remain
    assert environment.run("count", "gigamic", "20", "15", **{SWITCH: str(switch)}).code == 0
    assert "Ana" in environment.run("record", "list").out
