"""Which of the decks that are kept here the cards in a picture look like, if not the one asked for."""

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from firmware.storage.decks import deck_named, deck_names
from vision.process.other_decks import count_unnamed, likely_deck
from vision.reading.reader import read
from vision.reading.templates import Picture
from vision.reading.views import Surroundings
from vision.sightings import Reading
from vision.troubles import TroubleError


def find_likely_deck(
    frame: Picture, seen: Reading, asked: str, around: Surroundings | None, seconds: float | None = None
) -> str | None:
    """Find the deck that cards look like; those that were taught come first, as long as the seconds last."""
    if around is not None and not count_unnamed(seen):
        # on a table that is known, strangers are seen as things
        return None
    return likely_deck(seen, _readings_by_others(frame, asked, around, seconds))


def _readings_by_others(
    frame: Picture, asked: str, around: Surroundings | None, seconds: float | None
) -> Iterator[tuple[str, Callable[[], Reading]]]:
    start = process_time()
    for name in deck_names():
        if seconds is not None and process_time() - start > seconds:
            return
        if name != asked:
            yield name, partial(_read_by, frame, name, around)


def _read_by(frame: Picture, deck: str, around: Surroundings | None) -> Reading:
    """Read a picture by another deck; one that can't be loaded reads nothing."""
    try:
        return read(frame, deck_named(deck), None, around)
    except TroubleError:
        return Reading(())
