"""Check this version: `python -m firmware.start.health_check FOLDER`, with a copy of a table's state.

The program starts on that copy, must become ready and serve its page. Then it plays a match on the simulated
table until cards read by the camera count. An update runs this while the old version plays on, so it makes no
sound and drives no pin.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep

from msgspec import Struct
from msgspec.structs import replace

from firmware.services.checks import Here, look_at
from firmware.start.games import hand_in_games
from firmware.start.safe_start import CODE
from firmware.start.storage import CHECKED
from firmware.start.supervisor import PROGRAM, TRIAL
from firmware.state_folder import DECKS, JOURNAL
from firmware.storage.configuration import CHOICE
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_readonly, read_again
from firmware.updates.tools import read_text
from firmware.updates.trial import CAME_UP
from referee.contract import Answer
from referee.match import log

START_TIMEOUT, POLL_INTERVAL = 240.0, 0.05
"""Seconds for each step, on a Raspberry Pi with a running table, and between two checks."""
CHECK_TIMEOUT, END_TIMEOUT = 600, 15
"""Seconds for the whole check, on a Raspberry Pi with a running match, and for the table to end."""
MATCH = ("--new", "--game", "coyote", "--edition", "kidult", "--seats", "Ana,Bo", "--bots", "0")
MOVES = ("opens Ana", "5", "coyote", "lay")
"""Typed lines; each leads to one answer, the last one from the camera."""
SAID = "said.txt"
FATAL = ("packages", "disk", "journal")
"""Checks that can reject a version before it is started."""
ELSEWHERE = frozenset({"NOTIFY_SOCKET", "COYOTE_JOURNAL"})
"""Environment variables that would lead to the running table."""


class NotWellError(Exception):
    """The step at which this version fails."""


class StartedTable(Struct, frozen=True, eq=False):
    """A table of this version, running on a copy of the state."""

    folder: Path
    port: int
    process: "subprocess.Popen[bytes]"

    def wait_until(self, is_so: Callable[[], bool], failure: str) -> None:
        until = monotonic() + START_TIMEOUT
        while not is_so():
            if self.process.poll() is not None:
                raise NotWellError(self._with_last_line(failure))
            if monotonic() > until:
                raise NotWellError(self._with_last_line(f"{failure} within {START_TIMEOUT:.0f} seconds"))
            sleep(POLL_INTERVAL)

    def _with_last_line(self, failure: str) -> str:
        said = read_text(self.folder / SAID).splitlines()
        return f"{failure}: {said[-1]}" if said else failure

    def came_up(self) -> bool:
        """Return whether the table of this version is ready and its eyes work."""
        return read_text(self.folder / CAME_UP) == str(CODE)

    def shows_page(self) -> bool:
        line = HTTPConnection("127.0.0.1", self.port, timeout=START_TIMEOUT)
        with suppress(OSError, HTTPException):
            line.request("GET", "/")
            return line.getresponse().status == 200
        line.close()
        return False

    def play(self, state: Path, number: int, move: str) -> None:
        if self.process.stdin is not None:
            self.process.stdin.write(f"{move}\n".encode())
            self.process.stdin.flush()
        self.wait_until(lambda: len(senses_heard(state)) >= number, f"“{move}” doesn't count")


def main() -> None:
    def end(_signal: int, _frame: object) -> None:
        raise NotWellError("it takes too long")

    signal.signal(signal.SIGALRM, end)
    signal.alarm(CHECK_TIMEOUT)
    try:
        hand_in_games()
        check_health(Path(sys.argv[1]).resolve())
    except NotWellError as error:
        sys.exit(str(error))


def check_health(state: Path) -> None:
    for found in look_at(Here(state, state / JOURNAL), FATAL):
        if found.is_fatal:
            raise NotWellError(f"{found.part}: {found.told}")
    make_quiet(state)
    with started_table(state, ()) as table:
        table.wait_until(table.came_up, "it doesn't come up")
        table.wait_until(table.shows_page, "it shows no page")
    (state / CAME_UP).unlink()
    # the simulated cards have our artwork, and the decks here may be taught from a shop's box
    shutil.rmtree(state / DECKS, ignore_errors=True)
    with started_table(state, MATCH) as table:
        table.wait_until(table.came_up, "it doesn't come up with a new match")
        for number, move in enumerate(MOVES, 1):
            table.play(state, number, move)
    if senses_heard(state)[-1] != "camera":
        raise NotWellError("it reads no card")


def senses_heard(state: Path) -> tuple[str, ...]:
    with suppress(JournalError), open_readonly(state / JOURNAL) as journal:
        newest = journal.latest()
        kept = None if newest is None else read_again(journal, newest)
        if kept is not None and kept.match is not None:
            return tuple(entry.sense for entry in log(kept.match) if isinstance(entry, Answer))
    return ()


def make_quiet(state: Path) -> None:
    choice = CHOICE.read(state)
    CHOICE.keep(state, replace(choice, language="en", sound={**choice.sound, "volume": 0}))


def _surroundings(state: Path) -> dict[str, str]:
    """Return an environment with all state in one folder, and a single attempt to start."""
    others = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    places = {"STATE_DIRECTORY": str(state), "LOGS_DIRECTORY": str(state)}
    return {**others, **places, "LANGUAGE": "en", TRIAL: "1", CHECKED: "1"}


@contextmanager
def started_table(state: Path, words: Sequence[str]) -> Iterator[StartedTable]:
    """Start a simulated table, and end its process on exit."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = (sys.executable, "-P", "-c", PROGRAM, "run", "--twin", "--port", str(port), *words)
    with (
        (state / SAID).open("wb") as said,
        subprocess.Popen(
            command, env=_surroundings(state), stdin=subprocess.PIPE, stdout=said, stderr=said
        ) as process,
    ):
        try:
            yield StartedTable(state, port, process)
        finally:
            # the alarm is paused: ending takes at most END_TIMEOUT seconds and doesn't count
            left = signal.alarm(0)
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_TIMEOUT)
            process.kill()
            signal.alarm(left)


if __name__ == "__main__":
    main()
