"""A plugin for pytest: `-p tests.trust.repeating --repeat 50` runs each chosen test so often in one run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take how often."""
    parser.addoption("--repeat", type=int, default=1, metavar="TIMES", help="run each test so often")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make each test several."""
    times = metafunc.config.getoption("--repeat")
    metafunc.fixturenames.append("_repetition")
    metafunc.parametrize("_repetition", range(times), ids="repetition {}".format)
