"""Summing up all matches of a journal: `python -m firmware.start.history_process JOURNAL`."""

import os
import sys
from pathlib import Path

from firmware.start.games import hand_in_games
from firmware.storage.match_history import History

NICE = 10
"""The table goes first."""


def main() -> None:
    """Play every match again, and keep what each came to."""
    os.nice(NICE)
    hand_in_games()
    History(Path(sys.argv[1])).all()


if __name__ == "__main__":
    main()
