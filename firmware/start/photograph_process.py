"""One photograph read in a process of its own: `python -m firmware.start.photograph_process ASKED`."""

from firmware.parts.photograph_reader import read_one
from firmware.start.games import hand_in_games

if __name__ == "__main__":
    read_one(hand_in_games)
