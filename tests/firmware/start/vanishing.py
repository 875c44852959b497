"""Phones that are gone without a word, as out of reach: in a network namespace of their own.

`python -m tests.firmware.start.vanishing PORT COUNT` is run in there. Nothing leaves the machine.
"""

import os
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic

from tests.firmware.start.whole_table import came

NEAR, FAR = "10.213.77.1", "10.213.77.2"
NAME = "coyote-away"
OURS, THEIRS = "coyote-near", "coyote-far"
ROOT = Path(__file__).parents[3]
LIMIT = 120.0
MODULE = "tests.firmware.start.vanishing"
STREAM = b"GET /events/score HTTP/1.1\r\nHost: table\r\n\r\n"
ESTABLISHED = "01"


def is_possible() -> bool:
    """Tell whether namespaces can be made here."""
    return os.geteuid() == 0 and shutil.which("ip") is not None


def let_phones_vanish(port: int, count: int) -> tuple[int, float]:
    """Let so many listen, then be gone; give how many were there, and how long they were taken for present."""
    _ip(f"netns add {NAME}")
    try:
        _ip(f"link add {OURS} type veth peer name {THEIRS} netns {NAME}")
        _ip(f"addr add {NEAR}/30 dev {OURS}")
        _ip(f"link set {OURS} up")
        _ip(f"-n {NAME} addr add {FAR}/30 dev {THEIRS}")
        _ip(f"-n {NAME} link set {THEIRS} up")
        program = [sys.executable, "-m", MODULE, str(port), str(count)]
        command = [str(shutil.which("ip")), "netns", "exec", NAME, *program]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as away:
            assert away.stdout is not None
            away.stdout.readline()
            there = _present(port)
            _ip(f"-n {NAME} link set {THEIRS} down")
            start = monotonic()
            came(lambda: not _present(port), seconds=LIMIT)
            taken = monotonic() - start
            away.kill()
        return there, taken
    finally:
        for words in (f"link del {OURS}", f"netns del {NAME}"):
            with suppress(subprocess.CalledProcessError):
                _ip(words)


def _ip(words: str) -> None:
    subprocess.run([str(shutil.which("ip")), *words.split()], check=True, stderr=subprocess.DEVNULL)


def _present(port: int) -> int:
    """Count the connections of the far side that our side still has."""
    far, here = _kernel_address(FAR), f":{port:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return sum(row[1].endswith(here) and row[2].startswith(far) and row[3] == ESTABLISHED for row in rows)


def _kernel_address(address: str) -> str:
    """Write an address as the kernel does."""
    return socket.inet_aton(address)[::-1].hex().upper()


def main(port: int, count: int) -> None:
    """Listen, tell that all do, and wait for the end."""
    lines = [socket.create_connection((NEAR, port)) for _phone in range(count)]
    for line in lines:
        line.sendall(STREAM)
    for line in lines:
        line.recv(4096)
    sys.stdout.write("there\n")
    sys.stdout.flush()
    # until it is killed
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
