"""The whole program with a plug-in game that fails during play, then from the start."""

from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from msgspec import Struct

from tests.firmware.start.browsing import Phone, own_browser
from tests.firmware.start.whole_table import TWIN, WholeTable, World, free_port
from tests.plugins.brittle_game import NAME, SWITCH, TITLE
from tests.plugins.installed import ROOT, Environment

PAGES = ("/", "/welcome", "/seat", "/host")
VISITS = 5  # visits of all pages, with answers between
FAILED_STATUS = 500  # status of a page whose game has failed
DISABLED_MESSAGE = f"{TITLE} is disabled until the table restarts"


class BrokenFigures(Struct):
    """Counts over many failing games."""

    games: int = 0
    looks: int = 0
    refused: int = 0  # page visits without a response
    failed: int = 0  # pages reporting that the game has failed
    disabled: int = 0  # tables that continued with another game
    wrong: list[str] = []


def broken_table(folder: Path) -> tuple[WholeTable, Path]:
    """Start a table whose game fails as a file commands. Returns both."""
    environment, switch = Environment(folder / "installed"), folder / "switch"
    if not environment.site.exists():
        environment.install(NAME, "tests.plugins.brittle_game:GAME")
    surroundings = {"PYTHONPATH": f"{environment.site}:{ROOT}", SWITCH: str(switch)}
    world = World(environ=surroundings, options=TWIN.options)
    return WholeTable(folder / "home", free_port(), NAME, with_supervisor=True, world=world), switch


def play_broken(folder: Path, where: str, kind: str, figures: BrokenFigures) -> None:
    """Play until one of a game's functions fails; then restart with one that fails from the start."""
    figures.games += 1
    for is_broken in (False, True):
        if is_broken:
            (folder / "switch").write_text(f"{where} {kind}", encoding="ascii")
        table, switch = broken_table(folder)
        try:
            table.await_true(lambda: "Pages for phones" in table.said())  # noqa: B023
            companion = table.companion()
            table.type("opens Ana")
            table.await_true(lambda: "opens round 1" in table.said() or is_broken)  # noqa: B023
            switch.write_text(f"{where} {kind}", encoding="ascii")
            _look_on(table, figures)
            if table.companion() != companion:
                figures.wrong.append(f"{where} {kind}: the table has started again")
            if table.end() != 0:
                figures.wrong.append(f"{where} {kind}: it doesn't end well")
        except AssertionError as error:
            figures.wrong.append(f"{where} {kind}, broken at start: {is_broken}: {error}")
        finally:
            table.destroy()
        if "Traceback" in table.said():
            figures.wrong.append(f"{where} {kind}: {table.said()[-3000:]}")
        switch.unlink()
        (folder / "home" / "said").unlink()


def _look_on(table: WholeTable, figures: BrokenFigures) -> None:
    """Visit all pages repeatedly, with answers between; finally everything works again."""
    for number in range(VISITS):
        for page in PAGES:
            _look(table, page, figures)
        table.type(str(number + 1))
    # the loop checks once a second for disabled games
    table.await_true(lambda: all(_look(table, page, figures) < FAILED_STATUS for page in PAGES))
    if DISABLED_MESSAGE in own_browser(table.folder / "state").get(table.port, "/welcome"):
        figures.disabled += 1


def _look(table: WholeTable, page: str, figures: BrokenFigures) -> int:
    figures.looks += 1
    with suppress(OSError, HTTPException):
        code, text = Phone().ask(table.port, page)
        if code >= FAILED_STATUS:
            figures.failed += 1
            if not text.startswith(f"{TITLE} ") or text.count("\n") != 1:
                figures.wrong.append(f"{page}: {text[:200]}")
        return code
    figures.refused += 1
    figures.wrong.append(f"{page} is refused")
    return FAILED_STATUS
