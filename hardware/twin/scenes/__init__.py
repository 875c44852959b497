"""Example tables of the installed games, for pictures."""

from collections.abc import Callable
from typing import Any

TABLES: dict[str, Callable[[], Callable[[], Any]]] = {}
"""Functions that return the scene of each game, by the game's name."""
