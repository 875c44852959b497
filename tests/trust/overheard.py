"""Search log and output for secrets: `python -m tests.trust.overheard 100` plays 100 matches of each game."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from referee.games.catalogue import GAMES
from tests.firmware.start.overheard import cards_in_log, secrets_written
from tests.trust.telling import finish, say, wishes


def main() -> None:
    wish, wrong = wishes(__doc__, "matches"), list[str]()
    for name, game in GAMES.items():
        for number in range(wish.matches):
            with TemporaryDirectory() as folder:
                cards = cards_in_log(game, Random(f"{number} {name}"), Path(folder))
            wrong += [f"{name}, match {number}: {card} was in the log, and not shown" for card in cards]
        say(f"{name}: {wish.matches} matches, cards in the log that hadn't been shown so far: {len(wrong)}")
    with TemporaryDirectory() as folder:
        found, learnt = secrets_written(Path(folder, "home"))
    say(f"a table: {learnt} form tokens and cookies learnt, secrets written down: {len(found)}")
    finish(wrong=wrong + found)


if __name__ == "__main__":
    main()
