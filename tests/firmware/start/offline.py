"""A self-playing table with a log of every network call from Python.

`sitecustomize` installs a hook in each process of the table. Where Linux allows it, the table also runs in a
network namespace without other machines: nothing is reachable then, by any protocol.
"""

import ipaddress
import shutil
import subprocess
import sys
from contextlib import suppress
from math import inf
from pathlib import Path

from msgspec import Struct

from firmware.services.addresses import TEST_ADDRESS, TEST_ADDRESS_IPV6
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly, read_again
from tests.firmware.start.whole_table import WholeTable, World, free_port
from tests.waiting import came

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
NAMESPACE = ("unshare", "--net", "--map-root-user")
LOOPBACK_UP = """
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 1))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Command that brings up a network with only this machine, then starts another program."""
OPTIONS = ("--twin", "--bots", "3", "--seats", "Ana,Bo,Eve")


class Offline(Struct, frozen=True):
    """Results of the run."""

    answers: int  # answers in the journal
    is_over: bool  # whether a match ended
    is_alone: bool  # whether the network had no other machine
    heard: tuple[str, ...]  # every distinct call that could reach a network

    @property
    def far(self) -> tuple[str, ...]:
        return tuple(line for line in self.heard if not is_near(line))


def is_near(line: str) -> bool:
    """Return whether a call stays on this machine: a Unix socket, or a local address."""
    event, _space, said = line.partition(" ")
    if event == "socket.connect.datagram" and said in {repr(TEST_ADDRESS), repr(TEST_ADDRESS_IPV6)}:
        # this sends nothing: it only looks up the route
        return True
    host = said.strip("()").split(",")[0].strip("'\"b")
    if host.startswith(("/", "\\x00")) or host in {"", "localhost", "None"}:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def play_offline(folder: Path, answers: int, seconds: float = inf) -> Offline:
    """Let bots play enough answers, or to a match's end, and until the route out was looked up.

    The table starts as under systemd: a supervisor would kill it if a busy machine delayed its watchdog
    signal.
    """
    (folder / "hook").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    heard = folder / "heard"
    can_share = shutil.which(NAMESPACE[0]) is not None
    is_alone = (
        can_share and subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0
    )
    heard.touch()
    before = (*NAMESPACE, sys.executable, "-c", LOOPBACK_UP) if is_alone else ()
    environ = {"PYTHONPATH": str(folder / "hook"), "OFFLINE_HEARD": str(heard)}
    table = WholeTable(folder, free_port(), world=World(before, environ, OPTIONS))
    journal = folder / "state" / "journal.sqlite3"

    def is_enough() -> bool:
        kept, is_over = _kept(journal)
        return (kept >= answers or is_over) and TEST_ADDRESS[0] in heard.read_text(encoding="utf-8")

    try:
        came(is_enough, table.is_on, seconds)
        table.end()
    finally:
        table.destroy()
    lines = tuple(dict.fromkeys(heard.read_text(encoding="utf-8").splitlines()))
    return Offline(*_kept(journal), is_alone, lines)


def _kept(journal: Path) -> tuple[int, bool]:
    with suppress(JournalError), open_readonly(journal) as opened:
        matches = opened.matches()
        is_over = any(resumed.is_over for match in matches if (resumed := read_again(opened, match.id)))
        return sum(match.lines for match in matches), is_over
    return 0, False
