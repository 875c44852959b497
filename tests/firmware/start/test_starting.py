"""Decisions of a start: match, board, pins, cameras, outlets besides phones, and version."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from threading import Event
from types import SimpleNamespace
from typing import Any

import click
import pytest
from gpiozero import BadPinFactory, PinSetInput  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.board.outputs import drivers
from firmware.cli.board import named_board
from firmware.start import eyes, matches, storage
from firmware.start.board import open_buttons, probed_pins
from firmware.start.board_choice import (
    board_at_start,
    simulated_board,
    simulated_board_or_default,
    wired_at_start,
)
from firmware.start.eyes import open_eyes
from firmware.start.integrations import open_outlets
from firmware.start.matches import is_mistyped, lost_answers, other_match, sit_down, sit_down_safely, usual_game
from firmware.start.plan import Plan, camera_of
from firmware.start.safe_start import Proof, Start
from firmware.start.starting import note_pages
from firmware.start.supervisor import AGAIN
from firmware.start.twin import simulated_lens, world_of
from firmware.state_folder import DEAL, PAUSE
from firmware.storage import state_place
from firmware.storage.configuration import (
    BoardSettings,
    CameraSettings,
    Play,
    RunOptions,
    TableSettings,
    settings_of,
)
from firmware.storage.journal import Journal, open_journal, open_matches
from firmware.storage.lines import in_writing_order
from firmware.storage.match_marks import is_kept_paused, keep_pause
from firmware.storage.own_secrets import BYTES
from firmware.storage.recovery import build
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD, NONE, WIRED_BOARD, WiredBoard
from firmware.table.loop_parts import Item
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.twin.world import _deal_so_far
from hardware.twin.dealer import Truth
from hardware.twin.player import play_on
from referee.contract import Answer
from referee.games.catalogue import DISABLED, GAMES, GameFailure
from tests.firmware.board.inputs.matches import after, begun_at, bidden, call_moments, new_match
from tests.firmware.recording_client import RecordingClient, first_moment
from tests.given import present
from tests.hardware.board.own_boards import BOARDS
from tests.waiting import until
from tests.webui.matches import play_match
from vision.process.supervision import SILENCE_TIMEOUT, START
from vision.troubles import Problem

NOTHING = RunOptions(
    game=None, edition=None, seats=None, agreed=(), fresh=False, twin=True, bots=0, profile=None, camera=None,
    config=None, port=0,
)  # fmt: skip
PLACE = StatePlace(Path(), Path(), Path(), Path())
PLAN = Plan(TableSettings(play=Play(seats=("Ana", "Bo"))), BOARDS["six"], True, None, Path(), PLACE)

# the match


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        yield opened.journal


def sit_and_describe(journal: Journal, wished: RunOptions = NOTHING) -> tuple[int | None, str, int]:
    number, match = sit_down(journal, wished, PLAN)
    return number, match.setup.game.name, len(match.setup.names)


def test_last_open_match_continues_and_finished_one_is_followed_by_another(journal: Journal) -> None:
    over = play_on(new_match(seats=2), Random(1))
    assert over.outcome is not None
    journal.begin(over)
    assert sit_and_describe(journal) == (None, "coyote", 2)
    assert sit_and_describe(journal, replace(NOTHING, fresh=True))[0] == 2
    journal.begin(bidden(5))
    number = journal.begin(first_moment())
    assert sit_and_describe(journal) == (number, "coup", 3)


def test_requested_match_is_played_until_table_was_at_another(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished = replace(NOTHING, game="coyote", seats="Ana,Bo,Chloé,Dan")
    first, second = journal.begin(bidden(5)), journal.begin(first_moment())
    assert sit_and_describe(journal, wished)[0] == first
    monkeypatch.setenv(AGAIN, "1")
    journal.take_up(second)
    assert sit_and_describe(journal, wished)[0] == second


def test_resumed_match_continues_after_power_cut_despite_newer_ones(tmp_path: Path) -> None:
    path, backup = tmp_path / "journal.sqlite3", tmp_path / "other.sqlite3"
    with open_journal(path) as opened:
        first, second, third = map(opened.journal.begin, (bidden(5), bidden(20), first_moment()))
        assert sit_and_describe(opened.journal)[0] == third
        opened.journal.take_up(first)
    with open_journal(path) as opened:
        assert opened.repairs() == ()
        assert sit_and_describe(opened.journal)[0] == first
        assert [each.id for each in open_matches(opened.journal)] == [first, third, second]
        build(backup, in_writing_order(opened.journal.every_line()))
    with open_journal(backup) as opened:
        assert sit_and_describe(opened.journal)[0] == first
        moment = call_moments()[0]
        opened.journal.append(second, moment.number, present(moment.entry))
        assert sit_and_describe(opened.journal)[0] == second


def test_unnamed_bots_are_animals_and_no_more_than_seats(journal: Journal) -> None:
    wished, plan = replace(NOTHING, game="coup", bots=2), replace(PLAN, settings=TableSettings())
    _number, match = sit_down(journal, wished, plan)
    assert match.setup.names == ("Seat 1", "Seat 2", "Nox", "Zip")
    _number, match = sit_down(journal, wished, replace(plan, is_twin=False))
    assert match.setup.names == tuple(f"Seat {number}" for number in range(1, 7))
    wished = replace(NOTHING, game="coup", seats="Ana,Bo,Chloé", bots=4)
    with pytest.raises(click.UsageError, match="--bots 4: at most 3 here"):
        sit_down(journal, wished, replace(PLAN, settings=TableSettings()))
    assert is_mistyped(wished)
    assert not is_mistyped(replace(wished, bots=3))


def test_rules_failing_at_display_do_not_end_start_with_defaults(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "encode_moment", lambda _match, _language: 1 / 0)
    number = journal.begin(bidden(5))
    assert sit_down_safely(journal, NOTHING, PLAN)[0] == number
    plan = replace(PLAN, how=Start(with_defaults=True))
    assert sit_down_safely(journal, NOTHING, plan)[0] == number + 1


def test_default_game_replaces_disabled_one(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISABLED, "odd", GameFailure("odd", "Odd", "rules.asks", "ValueError"))
    for wished in (replace(NOTHING, game="odd", agreed=("odd=1",)), NOTHING):
        number, match = sit_down(journal, wished, replace(PLAN, settings=TableSettings(play=Play("odd"))))
        assert (number, match.setup.game.name) == (None, "coyote")
    # its players stay if the game allows so many
    for names in (("Ana", "Bo"), ("Ana", "Bo", "Cleo", "Dan")):
        setup = replace(match.setup, names=names)
        after = other_match(replace(match, setup=setup), NOTHING, PLAN)
        assert (after.setup.names, after.setup.game.name, after.number) == (names, "coyote", 0)
    alone = replace(match.setup, names=("Ana",))
    assert len(other_match(replace(match, setup=alone), NOTHING, PLAN).setup.names) > 1
    # without the default, another is chosen
    monkeypatch.setattr(matches, "GAMES", {name: GAMES[name] for name in ("coup", "ogallala")})
    assert usual_game().name == "coup"
    monkeypatch.setattr(matches, "GAMES", {})
    with pytest.raises(click.ClickException, match="No game works"):
        usual_game()


@pytest.mark.parametrize("refuses_at_start", [True, False])
def test_table_in_memory_restarts_once_its_disk_can_be_written(
    refuses_at_start: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals, restarted = iter([refuses_at_start, True]), Event()
    full = Problem("unsaved full", {"room": 1})
    monkeypatch.setattr(storage, "DISK_CHECK_INTERVAL", 0.01)
    monkeypatch.setattr(state_place, "folder_problem", lambda _folder: full if next(refusals, False) else None)
    place = StatePlace(tmp_path, tmp_path / "j", tmp_path / "disk", tmp_path / "disk" / "j", full)
    with ExitStack() as ends:
        storage.restart_when_writable(ends, place, restarted.set)
        assert restarted.wait(5 if refuses_at_start else 0.1) == refuses_at_start


def test_lost_answer_is_asked_for_and_nothing_written_before_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with open_journal(path) as opened:
        opened.journal.begin(play_match(GAMES["coyote"], moments=26))
        lines = opened.journal.lines(1)
    shutil.rmtree(f"{path}.matches")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM line WHERE number IN (23, 24)")
    with open_journal(path) as opened:
        number, match = sit_down(opened.journal, NOTHING, PLAN)
        assert (number, match.number) == (None, 22)
        assert lost_answers(opened) == Notice(NoticeKey.ANSWER_LOST, {"matches": "1"})
        assert opened.journal.latest() == 1
        assert opened.journal.lines(1) == [*lines[:23], "", "", *lines[25:]]


def test_faulty_match_continues_under_new_number(journal: Journal) -> None:
    number = journal.begin(after(new_match()))
    journal.append(number, 1, Answer(7, "nothing", 3, 0))
    assert sit_and_describe(journal)[0] == number + 1


def test_pause_belongs_to_its_match_or_that_ones_replacement(tmp_path: Path) -> None:
    began, other = begun_at(bidden(5), "now"), begun_at(new_match(), "later")
    keep_pause(tmp_path, began, True)
    assert is_kept_paused(tmp_path, began, 1)
    assert not is_kept_paused(tmp_path, other, None)
    keep_pause(tmp_path, begun_at(new_match(), "now"), True)
    # as after a restart, once the match is stored
    assert is_kept_paused(tmp_path, began, 1)
    assert is_kept_paused(tmp_path, other, None)
    # a requested one is another match, like the one of a new version's health check
    assert not is_kept_paused(tmp_path, other, 2)
    keep_pause(tmp_path, other, False)
    assert not is_kept_paused(tmp_path, other, None)
    (tmp_path / PAUSE).write_bytes(b"damaged")
    assert not is_kept_paused(tmp_path, began, 1)


# cards of the simulated table


def test_record_does_not_reveal_cards_of_simulated_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    match, plan, kept = first_moment(), replace(PLAN, folder=tmp_path), tmp_path / DEAL

    def deal() -> Truth:
        with ExitStack() as ends:
            return world_of(ends, match, plan, simulated_lens(NOTHING), Event()).truth(match)

    dealt = deal()
    assert dealt != _deal_so_far(match, b"")[1].truth
    # a restart deals the same cards again
    assert deal() == dealt
    assert kept.stat().st_mode & 0o777 == 0o600
    for damaged in (b"", b"short", bytes(99)):
        kept.write_bytes(damaged)
        assert deal() != dealt
        assert deal() == deal()
        assert len(kept.read_bytes()) == BYTES


# pins and pages


class FailingPins(MockFactory):  # type: ignore[misc]
    """Pins that open once all errors were raised."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__()
        self._errors = iter(errors)

    def pin(self, name: object) -> object:
        for error in self._errors:
            # a new one: an error raised before holds the pin
            raise type(error)(*error.args)
        return super().pin(name)


@pytest.mark.parametrize(
    ("errors", "expected"),
    [([BadPinFactory("there is no chip")] * 99, "No button works"), ([PinSetInput("GPIO busy")] * 2, "")],
    ids=["no pins", "pins that another program gives back"],
)
def test_table_starts_without_pins_and_waits_for_busy_ones(errors: list[Exception], expected: str) -> None:
    buttons, said = open_buttons(replace(PLAN, factory=FailingPins(*errors)), lambda _edge: None)
    assert buttons.is_alive()
    assert expected in "".join(said)
    assert bool(said) == bool(expected)
    buttons.close()


@pytest.mark.parametrize("with_defaults", [False, True])
def test_failing_pages_end_a_start_but_not_one_with_defaults(with_defaults: bool) -> None:
    items, reported, proven = list[Item](), list[Notice](), list[str]()
    client = SimpleNamespace(report=lambda _name, wrong: reported.append(wrong))
    companion: Any = SimpleNamespace(put=items.append, client=client)
    proof, error = Proof(("pages",), lambda: proven.append("proven")), ValueError("broken")
    settled = Event()
    note_pages(companion, proof, Start(with_defaults=with_defaults), settled, error)
    # the twin's camera stops waiting, whatever became of the pages
    assert settled.is_set()
    assert proven == []
    notices = [Notice("no pages", {"why": "broken"})]
    assert (items, reported) == (([], notices) if with_defaults else ([error], []))
    note_pages(companion, proof, Start(with_defaults=with_defaults), settled, None)
    assert proven == ["proven"]


# the board


@pytest.mark.parametrize(
    ("typed", "profile", "wired", "named"),
    [
        (None, "two", WiredBoard(), WiredBoard("two", "confirmed")),
        ("two", "fab", WiredBoard("fab", "confirmed"), WiredBoard("two", "confirmed")),
        (None, "two", WiredBoard("fab", "trial"), WiredBoard("fab", "trial")),
    ],
)
def test_latest_and_most_specific_choice_of_board_wins(
    typed: str | None, profile: str | None, wired: WiredBoard, named: WiredBoard
) -> None:
    assert named_board(typed, BoardSettings(profile=profile), wired) == named


@pytest.mark.parametrize(
    ("wired", "driven", "expected"),
    [
        (WiredBoard(), None, "Buttons and lamps are off"),
        (WiredBoard("fab", "trial"), None, "Buttons and lamps are off"),
        (WiredBoard("fab", "confirmed"), "fab", ""),
        (WiredBoard(NONE, "confirmed"), None, ""),
    ],
)
def test_unconfirmed_board_drives_nothing_and_is_reported(
    wired: WiredBoard, driven: str | None, expected: str
) -> None:
    begun = board_at_start(wired, BoardSettings())
    assert begun.board == (NO_BOARD if driven is None else BOARDS[driven])
    assert expected in str(begun.told or "")
    assert bool(begun.told) == bool(expected)


def test_missing_simulated_board_is_reported_and_default_replaces_it() -> None:
    with pytest.raises(click.ClickException):
        simulated_board("gone", BoardSettings())
    begun = simulated_board_or_default("gone", BoardSettings())
    assert begun.board == BOARDS["fab"]
    assert "starts with another board" in str(begun.told)
    for name, board in ((None, BOARDS["fab"]), ("two", BOARDS["two"]), ("none", NO_BOARD)):
        assert simulated_board(name, BoardSettings()).board == board


def test_missing_chosen_board_drives_nothing_and_table_starts(tmp_path: Path) -> None:
    WIRED_BOARD.keep(tmp_path, WiredBoard("six", "confirmed"))
    begun = wired_at_start(None, BoardSettings(), tmp_path)
    assert begun.board == NO_BOARD
    assert str(begun.told).startswith("there is no profile six; there are: fab, two, none: no pin is driven.")
    # a mistyped or misconfigured one is reported at once
    for typed, configured in (("six", None), (None, "six")):
        WIRED_BOARD.drop(tmp_path)
        with pytest.raises(click.ClickException):
            wired_at_start(typed, BoardSettings(profile=configured), tmp_path)


def test_spi_pins_are_unused_while_spi_is_enabled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "DEVICES", tmp_path)
    assert set(range(7, 12)) <= set(probed_pins(BOARDS))
    (tmp_path / "spidev0.1").touch()
    assert set(probed_pins(BOARDS)) == set(range(2, 28)) - set(range(7, 12))


# cameras


def test_chosen_camera_precedes_configured_one(tmp_path: Path) -> None:
    plan = replace(PLAN, settings=TableSettings(camera=CameraSettings("usb:0")), folder=tmp_path)
    assert camera_of(replace(plan, is_twin=False), NOTHING) == "usb:0"
    assert camera_of(replace(plan, is_twin=False), replace(NOTHING, camera="pi")) == "pi"
    # the twin's camera shows the drawn picture
    assert camera_of(plan, NOTHING).startswith(f"live:{tmp_path}/")


def test_eyes_of_slow_machine_get_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []

    def opened(*_words: Any, **how: Any) -> SimpleNamespace:
        given.append(how)
        return SimpleNamespace(starts=1)

    monkeypatch.setattr(eyes, "SupervisedEyes", opened)
    plan = replace(PLAN, folder=tmp_path, slowness=7.0, camera="live:none")
    open_eyes(plan, new_match(), None)
    assert [(how["patience"], how["start"]) for how in given] == [(7 * SILENCE_TIMEOUT, 7 * START)]


# outlets besides phones


def test_only_configured_outlets_are_followed_and_closed(tmp_path: Path) -> None:
    client, ends = RecordingClient(), ExitStack()
    open_outlets(ends, TableSettings(), client)
    assert client._listeners == []
    named = '[outside]\nwebhooks = ["http://127.0.0.1:1/a"]\n[broker]\nhost = "127.0.0.1"\nport = 1\n'
    open_outlets(ends, settings_of(named, "coyote.toml"), client)
    until(lambda: set(client.wrong) == {("outlet", "127.0.0.1"), ("outlet", "127.0.0.1:1")})
    assert len(client._listeners) == 2
    ends.close()
    until(lambda: not client._listeners)
    client, nowhere = RecordingClient(), tmp_path / "none"
    unreadable = f'[broker]\nhost = "127.0.0.1"\nuser = "x"\npassword_file = "{nowhere}"\n'
    open_outlets(ends, settings_of(unreadable, "coyote.toml"), client)
    (wrong,) = client.wrong.values()
    assert wrong.values["why"] == f"{nowhere}: No such file or directory"
    assert client._listeners == []
