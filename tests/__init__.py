"""What the project promises, as tests."""

from firmware.start.games import hand_in_games

hand_in_games()
