"""A pytest plug-in: each run has its own temporary folder, and reports leftover files and processes."""

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.state_folder import NAME, PLACES
from tests.proc import pids_with, read
from tests.waiting import came

MARK = "COYOTE_TEST_RUN"  # environment variable with the run's folder, in all its processes
END_TIMEOUT = 20.0  # seconds for terminated processes to end
HOME = "home"
"""Replaces the home folders of the user, which tests neither read nor write."""
SHARED_MEMORY = ".org.chromium.Chromium."
"""Prefix of files that Chromium unlinks right after their creation, unless it is killed in between."""
TRIED = Path(HOME, NAME, "tried")
"""Results of deck trials, shared by all tables of a run, because a trial at each start would take long."""


class Tidiness:
    """Creates the run's folder, and checks it once all workers have ended."""

    def __init__(self, config: pytest.Config) -> None:
        """Create the folder; its name is short, because socket paths have a length limit."""
        self.folder = Path(tempfile.mkdtemp(prefix="ct-"))
        self.folder.chmod(0o711)  # PostgreSQL runs as a user of its own
        (self.folder / TRIED).mkdir(parents=True)
        self._outer, own = dict(os.environ), ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        os.environ.update(dict.fromkeys(own, str(self.folder / HOME)))
        # otherwise the folders of an installed service apply, if the same user runs the tests
        os.environ.update(dict.fromkeys(PLACES, str(self.folder / HOME / NAME)))
        os.environ.update({"TMPDIR": str(self.folder), MARK: str(self.folder)})
        tempfile.tempdir = None
        if not config.option.basetemp:
            config.option.basetemp = self.folder / "p"
        self._peaks: list[int] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        """Collect a worker's peak memory."""
        del error
        self._peaks.append(getattr(node, "workeroutput", {}).get("peak", 0))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.left = [*self._left_processes(), *self._left_files(session)]
        if self.left and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.left:
            terminalreporter.write_line(f"left over: {line}", red=True)
        peaks = self._peaks or [peak_memory()]
        terminalreporter.write_line(f"peak memory of each worker, in MB: {', '.join(map(str, peaks))}")

    def pytest_unconfigure(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        os.environ.clear()
        os.environ.update(self._outer)
        tempfile.tempdir = None

    def _left_processes(self) -> list[str]:
        came(lambda: not any(_processes_of(self.folder)), seconds=END_TIMEOUT)
        return [*_processes_of(self.folder)]

    def _left_files(self, session: pytest.Session) -> Iterator[str]:
        own = {Path(session.config.option.basetemp).name, HOME}
        left = (path for path in sorted(self.folder.iterdir()) if path.name not in own)
        yield from (str(path) for path in left if not path.name.startswith(SHARED_MEMORY))


def _processes_of(folder: Path) -> Iterator[str]:
    """Yield the running processes of a run, except this one and Python's resource tracker."""
    for pid in pids_with(f"{MARK}={folder}"):
        command = read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace")
        if pid != os.getpid() and "resource_tracker" not in command:
            yield command[:120]


def tries() -> Path | None:
    """Return the folder of shared deck trials; None outside a run."""
    return Path(os.environ[MARK], TRIED) if MARK in os.environ else None


def share_tries(state: Path) -> None:
    """Link the shared deck trials into a table's state folder."""
    if (shared := tries()) is not None:
        state.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            (state / TRIED.name).symlink_to(shared)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Peak:
    """Reports a worker's peak memory."""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = session.config.workeroutput  # type: ignore[attr-defined]
        output["peak"] = peak_memory()


def pytest_configure(config: pytest.Config) -> None:
    """Register the folder check in the main process, and the memory report in each worker."""
    is_worker = hasattr(config, "workerinput")
    config.pluginmanager.register(Peak() if is_worker else Tidiness(config), "tidiness")
