"""Whole matches on the twin, bots at every seat, every card read by the real eyes.

python -m tests.long.twin coup 4      a match of Coup with four seats; a game, how many, and so many matches
"""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from firmware.core.notices import Notice
from firmware.twin import bot_seats as bots
from firmware.twin.bot_seats import Bots
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, standing_answers
from tests.firmware.core.tables import Twin
from tests.referee.tables import NAMES

PAUSE, LONG = 0.3, 3600.0


def main(name: str, seats: int, matches: int) -> int:
    """Play, and print what became of each match."""
    bots.PAUSE = bots.LONGEST = PAUSE
    ended = [_play_match(name, seats, number) for number in range(matches)]
    return 0 if all(ended) else 1


def _play_match(name: str, seats: int, number: int) -> bool:
    """Play one match; tell whether it ended, and all its cards came from the camera."""
    game = GAMES[name]
    match = begin(Setup(game, game.house(), NAMES[:seats], begun=f"match {number}"))
    assert isinstance(match, Match)
    with TemporaryDirectory() as folder:
        table = Twin(match, Path(folder))
        door = table.companion.door
        players, listening = Bots(frozenset(range(seats)), door, table.world, Random(number)), door.subscribe()
        began, notices = monotonic(), list[str]()
        try:
            while door.moment().outcome is None and monotonic() < began + LONG:
                news = listening.next(1.0)
                notices += [news.key] if isinstance(news, Notice) else []
        finally:
            players.close()
            table.close()
    last = door.moment()
    shown = [step.answer for step in standing_answers(last) if isinstance(step.answer.value, tuple)]
    by = {answer.sense for answer in shown}
    print(f"{name} {number}: {last.outcome}, {last.number} answers, cards read {len(shown)} times by {by}")
    print(f"  {monotonic() - began:.0f} s; notices: {notices}")
    return last.outcome is not None and by <= {"camera"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
