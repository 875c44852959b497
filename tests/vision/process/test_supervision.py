"""A killed, stopped or silent process is replaced without blocking the caller."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.given import Clock
from tests.tiers import slow
from tests.waiting import until
from vision.process.supervision import BEAT, WORSE, WORST, SupervisedEyes, is_orphaned

pytestmark = slow("a process counts as silent after a second, and another has to start")


def send_beats(theirs: Connection, settings: Any) -> None:
    """Send the process id, then heartbeats, and echo each order."""
    parent = os.getppid()
    theirs.send(("here", os.getpid(), settings))
    while not is_orphaned(parent):
        theirs.send(BEAT)
        if theirs.poll(0.02):
            theirs.send(("told", theirs.recv()))


def fall_silent(theirs: Connection, settings: Any) -> None:
    """Send one message, then hang."""
    theirs.send(("here", os.getpid(), settings))
    signal.pause()


def report_blocked(theirs: Connection, _settings: Any) -> None:
    theirs.send(("blocked", signal.pthread_sigmask(signal.SIG_BLOCK, ())))
    signal.pause()


def pause_at_once(_theirs: Connection, _settings: Any) -> None:
    signal.pause()


@contextmanager
def run_supervised(work: Callable[[Connection, Any], None], **how: Any) -> Iterator[SupervisedEyes]:
    eyes = SupervisedEyes(work, "settings", patience=1.0, **how)
    try:
        yield eyes
    finally:
        eyes.close()


def wait_for(eyes: SupervisedEyes, word: str, other_than: int | None = None) -> Any:
    """Return the next message with this first word, from another process than this one."""
    found = list[Any]()

    def has_come() -> bool:
        news = eyes.news()
        assert BEAT not in news
        found.extend(item for item in news if item[0] == word and item[1] != other_than)
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


def test_each_start_that_was_too_slow_allows_the_next_one_twice_the_time() -> None:
    """A busy computer may need longer for loading than the first timeout allows."""
    clock, began = Clock(0.0), list[float]()
    with run_supervised(pause_at_once, clock=clock, start=10.0) as eyes:
        for clock.seconds in range(100):
            eyes.news()
            began += [clock.seconds] * (eyes.starts - len(began))
    assert began == [0, 11, 32, 73]


def test_delivers_messages_without_heartbeats() -> None:
    with run_supervised(send_beats) as eyes:
        assert wait_for(eyes, "here") == ("here", eyes.pid, "settings")
        for order in ("look", "again"):
            eyes.tell(order)
            assert wait_for(eyes, "told") == ("told", order)
        # if memory runs out, Linux should kill the eyes before the table
        if sys.platform == "linux":
            own, theirs = (
                int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii"))
                for pid in ("self", eyes.pid)
            )
            assert theirs == min(WORST, own + WORSE)


def test_replaces_killed_or_stopped_process() -> None:
    with run_supervised(send_beats) as eyes:
        _here, last, _settings = wait_for(eyes, "here")
        for fatal in (signal.SIGKILL, signal.SIGSTOP):
            os.kill(last, fatal)
            _here, following, _settings = wait_for(eyes, "here", other_than=last)
            until(lambda pid=last: is_gone(pid))
            last = following
        # after closing nothing is started
        eyes.close()
        eyes.tell("anything")
        assert eyes.news() == []
        assert eyes.pid is None
        until(lambda: is_gone(last))


def test_ctrl_c_remains_blocked_in_table_and_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    # multiprocessing starts its tracker before the first process
    tracker = resource_tracker.ResourceTracker()
    for name in ("getfd", "ensure_running"):
        monkeypatch.setattr(resource_tracker, name, getattr(tracker, name))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        with run_supervised(report_blocked) as eyes:
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
            assert signal.SIGINT in wait_for(eyes, "blocked")[1]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.parametrize("times", [(100.0, 101.5), (10.0, 20.0)])
def test_silent_process_gets_time_after_machine_sleep(times: tuple[float, float]) -> None:
    clock = Clock(0.0)
    with run_supervised(fall_silent, clock=clock) as eyes:
        wait_for(eyes, "here")
        for clock.seconds in times:
            assert eyes.pid is not None
            assert eyes.news() == []
        assert eyes.pid is None
        assert eyes.starts == 1
