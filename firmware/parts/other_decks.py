"""Tells people if the cards on the table are another deck's: looked for in a process of its own, and seldom.

The eyes say when several cards stay without a name, once for each time that this changes, and when it is over.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import IO

from msgspec import Struct

from firmware.parts.jobs import JobError, read_file
from firmware.parts.photographs import LONGEST, LONGEST_WORK
from firmware.storage.decks import deck_named, deck_names
from firmware.table.door import TroubleReport
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from vision.process.messages import UnnamedCards, UnnamedCardsGone
from vision.process.places import are_strangers, count_unnamed, likely_deck
from vision.reading.templates import Picture
from vision.reading.views import Surroundings, surroundings_at
from vision.sightings import Reading
from vision.table.calibration import calibrate
from vision.troubles import TroubleError

NAME = "other deck"
"""The name of this trouble among those that last."""
SECONDS = 90.0
"""Seconds that reading a picture by every deck may take."""
FromEyes = EyesNews | EyesStarted | EyesGone


class OtherDecks:
    """Stands between the eyes and the loop: what is said of cards without names is dealt with here."""

    def __init__(self, put: Callable[[FromEyes | TroubleReport], None], seconds: float = SECONDS) -> None:
        self._put, self._seconds = put, seconds
        self._pictures: SimpleQueue[UnnamedCards | None] = SimpleQueue()
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
            self._put(TroubleReport(NAME, None))
        if not isinstance(news, UnnamedCardsGone):
            self._put(item)

    def _run(self) -> None:
        while (shown := self._pictures.get()) is not None:
            # of several that have waited, only the last one is of the table as it is
            if shown is not self._latest:
                continue
            other = self._ask(shown)
            if shown is self._latest:
                notice = None if other is None else Notice(NAME, {"other": other, "deck": shown.deck})
                self._put(TroubleReport(NAME, notice))

    def _ask(self, shown: UnnamedCards) -> str | None:
        try:
            return read_file(find_other_deck, shown.deck, BytesIO(shown.jpeg), LONGEST_WORK, self._seconds)
        except JobError:
            return None


def find_other_deck(asked: str, file: IO[bytes]) -> str | None:
    """Read a picture by the deck that is asked for, then by others; name the one that the cards look like."""
    # what can be turned against us is loaded behind the limits
    from vision.photographs import PhotographError, decode_photograph  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        frame, deck = decode_photograph(file, LONGEST), deck_named(asked)
    except (PhotographError, TroubleError):
        return None
    table = calibrate(frame)
    around = None if table is None else surroundings_at(table)
    return find_likely_deck(frame, read(frame, deck, None, around), asked, around).name


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
    # a table starts without the reader
    from vision.reading.reader import read  # noqa: PLC0415

    try:
        return read(frame, deck_named(deck, at_once=True), None, around)
    except TroubleError:
        return Reading(())
