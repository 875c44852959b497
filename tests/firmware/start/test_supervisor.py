"""The supervisor: dead or hanging programs are restarted, programs that exit aren't."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.cli.install_service import unit
from firmware.start.supervisor import AGAIN, WATCHDOG, Deadline
from firmware.table.systemd import AGAIN as TRY_AGAIN
from firmware.table.systemd import ALIVE, LOADED, READY, STARTING, more_time, ready, slowness_of
from tests.proc import is_alive
from tests.tiers import slow
from tests.waiting import until

PARENT = """
import sys
from firmware.start import supervisor
supervisor.PROGRAM = {child!r}
supervisor.PAUSE, supervisor.POLL_INTERVAL = {pause}, 0.01
supervisor.WATCHDOG, supervisor.SLEPT = {watchdog}, 0.5
sys.exit(supervisor.Supervisor(sys.argv[1:]).run())
"""
CHILD = """
import os, signal, subprocess, sys, time
from pathlib import Path
from firmware.table.systemd import ALIVE, READY, notify
here = Path({here!r})
with (here / "lives").open("a") as lives:
    lives.write("x")
life = len((here / "lives").read_text())
{ready}
(here / "pid").write_text(str(os.getpid()))
{then}
"""
UNHEARD = """
if life < 2:
    me, parent = os.getpid(), os.getppid()
    if not os.fork():
        while os.getppid() == me:
            pass
        os.kill(parent, signal.SIGCONT)
        os._exit(0)
    os.kill(parent, signal.SIGSTOP)
    notify("STATUS=well")
    notify(READY)
    os._exit(1)
"""
INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"
TERMINAL_INTERRUPT = f"""
{INTERRUPT}
subprocess.run([sys.executable, "-c", "import os, signal; {INTERRUPT}"], check=True)
"""
HANG_TIMEOUT = 1.0
"""The watchdog of a companion that hangs; on a busy machine other tests need longer."""
BEATING = """
while not (here / "over").exists():
    notify(ALIVE)
    time.sleep(0.02)
"""
LEAVING = """
left = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
os.kill(left.pid, 19)
(here / f"left {life}").write_text(str(left.pid))
"""


class Supervised:
    """A supervisor with a child of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(
        self, then: str, *, pause: float = 0.01, is_ready: bool = True, watchdog: float = 60.0
    ) -> "subprocess.Popen[bytes]":
        ready = "notify(READY)" if is_ready else ""
        child = CHILD.format(here=str(self.folder), ready=ready, then=then)
        environ = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
        parent = PARENT.format(child=child, pause=pause, watchdog=watchdog)
        return subprocess.Popen([sys.executable, "-c", parent, "run", "--twin"], env=environ)

    def run(self, then: str, *, is_ready: bool = True, watchdog: float = 60.0) -> tuple[int, int]:
        return self.start(then, is_ready=is_ready, watchdog=watchdog).wait(60), self.lives()

    def lives(self) -> int:
        file = self.folder / "lives"
        return len(file.read_text(encoding="ascii")) if file.exists() else 0

    def left(self) -> list[int]:
        return [int(file.read_text(encoding="ascii")) for file in self.folder.glob("left *")]

    def pid(self) -> int:
        file = self.folder / "pid"
        until(lambda: file.exists() and file.read_text(encoding="ascii"))
        return int(file.read_text(encoding="ascii"))


@pytest.fixture
def supervised(tmp_path: Path) -> Supervised:
    return Supervised(tmp_path)


@pytest.mark.parametrize(
    ("then", "is_ready", "came"),
    [
        ("if life < 3:\n    os.kill(os.getpid(), 9)", True, (0, 3)),
        ("if life < 3:\n    raise SystemExit(75)", True, (0, 3)),
        ("raise SystemExit(2)", False, (2, 1)),
        (f"raise SystemExit({TRY_AGAIN})", False, (TRY_AGAIN, 4)),
        (f"raise SystemExit(int({AGAIN!r} not in os.environ))", True, (0, 2)),
        (UNHEARD, False, (0, 2)),
        # the supervisor alone handles it
        (TERMINAL_INTERRUPT, True, (0, 1)),
    ],
    ids=["dies", "ends badly", "never ready", "until it had defaults", "marks a restart", "unheard", "Ctrl-C"],
)
def test_dead_program_is_restarted(
    supervised: Supervised, then: str, is_ready: bool, came: tuple[int, int]
) -> None:
    assert supervised.run(then, is_ready=is_ready) == came


def test_requested_time_counts_from_now_for_all_later_signs() -> None:
    asked = Deadline(60.0, WATCHDOG).after(more_time(7.0), 20.0)
    # silence is allowed until ready: systemd would count from the request
    assert asked == Deadline(20.0 + 7 * STARTING, WATCHDOG)
    assert asked.after("STATUS=well", 100.0) == asked
    assert asked.after(READY, 100.0) == Deadline(100.0 + WATCHDOG, WATCHDOG)
    is_up = asked.after(ready(7.0), 100.0)
    assert is_up == Deadline(100.0 + 7 * WATCHDOG, 7 * WATCHDOG)
    assert is_up.after(ALIVE, 110.0).until == 110.0 + 7 * WATCHDOG


def test_slower_machine_gets_more_time_never_less() -> None:
    assert (slowness_of(LOADED / 4), slowness_of(7 * LOADED)) == (1.0, 7.0)
    assert ready(1.0) == READY


def test_stop_between_two_starts(supervised: Supervised) -> None:
    process = supervised.start("signal.pause()")
    supervised.pid()
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert supervised.lives() == 1
    (supervised.folder / "pid").unlink()
    process = supervised.start("os._exit(1)", pause=999.0)
    pid = supervised.pid()
    until(lambda: not Path(f"/proc/{pid}").exists())
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert supervised.lives() == 2


@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGTERM])
def test_closed_terminal_ends_it_unless_told_otherwise(supervised: Supervised, how: signal.Signals) -> None:
    is_outliving = how == signal.SIGTERM
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if is_outliving else signal.SIG_DFL)
    try:
        process = supervised.start(BEATING)
    finally:
        signal.signal(signal.SIGHUP, before)
    supervised.pid()
    if is_outliving:
        process.send_signal(signal.SIGHUP)
    process.send_signal(how)
    assert process.wait(60) == 0
    assert supervised.lives() == 1


@slow("stops two processes for longer than the supervisor waits")
def test_supervisor_that_slept_spares_companion_that_slept_too(supervised: Supervised) -> None:
    process, child = supervised.start(BEATING, watchdog=3 * HANG_TIMEOUT), supervised.pid()
    os.kill(child, signal.SIGSTOP)
    process.send_signal(signal.SIGSTOP)
    # longer than the watchdog: a stopped process sends nothing to wait for
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3.5 * HANG_TIMEOUT)
    process.send_signal(signal.SIGCONT)
    # it checks before the companion can send anything
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)
    os.kill(child, signal.SIGCONT)
    (supervised.folder / "over").touch()
    assert process.wait(60) == 0
    assert supervised.lives() == 1


@pytest.mark.parametrize(
    ("end", "starts"),
    [("os.kill(os.getpid(), 9)", 2), ("notify(READY); os.kill(os.getpid(), 19)", 2), ("pass", 1)],
    ids=["dies", "is stopped", "ends"],
)
def test_children_of_a_program_are_killed_even_if_stopped(
    supervised: Supervised, end: str, starts: int
) -> None:
    then = f"{LEAVING}\nif life < 2:\n    {end}"
    assert supervised.run(then, is_ready=False, watchdog=HANG_TIMEOUT) == (0, starts)
    until(lambda: not any(is_alive(pid) for pid in supervised.left()))
    assert len(supervised.left()) == starts


def test_opened_browser_survives(supervised: Supervised) -> None:
    opened = "(here / 'browser').write_text(str(subprocess.Popen(['sleep', '600']).pid))"
    assert supervised.run(opened) == (0, 1)
    browser = int((supervised.folder / "browser").read_text(encoding="ascii"))
    assert is_alive(browser)
    os.kill(browser, signal.SIGKILL)


def test_service_restarts_a_hanging_table_like_the_supervisor() -> None:
    lines = (line.partition("=") for line in unit("multi-user.target", "ana", ()).splitlines())
    said = {name: value for name, is_, value in lines if is_}
    assert (float(said["WatchdogSec"]), float(said["TimeoutStartSec"])) == (WATCHDOG, STARTING)
    # a stopped process receives no other signal, and so do its eyes
    assert said["WatchdogSignal"] == "SIGKILL"
    assert said.get("KillMode", "control-group") == "control-group"
