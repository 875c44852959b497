"""The box on the owner's shelf: how many there are of each card, if its deck was taught."""

import os
from collections.abc import Mapping

from msgspec import Struct

from firmware.storage.places import decks_directory
from referee.contract import Game
from vision.teaching.taught_decks import DECK, DeckTroubleError, read_deck_file


def with_box_counts(game: Game, house: Struct) -> Struct:
    """Give the house rules with the counts of the box, where a deck was taught and the game wants to know."""
    counts = taught_counts(game.table.deck(house).name)
    return house if counts is None else game.rules.boxed(house, counts)


def taught_counts(deck: str) -> Mapping[str, int] | None:
    """Tell how many there are of each taught face; of a deck that can't be read, the eyes tell why."""
    folder = decks_directory(os.environ) / deck
    if not (folder / DECK).exists():
        return None
    try:
        return read_deck_file(folder).faces
    except DeckTroubleError:
        return None
