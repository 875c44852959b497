"""The supervisor: what dies or hangs is started again, what ends by itself isn't."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.companion.supervisor import AGAIN
from tests.firmware.companion.tables import until

PARENT = """
import sys
from firmware.companion import supervisor
supervisor.PROGRAM = {child!r}
supervisor.PAUSE, supervisor.LOOK = {pause}, 0.01
supervisor.WATCHDOG = 1.0
sys.exit(supervisor.Supervisor(sys.argv[1:]).run())
"""
CHILD = """
import os, sys, time
from pathlib import Path
from firmware.companion.notify import READY, notify
lives = Path({lives!r})
lives.write_text(lives.read_text() + "x" if lives.exists() else "x")
life = len(lives.read_text())
notify(READY)
{then}
"""


def supervised(
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
    assert supervised(tmp_path, then).wait(60) == 0
    assert lives(tmp_path) == 3


def test_after_a_crash_it_is_told_that_it_was_at_the_table_before(tmp_path: Path) -> None:
    note = f"lives.with_name(f'again {{life}}').write_text(str({AGAIN!r} in os.environ))"
    then = f"{note}\nif life < 2:\n    raise SystemExit(1)"
    assert supervised(tmp_path, then, ("run", "--new", "--twin")).wait(60) == 0
    assert (tmp_path / "again 1").read_text(encoding="utf-8") == "False"
    assert (tmp_path / "again 2").read_text(encoding="utf-8") == "True"


def test_what_never_was_ready_is_not_tried_again(tmp_path: Path) -> None:
    process = supervised(tmp_path, "")
    process.wait(60)
    (tmp_path / "lives").unlink()
    child = f"from pathlib import Path; Path({str(tmp_path / 'lives')!r}).write_text('x'); raise SystemExit(2)"
    parent = [sys.executable, "-c", PARENT.format(child=child, pause=0.01)]
    assert subprocess.run(parent, check=False, env={**os.environ, "NOTIFY_SOCKET": ""}).returncode == 2
    assert lives(tmp_path) == 1


def test_the_wish_to_end_is_passed_on(tmp_path: Path) -> None:
    process = supervised(tmp_path, "time.sleep(1000)")
    until(lambda: lives(tmp_path) == 1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1


def test_whoever_wants_the_end_between_two_starts_gets_it(tmp_path: Path) -> None:
    process = supervised(
        tmp_path, "lives.with_name('pid').write_text(str(os.getpid()))\nos._exit(1)", pause=999.0
    )
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text(encoding="ascii"))
    until(lambda: not Path("/proc", (tmp_path / "pid").read_text(encoding="ascii")).exists())
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert lives(tmp_path) == 1
