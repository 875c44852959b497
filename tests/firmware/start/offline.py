"""A table that plays by itself while every word that Python says to the network is written down.

A hook goes into each process of the table by `sitecustomize`. Where Linux lets us, the table also has a network
of its own without other machines: then there is nothing that it could reach, whatever protocol it would use.
"""

import ipaddress
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware.start.addresses import FAR, FAR_BY_IPV6
from firmware.start.supervisor import PROGRAM
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly, read_again

HOOK = """
import os, sys

def _heard(event, words):
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        said = words[1]
        if words[0].type == __import__("socket").SOCK_DGRAM:
            event += ".datagram"
    elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        said = words[0]
    else:
        return
    with open(os.environ["OFFLINE_HEARD"], "a") as heard:
        print(event, repr(said), file=heard)

sys.addaudithook(_heard)
"""
ALONE = ("unshare", "--net", "--map-root-user")
UP = """
import fcntl, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 1))
"""
"""What brings a network up in which there is only this machine."""


class Offline(Struct, frozen=True):
    """What became of it."""

    answers: int
    """Answers in the journal."""
    is_over: bool
    """Whether a match came to its end."""
    is_alone: bool
    """Whether the network had no other machine in it."""
    heard: tuple[str, ...]
    """Every distinct call that could say something to a network."""
    far: tuple[str, ...]
    """Those of them that don't stay on this machine."""


def is_near(line: str) -> bool:
    """Tell whether a call stays on this machine: a socket of the system's own, or an address of it."""
    event, _space, said = line.partition(" ")
    if event == "socket.connect.datagram" and said in {repr(FAR), repr(FAR_BY_IPV6)}:
        # this sends nothing: it only asks which way it would go
        return True
    said = said.strip("()")
    host = said.split(",")[0].strip("'\"b")
    if host.startswith(("/", "\\x00")) or host in {"", "localhost", "None"}:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def can_be_alone() -> bool:
    """Tell whether Linux lets us have a network of our own."""
    if shutil.which(ALONE[0]) is None:
        return False
    return subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0


def play_offline(folder: Path, answers: int, seconds: float) -> Offline:
    """Let bots play until so many answers are kept, or a match is over."""
    (folder / "hook").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    heard, journal = folder / "heard", folder / "journal.sqlite3"
    heard.touch()
    is_alone = can_be_alone()
    environ = {
        **os.environ,
        "PYTHONPATH": f"{folder / 'hook'}:{Path(__file__).parents[3]}",
        "OFFLINE_HEARD": str(heard),
        "STATE_DIRECTORY": str(folder / "state"),
        "LOGS_DIRECTORY": str(folder / "log"),
        "CONFIGURATION_DIRECTORY": str(folder / "etc"),
        "COYOTE_JOURNAL": str(journal),
    }
    words = ("run", "--twin", "--bots", "3", "--seats", "Ana,Bo,Eve", "--port", f"{_free_port()}")
    command = (sys.executable, "-c", PROGRAM, *words)
    started = f"{UP}import os; os.execv(sys.executable, {list(command)!r})"
    run = (*ALONE, sys.executable, "-c", started) if is_alone else command
    with subprocess.Popen([*run], env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as table:
        try:
            kept, is_over = _until(journal, answers, seconds, table)
        finally:
            table.terminate()
            with suppress(subprocess.TimeoutExpired):
                table.wait(20)
            table.kill()
    lines = tuple(dict.fromkeys(heard.read_text(encoding="utf-8").splitlines()))
    return Offline(kept, is_over, is_alone, lines, tuple(line for line in lines if not is_near(line)))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until(journal: Path, answers: int, seconds: float, table: "subprocess.Popen[bytes]") -> tuple[int, bool]:
    """Wait until so many answers are kept, or a match is over; give how many are, and whether it is."""
    end, kept, is_over = time.monotonic() + seconds, 0, False
    while kept < answers and not is_over and time.monotonic() < end and table.poll() is None:
        time.sleep(0.2)
        with suppress(JournalError), open_readonly(journal) as opened:
            matches = opened.matches()
            kept = sum(match.lines for match in matches)
            is_over = any(resumed.is_over for match in matches if (resumed := read_again(opened, match.id)))
    return kept, is_over
