"""A club whose database fails: pages report it, it is restarted, and a killed hub leaves no processes."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from club import ClubError
from club.brokers import find_mosquitto
from club.database import Pool
from club.database_watch import DatabaseWatch
from club.postgres import find_postgres
from club.programs import SET_PRIVILEGES
from club.start import running
from club.start.running import ClubRun, ClubWish, invite
from firmware.language.speaking import problem_text
from plugins.club.tests.databases import passable_folder, values
from tests.firmware.start.whole_table import free_port
from tests.tiers import release, slow
from tests.waiting import until

NEEDED = pytest.mark.skipif(
    find_postgres() is None or find_mosquitto() is None, reason="no club here: apt install postgresql mosquitto"
)
WATCHING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT 1'"


def wish_in(folder: Path) -> ClubWish:
    return ClubWish(folder / "club", "Café", *(free_port() for _each in range(3)), host="127.0.0.1")


def open_page(run: ClubRun, page: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{run.wish.port}{page}") as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@NEEDED
@slow("it starts a database, kills it, and waits until it is back")
def test_killed_database_is_restarted_and_pages_report_it() -> None:
    told = list[tuple[str, bool]]()
    with (
        passable_folder() as folder,
        closing(ClubRun(wish_in(folder), lambda part, why: told.append((part, bool(why))))) as run,
    ):
        invite(run.wish.folder, "Table 8")
        until(run.hub.is_connected)
        told.clear()
        killed = run.server.program.running.pid
        run.server.program.kill()
        # already known to be down, so no page queries the database
        until(run.watch.is_away)
        until(lambda: not run.watch.is_away())
        assert run.server.program.running.pid != killed
        assert told == [("database", True), ("database", False)]
        until(lambda: open_page(run, "/")[0] == 200)
        assert "Table 8" in open_page(run, "/")[1]


def test_suspended_database_is_unavailable_until_it_resumes(pool: Pool, database: str) -> None:
    with closing(DatabaseWatch(database, None)) as watch:
        # the pool's own connections run other queries
        until(lambda: values(pool, WATCHING))
        [backend] = values(pool, WATCHING)
        os.kill(backend, signal.SIGSTOP)
        until(watch.is_away)
        os.kill(backend, signal.SIGCONT)
        until(lambda: not watch.is_away())


HUB = """
import signal, sys
from pathlib import Path
from club.start.running import ClubRun, ClubWish
folder, *ports = sys.argv[1:]
run = ClubRun(ClubWish(Path(folder), "Café", *map(int, ports), host="127.0.0.1"), lambda _part, _why: None)
print(run.server.program.running.pid, run.broker.program.running.pid, flush=True)
signal.pause()
"""


@NEEDED
@pytest.mark.skipif(SET_PRIVILEGES is None, reason="Linux alone ends a program with the one that started it")
@release("it starts a whole club, and kills its hub")
def test_killed_hub_leaves_no_child_processes() -> None:
    with passable_folder() as folder:
        ports = [str(free_port()) for _each in range(3)]
        said = [sys.executable, "-c", HUB, str(folder / "club"), *ports]
        with subprocess.Popen(said, stdout=subprocess.PIPE, text=True) as hub:
            started = [int(each) for each in hub.stdout.readline().split()]
            assert len(started) == 2
            hub.kill()
        until(lambda: not any(is_running(each) for each in started))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def test_all_missing_packages_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "find_postgres", lambda: None)
    monkeypatch.setattr(running, "find_mosquitto", lambda: None)
    with pytest.raises(ClubError) as error:
        ClubRun(ClubWish(tmp_path / "club"), lambda _part, _why: None)
    assert problem_text(error.value.problem).endswith("sudo apt install postgresql mosquitto")
    reaching = ClubWish(
        tmp_path / "club",
        port=0,
        joining_port=0,
        database="postgresql://nowhere.invalid",
        broker="mqtt://nowhere.invalid",
    )
    with pytest.raises(ClubError, match="no database"):
        ClubRun(reaching, lambda _part, _why: None)
