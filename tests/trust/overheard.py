"""Search log and output for secrets: `python -m tests.trust.overheard 100` plays 100 matches of each game."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from referee.games.catalogue import GAMES
from tests.firmware.start.overheard import cards_in_log, secrets_written
from tests.scripts import say, script


@script
def main(matches: int, scratch: Path) -> Iterator[str]:
    for name, game in GAMES.items():
        for number in range(matches):
            (folder := scratch / f"{number} {name}").mkdir()
            for card in cards_in_log(game, Random(folder.name), folder):
                yield f"{name}, match {number}: {card} was in the log, and not shown"
        say(f"{name}: {matches} matches")
    found, learnt = secrets_written(scratch / "home")
    say(f"a table: {learnt} form tokens and cookies learnt, secrets written down: {len(found)}")
    yield from found
