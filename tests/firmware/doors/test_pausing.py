"""The pause for people who are guided: one for all, and never longer than one of them is there."""

from concurrent.futures import Future
from threading import Event
from typing import Any

from firmware.core.door import TableSummary
from firmware.doors.pausing import Pausing


class FakeDoor:
    """A door that only pauses."""

    def __init__(self, *, is_paused: bool = False) -> None:
        """Begin."""
        self.is_paused, self.done = is_paused, list[str]()
        self.went_on = Event()

    def state(self) -> TableSummary:
        """Tell."""
        return TableSummary(1, self.is_paused)

    def pause(self) -> "Future[Any]":
        """Pause."""
        self.is_paused = True
        self.done.append("pause")
        return Future()

    def go_on(self) -> "Future[Any]":
        """Go on."""
        self.is_paused = False
        self.done.append("go on")
        self.went_on.set()
        return Future()


def nothing() -> None:
    """Leave nothing."""


def make_pausing(door: FakeDoor, seconds: float = 600.0) -> Pausing:
    return Pausing(door, seconds)  # type: ignore[arg-type]


def test_the_table_goes_on_when_the_last_one_leaves() -> None:
    door = FakeDoor()
    pause = make_pausing(door)
    pause.enter("table", nothing)
    pause.enter("teaching", nothing)
    pause.leave("table")
    pause.leave("table")
    assert door.done == ["pause"]
    pause.leave("teaching")
    assert door.done == ["pause", "go on"]


def test_a_pause_of_the_host_outlasts_it() -> None:
    door = FakeDoor(is_paused=True)
    pause = make_pausing(door)
    pause.enter("table", nothing)
    pause.leave("table")
    assert "go on" not in door.done


def test_a_person_who_stays_idle_leaves() -> None:
    door = FakeDoor()
    pause = make_pausing(door, 0.01)
    pause.enter("table", lambda: pause.leave("table"))
    assert door.went_on.wait(30)
    pause.touch()
    assert door.done == ["pause", "go on"]
