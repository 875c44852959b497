"""The table that runs as a service: where it keeps its things, and how it is started anew."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.updates.errors import UpdateError
from firmware.updates.layout import Home
from firmware.updates.running_table import Service, find_service, require_guard, start_hint, unit_files

OLD = "ExecStart=/home/ana/coyote-table/.venv/bin/coyote run\n"
NEW = "Wants=coyote-guard.service\nExecStart=/home/ana/coyote-table/.versions/current/.venv/bin/coyote run\n"
HOME = Home(Path("/home/ana/coyote-table"))
STUB = """#!/bin/sh
case "$*" in
"show coyote.service --property=MainPID --value") echo {pid} ;;
*) exit 1 ;;
esac
"""


def placed(folder: Path, text: str) -> tuple[Path, ...]:
    """Install a unit for a user."""
    places = unit_files({"XDG_CONFIG_HOME": str(folder)})
    places[1].parent.mkdir(parents=True)
    places[1].write_text(text, encoding="utf-8")
    return places[1:]


def test_a_service_that_cannot_go_back_by_itself_is_installed_anew_first(tmp_path: Path) -> None:
    places = placed(tmp_path, OLD)
    with pytest.raises(UpdateError, match=r"can't go back by itself: \./run install-service --user, then try"):
        require_guard(HOME, places)
    # another checkout's is no hindrance
    require_guard(Home(Path("/home/ana/coyote")), places)
    places[0].write_text(NEW, encoding="utf-8")
    require_guard(HOME, places)


def test_a_version_that_nothing_has_started_says_how(tmp_path: Path) -> None:
    assert start_hint(HOME, placed(tmp_path, NEW)) == (
        "It starts with the service: systemctl --user restart coyote."
    )
    assert start_hint(Home(tmp_path), ()) == "It starts with the next ./run."


def test_the_service_says_where_its_table_keeps_its_things_and_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "table.py"
    program.write_text("import time; print('up', flush=True); time.sleep(600)", encoding="utf-8")
    environ = {"STATE_DIRECTORY": "/var/lib/coyote-table", "SECRET": "x"}
    command = (sys.executable, str(program))
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE) as table:
        assert table.stdout is not None
        table.stdout.readline()
        stub = tmp_path / "bin" / "systemctl"
        stub.parent.mkdir()
        stub.write_text(STUB.format(pid=table.pid), encoding="utf-8")
        stub.chmod(0o755)
        monkeypatch.setenv("PATH", f"{stub.parent}:/usr/bin:/bin")
        service = find_service(Home(tmp_path))
        assert service == Service(table.pid, {"STATE_DIRECTORY": "/var/lib/coyote-table"})
        assert find_service(HOME) is None
        service.start_anew()
        assert table.wait() == -signal.SIGTERM
    # one that is gone is no fault
    service.start_anew()


def test_without_systemd_there_is_no_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_service(Home(tmp_path)) is None
