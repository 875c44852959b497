"""The supervisor: what dies or hangs is started again, what ends by itself isn't."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from firmware.core.systemd import AGAIN as TRY_AGAIN
from firmware.start.supervisor import AGAIN, LOOK, PAUSE, WATCHDOG
from tests.firmware.core.tables import until
from tests.firmware.start.stopped_table import settings

PARENT = """
import sys
from firmware.start import supervisor
supervisor.PROGRAM = {child!r}
supervisor.PAUSE, supervisor.LOOK = {pause}, 0.01
supervisor.WATCHDOG, supervisor.SLEPT = 1.0, 0.5
sys.exit(supervisor.Supervisor(sys.argv[1:]).run())
"""
CHILD = """
import os, sys, time
from pathlib import Path
from firmware.core.systemd import READY, notify
lives = Path({lives!r})
lives.write_text(lives.read_text() + "x" if lives.exists() else "x")
life = len(lives.read_text())
notify(READY)
{then}
"""


def run_supervised(
    folder: Path, then: str, words: tuple[str, ...] = (), pause: float = 0.01
) -> subprocess.Popen[bytes]:
    child = CHILD.format(lives=str(folder / "lives"), then=then)
    environ = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
    parent = PARENT.format(child=child, pause=pause)
    return subprocess.Popen([sys.executable, "-c", parent, *words], env=environ)


def lives(folder: Path) -> int:
    file = folder / "lives"
    return len(file.read_text(encoding="ascii")) if file.exists() else 0


@pytest.mark.parametrize(
    "fault",
    ["os.kill(os.getpid(), 9)", "raise SystemExit(75)", "time.sleep(1000)"],
    ids=["dies", "ends", "hangs"],
)
def test_what_dies_or_hangs_is_started_again(tmp_path: Path, fault: str) -> None:
    then = f"if life < 3:\n    {fault}"
    assert run_supervised(tmp_path, then).wait(60) == 0
    assert lives(tmp_path) == 3


def test_after_a_crash_it_is_told_that_it_was_at_the_table_before(tmp_path: Path) -> None:
    note = f"lives.with_name(f'again {{life}}').write_text(str({AGAIN!r} in os.environ))"
    then = f"{note}\nif life < 2:\n    raise SystemExit(1)"
    assert run_supervised(tmp_path, then, ("run", "--new", "--twin")).wait(60) == 0
    assert (tmp_path / "again 1").read_text(encoding="utf-8") == "False"
    assert (tmp_path / "again 2").read_text(encoding="utf-8") == "True"


def test_what_never_was_ready_is_not_tried_again(tmp_path: Path) -> None:
    process = run_supervised(tmp_path, "")
    process.wait(60)
    (tmp_path / "lives").unlink()
    child = f"from pathlib import Path; Path({str(tmp_path / 'lives')!r}).write_text('x'); raise SystemExit(2)"
    parent = [sys.executable, "-c", PARENT.format(child=child, pause=0.01)]
    assert subprocess.run(parent, check=False, env={**os.environ, "NOTIFY_SOCKET": ""}).returncode == 2
    assert lives(tmp_path) == 1


def test_a_start_that_failed_is_tried_again_until_it_had_defaults(tmp_path: Path) -> None:
    file = str(tmp_path / "lives")
    child = f"import sys; open({file!r}, 'a').write('x'); sys.exit({TRY_AGAIN})"
    parent = [sys.executable, "-c", PARENT.format(child=child, pause=0.01)]
    assert subprocess.run(parent, check=False, env={**os.environ, "NOTIFY_SOCKET": ""}).returncode == TRY_AGAIN
    assert lives(tmp_path) == 4


def test_the_wish_to_end_is_passed_on(tmp_path: Path) -> None:
    process = run_supervised(tmp_path, "time.sleep(1000)")
    until(lambda: lives(tmp_path) == 1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1


def test_an_end_that_is_wanted_between_two_starts_comes(tmp_path: Path) -> None:
    process = run_supervised(
        tmp_path, "lives.with_name('pid').write_text(str(os.getpid()))\nos._exit(1)", pause=999.0
    )
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text(encoding="ascii"))
    until(lambda: not Path("/proc", (tmp_path / "pid").read_text(encoding="ascii")).exists())
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1


@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGTERM])
def test_a_terminal_that_is_closed_ends_it_unless_it_was_told_to_outlive_it(
    tmp_path: Path, how: signal.Signals
) -> None:
    then = """
from firmware.core.systemd import ALIVE
lives.with_name("pid").write_text(str(os.getpid()))
while True:
    notify(ALIVE)
    time.sleep(0.02)
"""
    is_outliving = how == signal.SIGTERM
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if is_outliving else signal.SIG_DFL)
    try:
        process, file = run_supervised(tmp_path, then), tmp_path / "pid"
    finally:
        signal.signal(signal.SIGHUP, before)
    until(lambda: file.exists() and file.read_text(encoding="ascii"))
    if is_outliving:
        process.send_signal(signal.SIGHUP)
    process.send_signal(how)
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1


BEATING = """
from firmware.core.systemd import ALIVE
lives.with_name("pid").write_text(str(os.getpid()))
while not lives.with_name("over").exists():
    notify(ALIVE)
    time.sleep(0.02)
"""


def test_a_supervisor_that_slept_lets_a_companion_go_on_that_slept_too(tmp_path: Path) -> None:
    process, file = run_supervised(tmp_path, BEATING), tmp_path / "pid"
    until(lambda: file.exists() and file.read_text(encoding="ascii"))
    child = int(file.read_text(encoding="ascii"))
    os.kill(child, signal.SIGSTOP)
    process.send_signal(signal.SIGSTOP)
    woken = monotonic() + 1.5
    until(lambda: monotonic() > woken)
    process.send_signal(signal.SIGCONT)
    # it looks before the companion can say anything
    later = monotonic() + 0.3
    until(lambda: monotonic() > later)
    os.kill(child, signal.SIGCONT)
    (tmp_path / "over").touch()
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1


def test_a_companion_that_is_stopped_is_killed_and_started_again(tmp_path: Path) -> None:
    process, file = run_supervised(tmp_path, BEATING), tmp_path / "pid"
    until(lambda: file.exists() and file.read_text(encoding="ascii"))
    stopped = int(file.read_text(encoding="ascii"))
    os.kill(stopped, signal.SIGSTOP)
    until(lambda: lives(tmp_path) == 2)
    assert not Path(f"/proc/{stopped}").exists()
    (tmp_path / "over").touch()
    assert process.wait(60) == 0


def is_alive(pid: str) -> bool:
    """Tell whether a process is there, and not only in the kernel's books."""
    try:
        return bool(Path("/proc", pid, "cmdline").read_bytes())
    except OSError:
        return False


LEAVING = """
import subprocess
left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
os.kill(left.pid, 19)
lives.with_name(f"left {life}").write_text(str(left.pid))
"""


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), 9)", "time.sleep(1000)", ""], ids=["dies", "hangs", "ends"]
)
def test_what_a_companion_leaves_is_killed_even_if_it_is_stopped(tmp_path: Path, end: str) -> None:
    assert run_supervised(tmp_path, f"{LEAVING}\nif life < 2:\n    {end or 'pass'}").wait(60) == 0
    left = [file.read_text(encoding="ascii") for file in tmp_path.glob("left *")]
    assert len(left) == lives(tmp_path) == (2 if end else 1)
    until(lambda: not any(is_alive(pid) for pid in left))


def test_a_browser_that_a_companion_has_opened_lives_on(tmp_path: Path) -> None:
    opened = (
        "import subprocess\nlives.with_name('browser').write_text(str(subprocess.Popen(['sleep', '600']).pid))"
    )
    assert run_supervised(tmp_path, opened).wait(60) == 0
    browser = (tmp_path / "browser").read_text(encoding="ascii")
    assert is_alive(browser)
    os.kill(int(browser), signal.SIGKILL)


def test_a_table_that_hangs_is_at_work_again_within_15_seconds_if_it_starts_in_seven() -> None:
    assert WATCHDOG + LOOK + PAUSE + 7 < 15
    said = settings()
    assert float(said["WatchdogSec"]) + float(said["RestartSec"]) + 7 < 15
    # one that is stopped hears nothing else, and its eyes with it
    assert said["WatchdogSignal"] == "SIGKILL"
    assert said["Restart"] == "always"
    assert said.get("KillMode", "control-group") == "control-group"
    assert float(said["TimeoutStopSec"]) <= 15
    assert said["StartLimitIntervalSec"] == "0"
