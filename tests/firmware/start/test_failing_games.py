"""A game that fails, in any of its functions and in any way, takes no table down: loop and pages outlive it."""

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
from tests.firmware.start.broken_games import BrokenFigures, play_broken
from tests.firmware.table.tables import SIX, Bench, open_bench, writing
from tests.given import allowed
from tests.plugins.brittle_game import FUNCTIONS, HIDDEN, KINDS, NAME, TITLE, brittle
from tests.table_in_memory import table_in_memory
from tests.tiers import slow, tiered
from tests.waiting import until
from tests.webui.room import Browser, Room
from webui.server.app import create_app

PLAYERS = ("Ana", "Bo", "Chloé")
LOOKED_AT = ("/", "/seat", "/host", "/history", "/welcome", "/rules/brittle", "/table.json", "/host/correct")
USUAL = {200, 302, 303, 404}
ROUNDS = 5  # looks at all pages, and answers, after which a game that fails has failed twice
OF_ALL = ("rules.asks", "rules.hear", "rules.standings", "rules.outcome", "shown.situation", "shown.view")
CASES = (
    *((where, "error") for where in FUNCTIONS),
    *((where, kind) for where in tiered(OF_ALL[:2], tuple(FUNCTIONS)) for kind in KINDS if kind != "error"),
)


class Table:
    """A companion with its pages, and people who look at them and answer."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench, self.client, self._rng = bench, bench.companion.client, Random(1)
        table = table_in_memory(folder, self.client)
        room = Room(self.client, table.links, create_app(table))  # type: ignore[arg-type]
        self.phone: Browser = room.browser().sit(0).host()

    def look(self) -> dict[str, tuple[int, str]]:
        """Look at each page: its code, and what a failure says."""
        answers = {page: self.phone.get(page) for page in LOOKED_AT}
        return {page: (each.status_code, each.text) for page, each in answers.items()}

    def answer(self) -> object:
        """Give any legal answer; return what became of it."""
        match = self.client.moment()
        return self.client.submit(any_answer(match.position.asks, match.number, self._rng)).result(20)

    @property
    def game(self) -> str:
        return self.client.moment().setup.game.name


@pytest.fixture
def switch() -> Iterator[dict[str, str]]:
    """Say which functions of the game fail, and how; leave the games as they were."""
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
            disk=writing(opened.journal),
            voices=Voices(SIX, Sound(volume=0), factory),
            other_match=lambda _before: begun("coyote"),
        ) as bench,
    ):
        yield Table(bench, tmp_path)
        assert bench.stop() == 0
    factory.reset()


@pytest.mark.parametrize(("where", "kind"), CASES)
def test_a_table_outlives_a_game_that_fails(
    table: Table, switch: dict[str, str], where: str, kind: str, tmp_path: Path
) -> None:
    assert isinstance(table.answer(), Match)
    switch[where] = kind
    faults = 0
    for _round in range(ROUNDS):
        pages, before = table.look(), faults
        for code, text in pages.values():
            faults += code == 500
            # the page says which game failed, in a line
            assert code in USUAL or (code == 500 and text.startswith(f"{TITLE} ") and text.count("\n") == 1)
            assert code in USUAL or HIDDEN not in text
        result = table.answer()
        faults += isinstance(result, Notice)
        assert isinstance(result, Match) or (isinstance(result, Notice) and result.key.startswith("game "))
    # of so many looks and answers the last ones are all as ever
    assert faults == before
    # threads beside look into records, too: the loop hears of it within a second
    until(lambda: table.game == ("coyote" if NAME in DISABLED else NAME))
    if NAME in DISABLED:
        assert Notice("game disabled", {"game": TITLE}) in table.client.troubles()
        assert f"{TITLE} is left out until the table starts again" in table.phone.get("/welcome").text
    log = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert f"{HIDDEN} lies before Ana" not in log


def test_one_failure_costs_one_answer(table: Table, switch: dict[str, str]) -> None:
    before = table.client.moment()
    switch["rules.hear"] = "error"
    assert table.answer() == Notice("game failed", {"game": TITLE})
    assert table.client.moment() is before
    switch.clear()
    assert isinstance(table.answer(), Match)
    assert (table.game, table.client.troubles()) == (NAME, ())


def test_the_lines_of_a_disabled_game_are_kept(table: Table, switch: dict[str, str], tmp_path: Path) -> None:
    for _time in range(2):
        assert isinstance(table.answer(), Match)
    switch["rules.hear"] = "exit"
    for _time in range(2):
        table.answer()
    until(lambda: table.game == "coyote")
    assert isinstance(table.answer(), Match)
    assert "The game brittle failed when its match was read" in table.phone.get("/history/1").text
    assert table.bench.stop() == 0
    with open_readonly(tmp_path / "journal.sqlite3") as journal:
        assert len(journal.lines(1)) == 3


@slow("a table starts twice with a game that fails")
def test_a_whole_table_with_a_broken_game_refuses_no_page_and_starts_once(tmp_path: Path) -> None:
    figures = BrokenFigures()
    play_broken(tmp_path, "rules.outcome", "exit", figures)
    assert figures.wrong == []
    assert (figures.refused, figures.disabled) == (0, 2)
