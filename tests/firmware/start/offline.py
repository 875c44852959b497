"""A table that plays by itself while every word that Python says to the network is written down.

A hook goes into each process of the table by `sitecustomize`. Where Linux lets us, the table also has a network
of its own without other machines: then there is nothing that it could reach, whatever protocol it would use.
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
ALONE = ("unshare", "--net", "--map-root-user")
UP = """
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 1))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""What brings a network up in which there is only this machine, and goes on as another program."""
OPTIONS = ("--twin", "--bots", "3", "--seats", "Ana,Bo,Eve")


class Offline(Struct, frozen=True):
    """What became of it."""

    answers: int  # answers in the journal
    is_over: bool  # whether a match came to its end
    is_alone: bool  # whether the network had no other machine in it
    heard: tuple[str, ...]  # every distinct call that could say something to a network

    @property
    def far(self) -> tuple[str, ...]:
        return tuple(line for line in self.heard if not is_near(line))


def is_near(line: str) -> bool:
    """Tell whether a call stays on this machine: a socket of the system's own, or an address of it."""
    event, _space, said = line.partition(" ")
    if event == "socket.connect.datagram" and said in {repr(TEST_ADDRESS), repr(TEST_ADDRESS_IPV6)}:
        # this sends nothing: it only asks which way it would go
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
    """Let bots play until so many answers are kept, or a match is over, and it was asked which way is out.

    It starts as systemd starts it: a supervisor would kill it on a machine so busy that it is late for a sign.
    """
    (folder / "hook").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    heard = folder / "heard"
    can_share = shutil.which(ALONE[0]) is not None
    is_alone = can_share and subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0
    heard.touch()
    before = (*ALONE, sys.executable, "-c", UP) if is_alone else ()
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
