"""Tells people if the cards on the table are another deck's: looked for in a process of its own, and seldom.

The eyes say when several cards stay without a name, once for each time that this changes, and when it is over.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import IO

from msgspec import Struct

from firmware.parts.jobs import READING, JobError, read_file
from firmware.storage.decks import deck_named, deck_names
from firmware.table.notices import Notice
from firmware.table.piece_doubts import NoteTrouble
from firmware.table.watcher import EyesNews, EyesStarted, FromEyes
from vision.process.messages import UnnamedCards, UnnamedCardsGone
from vision.process.places import are_strangers, count_unnamed, likely_deck
from vision.reading.templates import Picture
from vision.reading.views import Surroundings, surroundings_at
from vision.sightings import Reading
from vision.table.calibration import calibrate
from vision.troubles import TroubleError

NAME = "other deck"
SECONDS = 90.0  # seconds that reading a picture by every deck may take


class OtherDecks:
    """Stands between the eyes and the loop: what is said of cards without names is dealt with here."""

    def __init__(self, put: Callable[[FromEyes | NoteTrouble], None], seconds: float = SECONDS) -> None:
        self._put, self._seconds = put, seconds
        self._pictures: SimpleQueue[UnnamedCards] = SimpleQueue()
        self._latest: UnnamedCards | None = None
        Thread(target=self._run, name="other decks", daemon=True).start()

    def pass_on(self, item: FromEyes) -> None:
        """Pass on what the eyes tell, except what is said of cards without names."""
        news = item.news if isinstance(item, EyesNews) else None
        if isinstance(news, UnnamedCards):
            self._latest = news
            self._pictures.put(news)
            return
        if isinstance(news, UnnamedCardsGone) or isinstance(item, EyesStarted):
            self._latest = None
            self._put(NoteTrouble(NAME, None))
        if not isinstance(news, UnnamedCardsGone):
            self._put(item)

    def _run(self) -> None:
        while True:
            shown, other = self._pictures.get(), None
            # of several that have waited, only the last one is of the table as it is
            if shown is not self._latest:
                continue
            with suppress(JobError):
                other = read_file(find_other_deck, shown.deck, BytesIO(shown.jpeg), READING, self._seconds)
            if shown is self._latest:
                notice = None if other is None else Notice(NAME, {"other": other, "deck": shown.deck})
                self._put(NoteTrouble(NAME, notice))


def find_other_deck(asked: str, file: IO[bytes]) -> str | None:
    """Read a picture by the deck that is asked for, then by others; name the one that the cards look like."""
    # what can be turned against us is loaded behind the limits
    from vision.photographs import LONGEST, PhotographError, decode_photograph  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        frame, deck = decode_photograph(file, LONGEST), deck_named(asked)
    except (PhotographError, TroubleError):
        return None
    table = calibrate(frame)
    around = None if table is None else surroundings_at(table)
    return find_likely_deck(frame, read(frame, deck, None, around), asked, around).name


QUICK = 3  # decks that are tried while a person waits: some two seconds on a plain machine


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
    # a table starts without the reader
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        return read(frame, deck_named(deck, at_once=True), None, around)
    except TroubleError:
        return Reading(())
