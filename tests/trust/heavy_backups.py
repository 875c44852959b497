"""Restore expensive backups, by page and by command: `python -m tests.trust.heavy_backups`.

Each is small to send and expensive to read. It fails if a backup occupies the table's main process, is neither
refused with one line nor restored, or is still processed after its sender has disconnected.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from os import environ
from pathlib import Path
from re import DOTALL, search
from time import monotonic

from firmware.start.supervisor import PROGRAM
from firmware.storage.match_files import LARGEST_MATCH
from tests.firmware.start.browsing import HOME, Phone
from tests.firmware.start.program import Program, peak_memory, run_program
from tests.firmware.start.whole_table import processes
from tests.firmware.storage.backups.heavy import MATCHES, heavy_backup
from tests.firmware.storage.backups.tables import backup_of, table_in
from tests.proc import cpu_seconds
from tests.scripts import say, script
from tests.waiting import came
from webui.access.viewers import HOST

MOST_GROWN, MOST_WORK = 60.0, 3.0  # main process: megabytes of growth, processor seconds
MOST_COMMAND = 200.0  # limit of the command's process in megabytes, mostly for Python and OpenCV
MOST_LEFT = 40.0  # seconds after a disconnect until processing of the backup must have stopped
BORDER = "x-heavy-x"


def by_page(folder: Path, file: Path, seconds: float) -> Iterator[str]:
    with run_program(folder, ("Ana", "Bo")) as program:
        before, work, began = peak_memory(program.pid), cpu_seconds(program.pid), monotonic()
        answered = "no answer"
        with closing(send(program, file, seconds)) as line, suppress(OSError):
            answer = line.getresponse()
            answered = f"{answer.status}: {line_of(answer.read().decode())}"
        took, grown = monotonic() - began, peak_memory(program.pid) - before
        work = cpu_seconds(program.pid) - work
    say(f"  the page: {took:.1f} s; the table's own process: {grown:.0f} MB more, {work:.1f} s of work")
    say(f"    {answered}")
    yield from [] if answered.startswith(("400: ", "200: ")) else [answered]
    yield from [] if grown < MOST_GROWN and work < MOST_WORK else [f"{grown:.0f} MB, {work:.1f} s of work"]


def by_page_and_hang_up(folder: Path, file: Path, _seconds: float) -> Iterator[str]:
    """Disconnect once processing has started; it must stop soon afterwards."""
    with run_program(folder, ("Ana", "Bo")) as program:
        others, work = set(processes(folder)), cpu_seconds(program.pid)
        with closing(send(program, file, 1.0)):
            came(lambda: set(processes(folder)) - others or cpu_seconds(program.pid) > work + 2, seconds=20.0)
        began = monotonic()
        is_over = came(lambda: set(processes(folder)) <= others and rests(program), seconds=MOST_LEFT)
        took = monotonic() - began
    say(f"  a page that hangs up: {f'over after {took:.1f} s' if is_over else 'the work goes on'}")
    yield from [] if is_over else ["goes on after its sender has hung up"]


def rests(program: Program) -> bool:
    """Return whether the table's main process becomes nearly idle; the machine may be busy."""
    before, began = cpu_seconds(program.pid), monotonic()
    came(lambda: monotonic() - began > 5)
    return cpu_seconds(program.pid) - before < 0.6


def by_command(folder: Path, file: Path, seconds: float) -> Iterator[str]:
    places = {"STATE_DIRECTORY": folder / "state", "CONFIGURATION_DIRECTORY": folder / "etc", "LANGUAGE": "en"}
    began, peak = monotonic(), 0.0
    with subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, "table", "restore", str(file)],
        env={**environ, **{name: str(place) for name, place in places.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        while process.poll() is None and monotonic() - began < seconds:
            peak = max(peak, peak_memory(process.pid))
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        is_over = process.returncode is not None
        process.kill()
        said = process.communicate()[0].strip() if is_over else "no answer"
    say(f"  the command: {monotonic() - began:.1f} s; its own process: {peak:.0f} MB")
    say(f"    {said}")
    is_answered = process.returncode in {0, 1} and "\n" not in said
    yield from [] if is_answered and peak < MOST_COMMAND else [f"the command: {peak:.0f} MB, {said!r}"]


def send(program: Program, file: Path, seconds: float) -> HTTPConnection:
    """Send a backup like the host's browser, with a timeout of `seconds` for the answer."""
    links = program.links()
    phone = Phone(**{links.cookie(HOST): links.host}, visitor="v")
    phone.get(program.port, "/host/backup")
    line = HTTPConnection(HOME, program.port, timeout=120)
    part = f'--{BORDER}\r\nContent-Disposition: form-data; name="'
    head = f'{part}form"\r\n\r\n{phone.form}\r\n{part}backup"; filename="b.zip"\r\n\r\n'
    body = head.encode() + file.read_bytes() + f"\r\n--{BORDER}--\r\n".encode()
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    kind = f"multipart/form-data; boundary={BORDER}"
    line.request("POST", "/host/backup", body, {"Content-Type": kind, "Cookie": cookies})
    line.sock.settimeout(seconds)
    return line


def line_of(page: str) -> str:
    """Return the line on a page with the reason why a backup was refused."""
    found = search(r'<p class="alarm" role="alert"><b[^>]*>!</b>(.*?)</p>', page, DOTALL)
    return found[1] if found else ""


@script
def main(scratch: Path, *kinds: str, seconds: float = 420.0) -> Iterator[str]:
    good = backup_of(table_in(scratch / "good", "Ana"), scratch / "good.zip")
    for kind in kinds or MATCHES:
        file = heavy_backup(good, kind, LARGEST_MATCH, scratch / "heavy.zip")
        say(f"{kind}: {file.stat().st_size / 1000:.0f} kB")
        for way in (by_page, by_page_and_hang_up, by_command):
            found = way(scratch / f"{kind} {way.__name__}", file, seconds)
            yield from (f"{kind}: {each}" for each in found)
