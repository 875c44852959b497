"""A plug-in of pytest: each run has a temporary folder of its own, and says at its end what it has left."""

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import came

MARK = "COYOTE_TEST_RUN"  # all processes of a run have the name of its folder in their surroundings
END_TIMEOUT = 20.0  # seconds for processes that were told to end
HOME = "home"
"""What stands in for the folders of the user who runs the tests: these are neither read nor written."""
SHARED_MEMORY = ".org.chromium.Chromium."
"""Files that Chromium unlinks right after it makes them, unless it is ended between the two."""
TRIED = Path(HOME, "coyote-table", "tried")
"""What all tables of a run have learned of their decks: to try each one at each start would take long."""


class Tidiness:
    """Gives the run its folder, and looks into it once all workers have ended."""

    def __init__(self, config: pytest.Config) -> None:
        """Make the folder; a short name, as paths of sockets may not be long."""
        self.folder = Path(tempfile.mkdtemp(prefix="ct-"))
        self.folder.chmod(0o711)  # PostgreSQL runs as a user of its own
        (self.folder / TRIED).mkdir(parents=True)
        self._outer, own = dict(os.environ), ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        os.environ.update(dict.fromkeys(own, str(self.folder / HOME)))
        os.environ.update({"TMPDIR": str(self.folder), MARK: str(self.folder)})
        tempfile.tempdir = None
        if not config.option.basetemp:
            config.option.basetemp = self.folder / "p"
        self._peaks: list[int] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        """Take in how large a worker has grown."""
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
    """Name the processes of a run that still live, but for this one and what Python keeps for it."""
    mark = f"{MARK}={folder}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        with suppress(OSError):
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if mark in (entry / "environ").read_bytes().split(b"\0") and "resource_tracker" not in command:
                yield command[:120]


def tries() -> Path | None:
    """Name the folder of what all tests of a run have learned of decks; none outside a run."""
    return Path(os.environ[MARK], TRIED) if MARK in os.environ else None


def share_tries(state: Path) -> None:
    """Let a table of a run find what others have learned of its deck."""
    if (shared := tries()) is not None:
        state.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            (state / TRIED.name).symlink_to(shared)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Peak:
    """Lets a worker say how large it has grown."""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = session.config.workeroutput  # type: ignore[attr-defined]
        output["peak"] = peak_memory()


def pytest_configure(config: pytest.Config) -> None:
    """Watch from the process that starts the workers."""
    is_worker = hasattr(config, "workerinput")
    config.pluginmanager.register(Peak() if is_worker else Tidiness(config), "tidiness")
