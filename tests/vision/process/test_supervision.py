"""A process that is killed, stopped or silent is replaced, and no caller waits for it."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from vision.process.supervision import BEAT, WORSE, WORST, SupervisedEyes, is_orphaned

LIMIT = 20.0


def send_beats(theirs: Connection, settings: Any) -> None:
    """Send the process id, then heartbeats, and echo each order."""
    parent = os.getppid()
    theirs.send(("here", os.getpid(), settings))
    while not is_orphaned(parent):
        theirs.send(BEAT)
        if theirs.poll(0.02):
            theirs.send(("told", theirs.recv()))


def end_at_once(theirs: Connection, _settings: Any) -> None:
    """End at once."""
    theirs.send("bye")


def fall_silent(theirs: Connection, _settings: Any) -> None:
    """Send one message, then hang."""
    theirs.send("hello")
    sleep(1000)


def how_willingly(pid: int | str) -> int:
    """Read how much more willingly than others Linux ends a process."""
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii"))


@contextmanager
def run_supervised(work: Callable[[Connection, Any], None], patience: float = 1.0) -> Iterator[SupervisedEyes]:
    """Run a supervised process, and end it."""
    eyes = SupervisedEyes(work, "settings", patience=patience)
    try:
        yield eyes
    finally:
        eyes.close()


def wait_for(eyes: SupervisedEyes, wanted: Callable[[Any], bool]) -> Any:
    """Wait for a wanted message."""
    start = monotonic()
    while monotonic() - start < LIMIT:
        for item in eyes.news():
            if wanted(item):
                return item
        sleep(0.01)
    raise AssertionError("it never came")


def is_gone(pid: int) -> bool:
    """Wait until a process is no more."""
    start = monotonic()
    while monotonic() - start < LIMIT:
        multiprocessing.active_children()  # reaps processes that have ended
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        sleep(0.01)
    return False


def is_here(item: Any) -> bool:
    """Tell whether a message says that the process runs."""
    return isinstance(item, tuple) and item[0] == "here"


def test_news_come_and_beats_do_not() -> None:
    with run_supervised(send_beats) as eyes:
        assert wait_for(eyes, is_here) == ("here", eyes.pid, "settings")
        sleep(0.1)
        assert BEAT not in eyes.news()
        eyes.tell("look")
        assert wait_for(eyes, lambda item: item[0] == "told") == ("told", "look")


@pytest.mark.parametrize("fatal", [signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV])
def test_a_process_that_is_killed_or_stopped_is_replaced(fatal: signal.Signals) -> None:
    with run_supervised(send_beats) as eyes:
        _here, first, _settings = wait_for(eyes, is_here)
        os.kill(first, fatal)
        _here, second, _settings = wait_for(eyes, is_here)
        assert second != first
        assert eyes.starts == 2
        assert is_gone(first)


def test_a_process_that_ends_is_started_again() -> None:
    with run_supervised(end_at_once) as eyes:
        wait_for(eyes, lambda item: item == "bye")
        wait_for(eyes, lambda item: item == "bye")
        assert eyes.starts >= 2


def test_a_process_that_falls_silent_is_replaced() -> None:
    with run_supervised(fall_silent, patience=0.3) as eyes:
        wait_for(eyes, lambda item: item == "hello")
        wait_for(eyes, lambda item: item == "hello")
        assert eyes.starts >= 2


def test_a_new_process_starts_with_what_the_old_one_was_told_and_told() -> None:
    def note_message(settings: Any, message: Any) -> Any:
        if not isinstance(message, tuple) or message[0] != "told":
            return settings
        # orders may be echoed before the end comes
        return note_message(settings, message[1]) if isinstance(message[1], tuple) else message[1]

    eyes = SupervisedEyes(send_beats, "settings", patience=1.0, remembered=note_message)
    try:
        assert wait_for(eyes, is_here)[2] == "settings"
        eyes.tell("look")
        wait_for(eyes, lambda item: item[0] == "told")
        assert eyes.pid is not None
        os.kill(eyes.pid, signal.SIGKILL)
        assert wait_for(eyes, is_here)[2] == "look"
        eyes.tell(("told", "more"))
        assert eyes.pid is not None
        os.kill(eyes.pid, signal.SIGKILL)
        assert wait_for(eyes, is_here)[2] == "more"
    finally:
        eyes.close()


def test_after_closing_nothing_is_started() -> None:
    with run_supervised(send_beats) as eyes:
        _here, first, _settings = wait_for(eyes, is_here)
        eyes.close()
        eyes.tell("anything")
        assert eyes.news() == []
        assert eyes.pid is None
        assert is_gone(first)


def test_after_a_long_pause_the_process_gets_time_as_both_may_have_slept() -> None:
    now = [0.0]
    eyes = SupervisedEyes(fall_silent, patience=1.0, clock=lambda: now[0])
    try:
        wait_for(eyes, lambda item: item == "hello")
        now[0] = 100.0
        assert eyes.news() == []
        assert eyes.starts == 1
        assert eyes.pid is not None
        # but a process that is still silent hangs
        now[0] = 101.5
        eyes.news()
        assert eyes.pid is None
    finally:
        eyes.close()


def test_a_hanging_process_is_found_by_a_slow_caller_too() -> None:
    now = [0.0]
    eyes = SupervisedEyes(fall_silent, patience=1.0, clock=lambda: now[0])
    try:
        wait_for(eyes, lambda item: item == "hello")
        for now[0] in (10.0, 20.0):
            eyes.news()
        assert eyes.pid is None
    finally:
        eyes.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux weighs processes so")
def test_where_memory_lacks_the_eyes_go_before_the_table() -> None:
    with run_supervised(send_beats) as eyes:
        _here, pid, _settings = wait_for(eyes, lambda item: item[0] == "here")
        assert how_willingly(pid) == min(WORST, how_willingly("self") + WORSE)
