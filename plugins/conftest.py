"""Collects the tests of a plug-in game that runs alone only where the game is installed."""

from importlib.util import find_spec
from pathlib import Path

collect_ignore = [
    str(tests)
    for tests in Path(__file__).parent.glob("*/tests")
    if not (tests / "__init__.py").exists() and find_spec(tests.parent.name.replace("-", "_")) is None
]
