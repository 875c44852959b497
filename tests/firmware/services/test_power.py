"""Shutting the computer down (saves the match first, systemd decides), and pauses during guides."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.inputs import button_input
from firmware.board.inputs.buttons import Buttons
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.board_events import OffHeld
from firmware.cli.terminal import listener_of
from firmware.services import pausing
from firmware.services.pausing import Pausing
from firmware.services.power import Kind, Power, run_command
from firmware.table.client import TableSummary
from firmware.table.notices import Notice
from firmware.table.writer import Pause
from firmware.twin.simulated_board import WatchedPin
from hardware.board.board import LampLines
from tests.firmware.board.inputs.matches import bidden, new_match
from tests.firmware.recording_client import RecordingClient
from tests.firmware.table.tables import Bench, open_bench
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.waiting import until
from vision.troubles import Problem


class _System:
    """A systemd that records requests."""

    def __init__(self, may: str = "yes", why: str = "") -> None:
        self.may, self.why, self.done = may, why, list[str]()

    def __call__(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        if command[0] == "busctl":
            return subprocess.CompletedProcess(command, int(not self.may), f's "{self.may}"\n', "")
        self.done.append(command[-1])
        return subprocess.CompletedProcess(command, int(bool(self.why)), "", self.why)


@pytest.fixture(name="bench")
def shutdown_bench(tmp_path: Path) -> Iterator[Bench]:
    with open_bench(bidden(5), tmp_path) as bench:
        yield bench


def said(bench: Bench) -> list[str]:
    return [told for kind, told in bench.voices.told if kind == "said"]


@pytest.mark.parametrize(
    ("kind", "verb", "key"), [("off", "poweroff", "goes down"), ("again", "reboot", "starts anew")]
)
def test_lamps_and_pages_announce_shutdown_and_systemd_does_it(
    bench: Bench, kind: Kind, verb: str, key: str
) -> None:
    system = _System()
    assert Power(bench.companion.client, system).switch(kind) is None
    bench.wait("going down", value=True)
    until(lambda: Notice(key) in bench.companion.client.troubles())
    assert system.done == [verb]


def test_match_without_answers_is_stored_first(tmp_path: Path) -> None:
    match, system, results = new_match(), _System(), list[object]()
    with open_bench(match, tmp_path, number=None) as bench:

        def ask(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
            assert command[0] == "busctl" or bench.companion.table.id == 1
            return system(command)

        power = Power(bench.companion.client, ask)
        switching = Thread(target=lambda: results.append(power.switch("off")))
        switching.start()
        write = bench.disk.keep_next()
        switching.join(30)
    assert (write.id, write.after) == (None, match)
    assert (results, system.done) == ([None], ["poweroff"])


def test_refusal_by_systemd_is_shown_and_shutdown_cancelled(bench: Bench) -> None:
    system = _System(why="Operation inhibited by apt\nmore")
    power = Power(bench.companion.client, system)
    assert str(power.switch("off")) == "systemd refused: Operation inhibited by apt"
    bench.wait("going down", value=False)
    until(lambda: not bench.companion.client.troubles())
    # another attempt is allowed, and then made once
    system.why = ""
    assert [power.switch("off"), power.switch("again")] == [None, None]
    assert system.done == ["poweroff", "poweroff"]


@pytest.mark.parametrize(
    ("may", "why"), [("no", "table service"), ("challenge", "table service"), ("", "systemd doesn't")]
)
def test_without_permission_nothing_happens(bench: Bench, may: str, why: str) -> None:
    system = _System(may)
    assert why in str(Power(bench.companion.client, system).switch("off"))
    assert system.done == []
    assert run_command(["/nothing/at/all"]).returncode == 127


def test_manual_start_rejects_shutdown_that_loses_data_or_is_forbidden(tmp_path: Path) -> None:
    system = _System()
    with open_bench(bidden(5), tmp_path, unsaved=Problem("unsaved full")) as bench:
        power = Power(bench.companion.client, system)
        power.hold(OffHeld(1.0))
        power.hold(OffHeld(1.0, is_let_go=True))
        until(lambda: sum("can't shut down" in told for told in said(bench)) == 2)
    assert system.done == []
    with open_bench(bidden(5), tmp_path / "other") as bench:
        Power(bench.companion.client, _System("no")).hold(OffHeld(1.0))
        until(lambda: any("can't shut down" in told for told in said(bench)))


def test_dial_shuts_down_and_lamps_show_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(button_input, "HOLD_SECONDS", 0.2)
    factory, board, system, match = MockFactory(pin_class=WatchedPin), OWN_BOARDS["six"], _System(), bidden(5)
    assert board.dial is not None
    assert isinstance(board.lamps, LampLines)
    voices = Voices(board, Sound(volume=0), factory)
    voices.tell(match, listener_of(match))
    with open_bench(match, tmp_path) as bench:
        monkeypatch.setattr(bench.voices, "tell_trouble", voices.tell_trouble)
        buttons = Buttons(board, bench.queue.put, factory)
        bench.companion.board.when_held(OffHeld, Power(bench.companion.client, system, has_dial=True).hold)
        push = factory.pin(board.dial.push)
        push.drive_low()
        until(lambda: any("Release the dial" in told for told in said(bench)))
        assert system.done == []
        push.drive_high()
        until(lambda: system.done == ["poweroff"])
        lamps = [factory.pin(gpio) for gpio in (*board.lamps.green[:4], *board.lamps.red[:4])]
        until(lambda: all(pin.state for pin in lamps))
        assert bench.companion.client.moment() is match
        voices.close()
        buttons.close()
    assert not any(pin.state for pin in lamps)


# the pause for guides: one for all, ending with the last guide


def pauses(client: RecordingClient) -> list[bool]:
    return [asked.is_paused for asked in client.asked if isinstance(asked, Pause)]


@pytest.mark.parametrize("by_host", [False, True])
def test_match_resumes_after_last_guide_unless_host_paused(*, by_host: bool) -> None:
    client = RecordingClient()
    client.summary = TableSummary(1, is_paused=by_host)
    pause = Pausing(client, 600.0)
    for who in ("table", "teaching"):
        pause.enter(who, lambda: None)
    pause.leave("table")
    pause.leave("table")
    assert pauses(client) == [True]
    pause.leave("teaching")
    assert pauses(client) == ([True] if by_host else [True, False])


def test_idle_person_leaves_unless_a_sign_comes_at_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = list[Mock]()

    def timer(_seconds: float, ring: Callable[[], object]) -> Mock:
        timers.append(Mock(ring=ring))
        return timers[-1]

    monkeypatch.setattr(pausing, "Timer", timer)
    client = RecordingClient()
    pause = Pausing(client)
    pause.enter("table", lambda: pause.leave("table"))
    pause.touch()
    timers[0].start.assert_called_once()
    # it fired before it could be cancelled
    timers[0].ring()
    assert pauses(client) == [True]
    timers[1].ring()
    assert pauses(client) == [True, False]
    pause.touch()
    assert pauses(client) == [True, False]
