"""What the loop does by its clock, which only the test moves: checks, long turns, and a press after the end."""

from pathlib import Path

import pytest
from msgspec import json

from firmware.core.eyesight import BLIND
from firmware.core.systemd import ALIVE
from referee.match import Match
from tests.firmware.board.senses.matches import bidden
from tests.firmware.core.tables import Bench, open_bench, until
from tests.referee.games.coup.script import table

BEGIN = 100.0


class Clock:
    """Time that the test moves."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = BEGIN

    def __call__(self) -> float:
        """Give the time."""
        return self.now


def let_check(bench: Bench, clock: Clock, seconds: float = 1.1) -> None:
    """Let time pass, and the loop look after what can die."""
    clock.now += seconds
    bench.companion.door.try_lamp(0).result(30)
    until(lambda: bench.companion._next_second > clock.now)


def notes_of(folder: Path, what: str) -> list[dict[str, object]]:
    """List what the log says of something; its thread may not have begun to write it."""
    file = folder / "log.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    notes = [json.decode(line, type=dict[str, object]) for line in lines]
    return [note for note in notes if note["what"] == what]


def test_failures_of_buttons_are_noted_once_when_there_are_more(tmp_path: Path) -> None:
    clock = Clock()
    with open_bench(bidden(5), tmp_path, clock=clock) as bench:
        let_check(bench, clock)
        assert notes_of(tmp_path, "failures of buttons") == []
        bench.pins.failures = 2
        let_check(bench, clock)
        let_check(bench, clock)
    assert [note["count"] for note in notes_of(tmp_path, "failures of buttons")] == [2]


def test_the_longest_turn_of_the_loop_is_told_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    with open_bench(bidden(5), tmp_path, clock=clock) as bench:
        let_check(bench, clock)
        assert bench.companion.longest == 0
        monkeypatch.setattr(bench.voices, "try_lamp", lambda _seat: _pass(clock, 0.25))
        bench.companion.door.try_lamp(0).result(30)
        until(lambda: bench.companion.longest)
    assert [note["longest"] for note in notes_of(tmp_path, "end")] == [0.25]


def _pass(clock: Clock, seconds: float) -> None:
    clock.now += seconds


@pytest.mark.parametrize("needs_eyes", [True, False])
def test_a_table_without_eyes_lives_only_if_it_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, needs_eyes: bool
) -> None:
    told: list[str] = []
    monkeypatch.setattr("firmware.core.loop.notify", told.append)
    clock = Clock()
    with open_bench(bidden(5), tmp_path, clock=clock, needs_eyes=needs_eyes) as bench:
        let_check(bench, clock)
        assert ALIVE in told
        clock.now += BLIND
        let_check(bench, clock)
        told.clear()
        let_check(bench, clock)
        assert (ALIVE in told) == (not needs_eyes)


def over_match() -> Match:
    """Come to the end of a match."""
    return table("7:1", "2:1").does("coup", 1).shows("duke").match


@pytest.mark.parametrize(("seconds", "begins"), [(4.9, False), (5.1, True)])
def test_a_press_begins_another_match_once_the_last_one_has_been_over_for_five_seconds(
    tmp_path: Path, seconds: float, *, begins: bool
) -> None:
    clock = Clock()
    match = over_match()
    assert match.outcome is not None
    with open_bench(match, tmp_path, clock=clock) as bench:
        clock.now += seconds
        bench.press(0, at=clock.now)
        bench.wait("nothing", 0)
        bench.companion.door.try_lamp(0).result(30)
        assert bench.disk.given.empty() != begins
        if begins:
            assert bench.disk.keep_next().after.number == 0
