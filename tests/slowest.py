"""A plug-in of pytest: `./test --slowest` prints the slowest tests, and why they are worth it."""

from collections import Counter

import pytest

SHOWN, NEEDS_REASON = 30, 2.0


class Slowest:
    """Adds up what each test took, and remembers the reasons given."""

    def __init__(self) -> None:
        self._seconds = Counter[str]()
        self._reasons: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Send the reason along with the report, from a worker, too."""
        mark = item.get_closest_marker("slow") or item.get_closest_marker("release")
        item.user_properties.append(("worth", mark.args[0] if mark else ""))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        self._reasons[report.nodeid] = str(dict(report.user_properties).get("worth", ""))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"the {SHOWN} slowest tests")
        for test, seconds in self._seconds.most_common(SHOWN):
            reason = self._reasons[test] or ("NO REASON GIVEN" if seconds > NEEDS_REASON else "")
            terminalreporter.write_line(f"{seconds:6.1f} s  {test}  {reason}".rstrip())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slowest", action="store_true", help=f"print the {SHOWN} slowest tests")


def pytest_configure(config: pytest.Config) -> None:
    """Watch if wished; workers send what they know."""
    if config.getoption("--slowest"):
        config.pluginmanager.register(Slowest(), "slowest")
