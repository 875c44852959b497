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
        ("import firmware.start.games as games; games.hand_in_games = interrupt", KILLED),
        ("import firmware.start.commands as commands; commands.coyote.invoke = interrupt", STOPPED),
        ("atexit.register(interrupt)", KILLED),
        # as a shell sets it for a program in the background
        ("signal.signal(signal.SIGINT, signal.SIG_IGN); atexit.register(interrupt)", (0, b"")),
    ],
    ids=("Python starts", "games are loaded", "the command", "at the exit", "ignored"),
)
def test_interrupt_prints_no_traceback(moment: str, ended: tuple[int, bytes]) -> None:
    command = [sys.executable, "-c", f"{SET_UP}{moment}\n{RUN}"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr.lstrip(b"\n")) == ended
