"""Looking at the decisions of a match: `python -m firmware.start.analysis_process JOURNAL MATCH LANGUAGE`."""

import os
import sys
from pathlib import Path

import msgspec

from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from firmware.storage.match_history import History
from hardware.twin.playouts import BotLaboratory
from referee.coaching import tell_analysis

NICE = 10
"""The table goes first."""
SEED = 1


def main() -> None:
    """Print what was found, as one object; nothing for a match that isn't over or can't be read whole."""
    os.nice(NICE)
    hand_in_games()
    journal, number, spoken = sys.argv[1:]
    reading = History(Path(journal)).match(int(number))
    match = None if reading is None or reading.fault is not None else reading.match
    if match is not None and match.outcome is not None:
        told = tell_analysis(match, BotLaboratory(match.setup, SEED), SEED, language(spoken))
        sys.stdout.buffer.write(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
