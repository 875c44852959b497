"""Tests of the project."""

from firmware.start.games import hand_in_games

hand_in_games()
