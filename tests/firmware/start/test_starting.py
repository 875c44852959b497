"""Which match people sit down at when the table starts."""

from pathlib import Path
from random import Random

import pytest
from gpiozero import BadPinFactory, PinSetInput  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.core.loop import Failure, Item, Stop
from firmware.core.notices import Notice
from firmware.start.safe_start import Proof, Start
from firmware.start.starting import Plan, _buttons, note_pages, sit_down
from firmware.start.supervisor import AGAIN
from firmware.storage.configuration import Play, RunOptions, TableSettings
from firmware.storage.journal import Journal, open_journal
from hardware.board.board import our_boards
from hardware.twin.player import play_on
from referee.contract import Answer
from referee.games.coup import COUP
from referee.match import Match, Setup, begin
from tests.firmware.board.senses.matches import after, bidden, new_match

NOTHING = RunOptions(
    game=None,
    edition=None,
    seats=None,
    agreed=(),
    fresh=False,
    twin=True,
    bots=0,
    profile=None,
    camera=None,
    config=None,
    port=0,
)
PLAN = Plan(TableSettings(play=Play(seats=("Ana", "Bo"))), our_boards()["six"], True, None, Path())


def coup_match() -> Match:
    match = begin(Setup(COUP, COUP.house(), ("Ana", "Bo", "Eve")))
    assert isinstance(match, Match)
    return match


def sit_and_describe(journal: Journal, wished: RunOptions = NOTHING) -> tuple[int | None, str, tuple[str, ...]]:
    number, match = sit_down(journal, wished, PLAN)
    return number, match.setup.game.name, match.setup.names


def test_the_match_that_was_on_last_goes_on_whatever_it_is(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(5))
        number = opened.journal.begin(coup_match())
        assert sit_and_describe(opened.journal) == (number, "coup", ("Ana", "Bo", "Eve"))


def test_after_a_match_that_is_over_another_one_begins(tmp_path: Path) -> None:
    over = play_on(new_match(seats=2), Random(1))
    assert over.outcome is not None
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(over)
        assert sit_and_describe(opened.journal) == (None, "coyote", ("Ana", "Bo"))
        assert sit_and_describe(opened.journal, replace(NOTHING, fresh=True))[0] == 2


def test_what_is_wished_for_is_played_until_the_table_was_at_another_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished = replace(NOTHING, game="coyote", seats="Ana,Bo,Chloé,Dan")
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        first = opened.journal.begin(bidden(5))
        second = opened.journal.begin(coup_match())
        assert sit_and_describe(opened.journal, wished)[0] == first
        monkeypatch.setenv(AGAIN, "1")
        assert sit_and_describe(opened.journal, wished)[0] == second
        assert sit_and_describe(opened.journal, replace(wished, fresh=True))[0] == second


def test_a_fault_lets_it_go_on_under_a_new_number(tmp_path: Path) -> None:
    match = after(new_match())
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        number = opened.journal.begin(match)
        opened.journal.append(number, 1, Answer(7, "nothing", 3, 0))
        assert sit_and_describe(opened.journal)[0] == number + 1


class NoPins(MockFactory):  # type: ignore[misc]
    """A machine without pins."""

    def pin(self, _name: object) -> None:
        """Have none."""
        raise BadPinFactory("there is no chip")


def test_where_there_are_no_pins_the_table_starts_without_at_once() -> None:
    buttons, told = _buttons(replace(PLAN, factory=NoPins()), lambda _edge: None)
    assert buttons.is_alive()
    assert "No button works" in told[0]


class BusyPins(MockFactory):  # type: ignore[misc]
    """Pins that another program gives back after a while."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.tries = 0

    def pin(self, name: object) -> object:
        """Give one the third time."""
        self.tries += 1
        if self.tries < 3:
            raise PinSetInput("GPIO busy")
        return super().pin(name)


def test_pins_that_another_program_gives_back_are_waited_for() -> None:
    buttons, told = _buttons(replace(PLAN, factory=BusyPins()), lambda _edge: None)
    assert told == ()
    buttons.close()


class Noting:
    """A companion that notes what it is told."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self.items: list[Item] = []
        self.door = self
        self.reported: list[Notice] = []

    def put(self, item: Item) -> None:
        """Note an item of the loop."""
        self.items.append(item)

    def report(self, _name: str, wrong: Notice) -> None:
        """Note a trouble."""
        self.reported.append(wrong)


@pytest.mark.parametrize("with_defaults", [False, True])
def test_pages_that_fail_end_a_start_but_not_one_with_defaults(with_defaults: bool) -> None:
    companion, proven = Noting(), Noting()
    proof = Proof(("pages",), lambda: proven.put(Stop()))
    error = ValueError("broken")
    note_pages(companion, proof, Start(with_defaults=with_defaults), error)  # type: ignore[arg-type]
    assert proven.items == []
    assert companion.items == ([] if with_defaults else [Failure(error)])
    assert companion.reported == ([Notice("no pages", {"why": "broken"})] if with_defaults else [])
    note_pages(companion, proof, Start(with_defaults=with_defaults), None)  # type: ignore[arg-type]
    assert proven.items == [Stop()]
