"""A game may fail in any function and in any form: the table's loop and pages survive."""

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]

from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.start.guarding import guarded, interrupt
from firmware.storage.journal import open_journal, open_readonly
from firmware.table.notices import Notice
from hardware.twin.player import any_answer
from referee.games import catalogue
from referee.games.catalogue import DISABLED, GAMES
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from tests.firmware.start.broken_games import BrokenFigures, broken_table, play_broken
from tests.firmware.start.browsing import own_browser
from tests.firmware.table.tables import SIX, Bench, journal_disk, open_bench
from tests.given import allowed
from tests.plugins.brittle_game import FUNCTIONS, HANGS, HIDDEN, KINDS, NAME, TITLE, brittle
from tests.table_in_memory import table_in_memory
from tests.tiers import release, slow, tiered
from tests.waiting import until
from tests.webui.room import Browser, Room
from webui.server.app import create_app

PLAYERS = ("Ana", "Bo", "Chloé")
PAGES = ("/", "/seat", "/host", "/history", "/welcome", "/rules/brittle", "/table.json", "/host/correct")
STATUSES = {200, 302, 303, 404}
ROUNDS = 5  # page visits and answers, after which a failing game has failed twice
COMMON = ("rules.asks", "rules.hear", "rules.standings", "rules.outcome", "shown.situation", "shown.view")
CASES = tiered(
    tuple((where, "error") for where in COMMON), tuple((where, kind) for where in FUNCTIONS for kind in KINDS)
)
"""Functions fail alike: `test_guarding.py` tries them all."""


class Table:
    """A companion with its pages, and people who view them and answer."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench, self.client, self._rng = bench, bench.companion.client, Random(1)
        table = table_in_memory(folder, self.client)
        room = Room(self.client, table.links, create_app(table))  # type: ignore[arg-type]
        self.phone: Browser = room.browser().sit(0).host()

    def look(self) -> dict[str, tuple[int, str]]:
        """Load each page. Returns its status, and a failure's text."""
        answers = {page: self.phone.get(page) for page in PAGES}
        return {page: (each.status_code, each.text) for page, each in answers.items()}

    def answer(self) -> object:
        """Send any legal answer. Returns its result."""
        match = self.client.moment()
        return self.client.submit(any_answer(match.position.asks, match.number, self._rng)).result(20)

    @property
    def game(self) -> str:
        return self.client.moment().setup.game.name


@pytest.fixture
def switch() -> Iterator[dict[str, str]]:
    """Return a switch that makes functions of the game fail, and restores the games at the end."""
    failing = dict[str, str]()
    before = signal.signal(signal.SIGINT, interrupt)
    yield failing
    signal.signal(signal.SIGINT, before)
    for known in (GAMES, DISABLED, catalogue._FAILURES):
        known.pop(NAME, None)  # type: ignore[attr-defined]


def begun(game: str) -> Match:
    return allowed(begin(Setup(GAMES[game], GAMES[game].rules.house(), PLAYERS, begun="2026-01-02T20:00:00")))


@pytest.fixture
def table(tmp_path: Path, switch: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Table]:
    base = FUNCTIONS[request.node.callspec.params["where"]] if hasattr(request.node, "callspec") else COYOTE
    GAMES[NAME] = guarded(brittle(base, lambda where: switch.get(where, "")))
    factory = MockFactory(pin_class=MockPWMPin)
    with (
        open_journal(tmp_path / "journal.sqlite3") as opened,
        open_bench(
            begun(NAME),
            tmp_path,
            number=None,
            disk=journal_disk(opened.journal),
            voices=Voices(SIX, Sound(volume=0), factory),
            other_match=lambda _before: begun("coyote"),
        ) as bench,
    ):
        yield Table(bench, tmp_path)
        assert bench.stop() == 0
    factory.reset()


@pytest.mark.parametrize(("where", "kind"), CASES)
def test_table_survives_failing_game(
    table: Table, switch: dict[str, str], where: str, kind: str, tmp_path: Path
) -> None:
    assert isinstance(table.answer(), Match)
    switch[where] = kind
    faults = 0
    for _round in range(ROUNDS):
        pages, before = table.look(), faults
        for code, text in pages.values():
            faults += code == 500
            # the page names the failed game in one line
            assert code in STATUSES or (code == 500 and text.startswith(f"{TITLE} ") and text.count("\n") == 1)
            assert code in STATUSES or HIDDEN not in text
        result = table.answer()
        faults += isinstance(result, Notice)
        assert isinstance(result, Match) or (isinstance(result, Notice) and result.key.startswith("game "))
    # the last of these page visits and answers all work
    assert faults == before
    # threads beside the loop load records, too: the loop is informed within a second
    until(lambda: table.game == ("coyote" if NAME in DISABLED else NAME))
    if NAME in DISABLED:
        assert [each.values["where"] for each in table.client.troubles() if each.key == "game disabled"] == [
            where
        ]
        assert f"{TITLE} is disabled until the table restarts" in table.phone.get("/welcome").text
    log = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert f"{HIDDEN} lies before Ana" not in log


def test_one_failure_costs_one_answer_and_the_second_one_the_game(
    table: Table, switch: dict[str, str], tmp_path: Path
) -> None:
    before = table.client.moment()
    switch["rules.hear"] = "error"
    assert table.answer() == Notice("game failed", {"game": TITLE})
    assert table.client.moment() is before
    switch.clear()
    for _time in range(2):
        assert isinstance(table.answer(), Match)
    assert (table.game, table.client.troubles()) == (NAME, ())
    switch["rules.hear"] = "exit"
    table.answer()
    until(lambda: table.game == "coyote")
    assert isinstance(table.answer(), Match)
    assert "The game brittle failed to read this match" in table.phone.get("/history/1").text
    assert table.bench.stop() == 0
    with open_readonly(tmp_path / "journal.sqlite3") as journal:
        assert len(journal.lines(1)) == 3


@slow("a watchdog waits for a game that hangs")
@pytest.mark.parametrize("kind", tiered(["hold"], list(HANGS)))
def test_game_that_hangs_is_left_out_and_its_match_is_preserved(tmp_path: Path, kind: str) -> None:
    table, switch = broken_table(tmp_path)
    # no picture is needed
    table.type("fault unplugged")
    try:
        table.await_true(lambda: "Pages for phones" in table.said())
        first = table.companion()
        table.type("opens Ana")
        table.await_true(lambda: "opens round 1" in table.said())
        switch.write_text(f"rules.hear {kind}", encoding="ascii")
        table.type("1")
        # searching all processes takes milliseconds, and the watchdog waits for seconds
        table.await_true(lambda: table.companion() not in {None, first}, 30, look=0.2)
        table.await_true(lambda: bool(table.look()), 30)
        browser = own_browser(table.folder / "state")
        assert f"{TITLE} stopped the table" in browser.get(table.port, "/welcome")
        assert table.end() == 0
    finally:
        table.destroy()
    with open_readonly(tmp_path / "home" / "state" / "journal.sqlite3") as journal:
        assert len(journal.lines(1)) == 2


@release("a table starts twice; `test_table_survives_failing_game` shows the same in memory")
def test_table_with_broken_game_serves_all_pages_and_starts_once(tmp_path: Path) -> None:
    figures = BrokenFigures()
    play_broken(tmp_path, "rules.asks", "exit", figures)
    assert (figures.wrong, figures.refused, figures.disabled) == ([], 0, 2)
