"""Name cards at once, and poison decks: `python -m tests.trust.naming 1000` races 1000 times, with 20 decks."""

import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from referee.games.catalogue import GAMES
from tests.trust.telling import add_up, figure_lines, finish, say, wishes
from tests.webui.access.naming_races import PoisonReport, poison_deck, race_names


def main() -> None:
    wish, several = wishes(__doc__, "races", decks=20), list[PoisonReport]()
    with TemporaryDirectory() as folder:
        os.environ["STATE_DIRECTORY"] = folder
        races = race_names(Path(folder), wish.races)
    for line in figure_lines(races):
        say(line)
    for number in range(wish.decks):
        game = list(GAMES.values())[number % len(GAMES)]
        several.append(poison_deck(Path("deck"), game.table.deck(game.rules.house()), Random(number)))
    finish(add_up(several), races.wrong)


if __name__ == "__main__":
    main()
