"""A process that is killed, stopped or silent is replaced, and no caller waits for it."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.given import Clock
from tests.tiers import slow
from tests.waiting import until
from vision.process.supervision import BEAT, WORSE, WORST, SupervisedEyes, is_orphaned


def send_beats(theirs: Connection, settings: Any) -> None:
    """Send the process id, then heartbeats, and echo each order."""
    parent = os.getppid()
    theirs.send(("here", os.getpid(), settings))
    while not is_orphaned(parent):
        theirs.send(BEAT)
        if theirs.poll(0.02):
            theirs.send(("told", theirs.recv()))


def end_at_once(theirs: Connection, _settings: Any) -> None:
    theirs.send("hello")


def pause_at_once(_theirs: Connection, _settings: Any) -> None:
    signal.pause()


def fall_silent(theirs: Connection, _settings: Any) -> None:
    """Send one message, then hang."""
    theirs.send("hello")
    signal.pause()


pytestmark = slow("a process counts as silent after a second, and another has to start")


@pytest.mark.parametrize(("start", "lives"), [(10.0, 1), (70.0, 0)], ids=["hangs", "is slow"])
def test_a_process_on_a_slow_machine_may_take_longer_to_come_up(start: float, lives: int) -> None:
    clock = Clock(0.0)
    with run_supervised(pause_at_once, clock=clock, start=start) as eyes:
        first = eyes.pid
        for clock.seconds in range(0, 66, 1):
            eyes.news()
        assert (eyes.pid != first) == bool(lives)


@contextmanager
def run_supervised(work: Callable[[Connection, Any], None], **how: Any) -> Iterator[SupervisedEyes]:
    """Run a supervised process, and end it."""
    eyes = SupervisedEyes(work, "settings", patience=1.0, **how)
    try:
        yield eyes
    finally:
        eyes.close()


def wait_for(eyes: SupervisedEyes, wanted: Callable[[Any], bool]) -> Any:
    found = list[Any]()

    def has_come() -> bool:
        found.extend(item for item in eyes.news() if wanted(item))
        return bool(found)

    until(has_come)
    return found[0]


def is_gone(pid: int) -> bool:
    multiprocessing.active_children()  # reaps processes that have ended
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def is_here(item: Any) -> bool:
    return isinstance(item, tuple) and item[0] == "here"


def test_news_come_and_beats_do_not() -> None:
    with run_supervised(send_beats) as eyes:
        heard = list[Any]()

        def is_told(item: Any) -> bool:
            heard.append(item)
            return bool(item[0] == "told")

        assert wait_for(eyes, is_here) == ("here", eyes.pid, "settings")
        for order in ("look", "again"):
            eyes.tell(order)
            assert wait_for(eyes, is_told) == ("told", order)
        assert BEAT not in heard
        # where memory lacks, the eyes go before the table: Linux weighs processes so
        if sys.platform == "linux":
            assert how_willingly(eyes.pid) == min(WORST, how_willingly("self") + WORSE)


def how_willingly(pid: int | str | None) -> int:
    """Tell how willingly the kernel kills a process."""
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii"))


@pytest.mark.parametrize("fatal", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_is_killed_or_stopped_is_replaced(fatal: signal.Signals) -> None:
    with run_supervised(send_beats) as eyes:
        _here, first, _settings = wait_for(eyes, is_here)
        os.kill(first, fatal)
        _here, second, _settings = wait_for(eyes, lambda item: is_here(item) and item[1] != first)
        assert second != first
        until(lambda: is_gone(first))
        # after closing nothing is started
        eyes.close()
        eyes.tell("anything")
        assert eyes.news() == []
        assert eyes.pid is None
        until(lambda: is_gone(second))


@pytest.mark.parametrize("work", [end_at_once, fall_silent])
def test_a_process_that_ends_or_falls_silent_is_started_again(
    work: Callable[[Connection, Any], None],
) -> None:
    with run_supervised(work) as eyes:
        for _time in range(2):
            wait_for(eyes, lambda item: item == "hello")
        assert eyes.starts >= 2


@pytest.mark.parametrize(("times", "hangs"), [((100.0,), False), ((100.0, 101.5), True), ((10.0, 20.0), True)])
def test_after_a_long_pause_a_process_gets_time_as_both_may_have_slept_and_hangs_if_it_is_still_silent(
    times: tuple[float, ...], hangs: bool
) -> None:
    now = [0.0]
    with run_supervised(fall_silent, clock=lambda: now[0]) as eyes:
        wait_for(eyes, lambda item: item == "hello")
        for now[0] in times:
            assert eyes.news() == []
        assert (eyes.pid is None) is hangs
        assert eyes.starts == 1
