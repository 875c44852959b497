"""Add texts of games to a translation template: `python -m firmware.start.texts words.pot my-game`.

Without a game it adds those of this project, their shared texts, and the tables of troubles and notices.
`pybabel update` then updates the catalogues.
"""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from firmware.cli.parsing import TYPED
from firmware.cli.wiring import LED_COLOURS
from firmware.language import cuts, lamps, words
from firmware.start.games import declared_games, hand_in_games, print_skipped
from firmware.table import notices
from referee.contract import Phrase
from referee.games.catalogue import GAMES
from referee.texts import shared_texts, texts_of

OF_FILES = "EACCES EEXIST EIO EISDIR ENAMETOOLONG ENOENT ENOSPC ENOTDIR EPERM EROFS"
"""Errors of files whose texts come from the system."""


def add_texts(file: Path, games: tuple[str, ...]) -> None:
    """Add texts to a template, or create it."""
    print_skipped(hand_in_games())
    if unknown := [game for game in games if game not in GAMES]:
        sys.exit(
            f"There is no game {unknown[0]}. There are: {', '.join(GAMES)}. Run this in the game's folder."
        )
    template = Catalog()
    if file.exists():
        with file.open("rb") as before:
            template = read_po(before)
    for place, phrase in _places(games):
        template.add((phrase.one, phrase.many) if phrase.many else phrase.one, locations=[(place, 0)])
    with file.open("wb") as after:
        write_po(after, template, width=0, omit_header=True, include_lineno=False)


def _places(games: tuple[str, ...]) -> Iterator[tuple[str, Phrase]]:
    for game in games:
        yield from ((game, phrase) for phrase in texts_of(GAMES[game]))
    for point in () if games else declared_games():
        yield from ((point.module.replace(".", "/"), phrase) for phrase in texts_of(GAMES[point.name]))
    yield from (("referee/kit", phrase) for phrase in (() if games else shared_texts()))
    yield from (("firmware/language", phrase) for phrase in (() if games else told_texts()))


def told_texts() -> Iterator[Phrase]:
    tables = (words.WORDS, cuts.HOW, lamps.NAMES, notices.WORDS, LED_COLOURS)
    texts = {text for table in tables for text in table.values()} - {*words.SIGNS.values()}
    of_files = (os.strerror(getattr(errno, name)) for name in OF_FILES.split())
    return map(Phrase, sorted(texts.union(TYPED, of_files)))


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("Name the template to write, such as words.pot, and games.")
    add_texts(Path(sys.argv[1]), tuple(sys.argv[2:]))
