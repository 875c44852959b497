"""A table of each of our games, laid for a picture; the games that were handed in say where theirs is."""

from collections.abc import Callable
from typing import Any

TABLES: dict[str, Callable[[], Callable[[], Any]]] = {}
"""How the table of a game is found, by the game's name."""
