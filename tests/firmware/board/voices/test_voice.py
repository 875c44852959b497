"""A voice in its thread: no other thread waits for it, one that hangs or breaks is found out."""

import threading

from firmware.board.voices.voice import PATIENCE, WAITING, Voice
from hardware.board.troubles import Trouble
from tests.firmware.board.voices.waiting import LONG, until


class Recorder:
    """A driver that notes what it is told."""

    def __init__(self, wait: float | None = None, looks: int = 1) -> None:
        """Take what to answer, and how often to be called."""
        self.told: list[tuple[str, bool]] = []
        self.closed = False
        self.enough = threading.Event()
        self._wait, self._looks = wait, looks

    def tell(self, thing: str, elapsed: float) -> float | None:
        """Note a thing, and whether it is new."""
        self.told.append((thing, elapsed == 0))
        if len(self.told) >= self._looks:
            self.enough.set()
        return self._wait

    def close(self) -> None:
        """Note that it is closed."""
        self.closed = True


class Held:
    """A driver that hangs until it is let go."""

    def __init__(self) -> None:
        """Make the events."""
        self.reached, self.let_go = threading.Event(), threading.Event()
        self.told: list[str] = []

    def tell(self, thing: str, _elapsed: float) -> float | None:
        """Note a thing, and hang."""
        self.told.append(thing)
        self.reached.set()
        self.let_go.wait(LONG)

    def close(self) -> None:
        """Nothing to close."""


class Broken(Recorder):
    """A driver whose lamp is broken."""

    def tell(self, thing: str, elapsed: float) -> float | None:
        """Fail."""
        super().tell(thing, elapsed)
        raise OSError("no such line")


def test_things_are_told_in_order_and_the_driver_is_closed() -> None:
    driver = Recorder(looks=3)
    voice = Voice("lamps", driver)
    for thing in "abc":
        voice.give(thing)
    assert driver.enough.wait(LONG)
    assert voice.close(LONG)
    assert driver.told == [("a", True), ("b", True), ("c", True)]
    assert driver.closed


def test_a_driver_that_wants_to_be_called_again_is() -> None:
    driver = Recorder(wait=0.001, looks=4)
    voice = Voice("lamps", driver)
    voice.give("a")
    assert driver.enough.wait(LONG)
    assert voice.close(LONG)
    assert driver.told[:4] == [("a", True), ("a", False), ("a", False), ("a", False)]


def test_a_driver_that_hangs_blocks_no_thread_and_is_told() -> None:
    driver, now = Held(), [0.0]
    voice = Voice("lamps", driver, clock=lambda: now[0])
    voice.give("first")
    assert driver.reached.wait(LONG)
    assert voice.trouble() is None
    for number in range(1000):
        voice.give(str(number))
    now[0] = PATIENCE + 1
    assert voice.trouble() == Trouble("voice hangs", {"voice": "lamps"})
    assert not voice.close(0)
    driver.let_go.set()


def test_what_waits_for_too_long_is_left_out_oldest_first() -> None:
    driver = Held()
    voice = Voice("lamps", driver)
    voice.give("first")
    assert driver.reached.wait(LONG)
    for number in range(100):
        voice.give(str(number))
    driver.let_go.set()
    until(lambda: len(driver.told) == 1 + WAITING)
    assert driver.told == ["first", *map(str, range(100 - WAITING, 100))]
    assert voice.close(LONG)


def test_a_driver_that_fails_is_told_and_closed() -> None:
    driver = Broken()
    voice = Voice("digits", driver)
    voice.give("a")
    assert driver.enough.wait(LONG)
    assert voice.close(LONG)
    assert voice.trouble() == Trouble("voice failed", {"voice": "digits", "why": "no such line"})
    voice.give("b")
    assert driver.closed
