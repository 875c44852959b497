"""Ctrl-C at any time of a command prints no traceback."""

import signal
import subprocess
import sys

import pytest

SET_UP = """
import atexit, os, signal, sys
sys.argv = ["coyote", "count", "gigamic", "20", "15"]
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(*_args): os.kill(os.getpid(), signal.SIGINT)
"""
RUN = "import coyote_table; coyote_table.main()"
KILLED, STOPPED = (-signal.SIGINT, b""), (130, b"coyote: stopped\n")


@pytest.mark.parametrize(
    ("moment", "ended"),
    [
        ("signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,)); interrupt()", KILLED),
        ("import coyote_table; coyote_table.find_spec = interrupt", KILLED),
        ("import firmware.start.games as games; games.hand_in_games = interrupt", KILLED),
        ("import firmware.start.commands as commands; commands.other_user_hint = interrupt", STOPPED),
        ("import firmware.start.commands as commands; commands.coyote.invoke = interrupt", STOPPED),
        ("atexit.register(interrupt)", KILLED),
    ],
    ids=("Python starts", "packages are checked", "games are loaded", "before", "the command", "at the exit"),
)
def test_interrupt_prints_no_traceback(moment: str, ended: tuple[int, bytes]) -> None:
    command = [sys.executable, "-c", f"{SET_UP}{moment}\n{RUN}"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr.lstrip(b"\n")) == ended


def test_ignored_interrupt_remains_ignored() -> None:
    """A shell ignores Ctrl-C for programs in the background."""
    ignored = "signal.signal(signal.SIGINT, signal.SIG_IGN); atexit.register(interrupt)"
    command = [sys.executable, "-c", f"{SET_UP}{ignored}\n{RUN}"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
