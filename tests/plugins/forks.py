"""Runs `coyote` commands by forking a process that has imported it, which saves the import.

The process has registered no game and imported no command, so each command finds the installed packages itself.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

from msgspec import Struct

COMMAND_TIMEOUT = 240.0  # seconds
MAX_REQUEST_BYTES = 1 << 20  # bytes of a request: words and environment
IMPORTED = (
    "cv2", "click", "jinja2", "firmware.table.client", "firmware.start.games", "firmware.start.supervisor",
    "firmware.storage.journal", "hardware.decks.drawing", "webui.server.film_making",
    *(f"referee.games.{name}" for name in ("coyote", "coup", "coup_d_etat", "plenty_coups", "ogallala")),
)  # fmt: skip
"""Modules that most commands need; the commands themselves list the installed games when they are imported."""


class CommandResult(Struct, frozen=True):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Forks:
    """Runs commands as children of one process, which starts with the first command."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, words: Sequence[str], folder: Path, environ: Mapping[str, str], typed: str) -> CommandResult:
        line = self._line or self._start()
        request = json.dumps([[*words], str(folder), {**environ}]).encode()
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(typed.encode())
            given.seek(0)
            socket.send_fds(line, [request], [each.fileno() for each in (given, out, err)])
            code = int(line.recv(16))
            out.seek(0)
            err.seek(0)
            return CommandResult(code, out.read().decode(), err.read().decode())

    def _start(self) -> socket.socket:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(COMMAND_TIMEOUT)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": str(self._root)},
                pass_fds=[theirs.fileno()],
            )
        return self._line

    def close(self) -> None:
        if self._line is not None and self._process is not None:
            self._line.close()
            self._process.wait()
            self._line = None


def serve(number: int) -> None:
    """Fork for each request, and report the child's exit code."""
    for module in IMPORTED:
        import_module(module)
    with socket.socket(fileno=number) as line:
        while True:
            request, files, *_rest = socket.recv_fds(line, MAX_REQUEST_BYTES, 3)
            if not request:
                return
            child = os.fork()
            if not child:
                line.close()
                _run(*json.loads(request), files)
            for file in files:
                os.close(file)
            line.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _run(words: list[str], folder: str, environ: dict[str, str], files: Sequence[int]) -> NoReturn:
    """Become the command, as an interpreter with this environment would start it."""
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.path[:0] = environ["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["coyote", *words]
    from coyote_table import main  # noqa: PLC0415 - imports the commands, which depend on PYTHONPATH

    main()
    sys.exit()


if __name__ == "__main__":
    # not imported as part of the tests, which register games
    serve(int(sys.argv[1]))
