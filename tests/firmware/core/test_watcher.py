"""The eyes' own thread, and when the watchdog is fed."""

from queue import SimpleQueue
from threading import Event
from typing import Any

from msgspec.structs import replace

from firmware.core.eyesight import BLIND, Eyesight, is_fed, with_news, with_starts
from firmware.core.watcher import EyesGone, EyesNews, EyesStarted, Watcher
from tests.firmware.core.tables import until


class Slow:
    """Eyes that hang in whatever they are told."""

    starts = 1

    def __init__(self) -> None:
        """Begin."""
        self.let, self.told, self.is_closed = Event(), list[Any](), False

    def news(self) -> list[Any]:
        """Give something once."""
        return [] if self.told else ["seen"]

    def tell(self, message: Any) -> None:
        """Hang."""
        self.told.append(message)
        self.let.wait(30)

    def close(self) -> None:
        """Remember."""
        self.is_closed = True


def test_eyes_that_hang_do_not_hold_up_the_loop() -> None:
    eyes, queue = Slow(), SimpleQueue[Any]()
    watcher = Watcher(lambda: eyes, queue.put)
    assert queue.get(timeout=30) == EyesStarted(1)
    assert queue.get(timeout=30) == EyesNews("seen")
    watcher.tell("one")
    until(lambda: eyes.told)
    watcher.tell("two")  # returns at once, though the first still hangs
    assert eyes.told == ["one"]
    eyes.let.set()
    until(lambda: eyes.told == ["one", "two"])
    eyes.starts = 2
    until(lambda: not queue.empty() and queue.get() == EyesStarted(2))
    watcher.close()
    assert eyes.is_closed


def test_the_watchdog_is_fed_while_the_eyes_tell_anything() -> None:
    eyesight = with_starts(Eyesight(since=0.0), 1, 0.0)
    assert is_fed(eyesight, BLIND - 1)
    assert not is_fed(eyesight, BLIND + 1)
    assert is_fed(with_news(eyesight), 1000.0)


def test_eyes_that_die_again_and_again_without_a_word_starve_it() -> None:
    eyesight = with_news(with_starts(Eyesight(since=0.0), 1, 0.0))
    for life in range(2, 9):
        eyesight = with_starts(eyesight, life, 100.0 + 10 * life)
    assert is_fed(eyesight, 120.0 + BLIND - 1)
    assert not is_fed(eyesight, 120.0 + BLIND + 1)


def test_eyes_whose_thread_has_ended_starve_the_watchdog() -> None:
    queue = SimpleQueue[Any]()

    def fail_to_open() -> Slow:
        raise OSError("no room")

    watcher = Watcher(fail_to_open, queue.put)
    gone = queue.get(timeout=30)
    assert isinstance(gone, EyesGone)
    assert "no room" in gone.trace
    watcher.close()
    assert not is_fed(replace(with_news(Eyesight(since=0.0)), is_gone=True), 1.0)
