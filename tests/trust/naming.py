"""Name cards at once, and poison decks: `python -m tests.trust.naming 1000` races 1000 times, with 20 decks."""

import os
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random

from referee.games.catalogue import GAMES
from tests.scripts import script
from tests.webui.access.naming_races import PoisonReport, RaceReport, poison_deck, race_names


@script
def main(races: int, scratch: Path, decks: int = 20) -> Iterator[RaceReport | PoisonReport]:
    os.environ["STATE_DIRECTORY"] = str(scratch)
    yield race_names(scratch, races)
    for number, game in enumerate(islice(cycle(GAMES.values()), decks)):
        yield poison_deck(Path("deck"), game.table.deck(game.rules.house()), Random(number))
