"""Which of the decks that are kept here the cards in a picture look like, if not the one asked for."""

from functools import partial

from msgspec import Struct

from firmware.storage.decks import deck_names, deck_ready
from vision.process.places import are_strangers, count_unnamed, likely_deck
from vision.reading.reader import read
from vision.reading.templates import Picture
from vision.reading.views import Surroundings
from vision.sightings import Reading
from vision.troubles import TroubleError

QUICK = 3
"""Decks that are tried while a person waits: some two seconds on a plain machine."""


class LikelyDeck(Struct, frozen=True):
    """The deck that cards look like, if any, and those that weren't tried."""

    name: str | None = None
    untried: tuple[str, ...] = ()


def find_likely_deck(
    frame: Picture, seen: Reading, asked: str, around: Surroundings | None, most: int | None = None
) -> LikelyDeck:
    """Find the deck that cards look like, trying so many others at most; those that were taught come first."""
    is_of_things = around is not None and not count_unnamed(seen)
    # on a table that is known, strangers are seen as things
    if is_of_things or not are_strangers(seen):
        return LikelyDeck()
    others = [name for name in deck_names() if name != asked]
    tried = others[:most]
    found = likely_deck(seen, ((name, partial(_read_by, frame, name, around)) for name in tried))
    return LikelyDeck(found, tuple(others[len(tried) :]))


def _read_by(frame: Picture, deck: str, around: Surroundings | None) -> Reading:
    """Read a picture by another deck; one that can't be loaded reads nothing."""
    try:
        return read(frame, deck_ready(deck), None, around)
    except TroubleError:
        return Reading(())
