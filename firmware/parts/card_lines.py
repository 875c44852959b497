"""The lines by which a taught deck's cards were cut out, for a page: shown, moved by hand, said to be right."""

from collections.abc import Callable
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import TypeVar

import cv2
from msgspec import Struct

from firmware.parts.jobs import JobError, begin_job
from firmware.parts.learning import (
    draft_folder,
    faces_taught,
    known_decks,
    not_written_notice,
    read_anew,
    taught_folder,
)
from firmware.parts.live_pictures import small_jpeg
from firmware.storage.deck_cuts import (
    CutSheet,
    accept_lines,
    correct_lines,
    cut_by_line,
    move_line,
    read_sheet,
    take_lines_back,
    wide_at,
)
from firmware.table.door import TableDoor
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from referee.match import is_going_on
from vision.pictures import unpack_picture
from vision.process.messages import CardsAlone
from vision.teaching.kept_cuts import CardAlone, Corners
from vision.teaching.table_edges import FACES, OF_EACH, Insets, correction_by
from vision.teaching.taught_decks import DECK, DeckTroubleError, load_kept_deck
from vision.troubles import TroubleError

T = TypeVar("T")
SMALL = 220
"""Pixels across a picture among many."""


class CardLines:
    """Shows how the cards of a deck were cut out, and moves their lines; of a draft's faces, the draft's."""

    _lock = Lock()
    """One hand at a time moves lines."""

    def __init__(self, door: TableDoor) -> None:
        self._door = door

    def sheet(self, deck: str) -> CutSheet | None:
        """Read how the cards of a deck were cut out; None if nothing of it is taught."""
        return _if_there(lambda: read_sheet(*_homes_of(deck)) if _homes_of(deck) else None)

    def whole(self, deck: str, face: str, number: int) -> bytes | None:
        """Give a picture with its ground."""
        wide = _if_there(lambda: wide_at(_home_of(deck, face), face, number))
        return None if wide is None else wide.jpeg

    def small(self, deck: str, face: str, number: int) -> bytes | None:
        """Give a picture with its ground, small."""
        whole = self.whole(deck, face, number)
        picture = None if whole is None else unpack_picture(whole)
        return None if picture is None else small_jpeg(picture, SMALL)

    def card(self, deck: str, face: str, number: int, corners: Corners) -> bytes | None:
        """Give the card as other corners would cut it out."""

        def cut() -> bytes | None:
            home = _home_of(deck, face)
            wide = wide_at(home, face, number)
            card = None if wide is None else cut_by_line(home, wide, corners)
            return None if card is None else cv2.imencode(".jpg", card)[1].tobytes()

        return _if_there(cut)

    def move(self, deck: str, face: str, number: int, corners: Corners) -> Notice | None:
        """Cut a card out by other corners, or take its line for right where it is."""
        return self._write(deck, lambda: move_line(_home_of(deck, face), face, number, corners))

    def accept(self, deck: str) -> Notice | None:
        """Take all lines of a deck for right."""
        return self._write(deck, lambda: accept_lines(*_homes_of(deck)))

    def correct(self, deck: str, insets: Insets) -> float:
        """Move all lines of a deck as cards on the table show: by how many millimetres; 0 if that fails."""
        moved = list[float]()
        wrong = self._write(deck, lambda: moved.append(correct_lines(taught_folder(deck), insets)))
        if wrong is None:
            read_anew(self._door, deck)
        return sum(moved)

    def back(self, deck: str) -> Notice | None:
        """Move a deck's lines back to where they ran before the table corrected them."""
        wrong = self._write(deck, lambda: take_lines_back(taught_folder(deck)))
        return wrong or self.learn(deck)

    def learn(self, deck: str) -> Notice | None:
        """Let the eyes read by the lines as they are now."""
        if self.sheet(deck) is None:
            return Notice("no such deck")
        read_anew(self._door, deck)
        return None

    def _write(self, deck: str, write: Callable[[], object]) -> Notice | None:
        if not _homes_of(deck):
            return Notice("no such deck")
        try:
            with self._lock:
                return Notice("no such face") if write() is False else None
        except (OSError, TroubleError) as error:
            return not_written_notice(error)


def _homes_of(deck: str) -> tuple[Path, ...]:
    """Find what is taught of a deck of the games: its draft before what counts."""
    homes = (draft_folder(deck), taught_folder(deck)) if deck in known_decks() else ()
    return tuple(home for home in homes if (home / DECK).exists())


def _home_of(deck: str, face: str) -> Path:
    """Find where a face of a deck lies."""
    homes = _homes_of(deck)
    if not homes:
        raise DeckTroubleError("no deck", file=deck)
    return next((home for home in homes if face in faces_taught(home)), homes[0])


def _if_there(read: Callable[[], T | None]) -> T | None:
    """Read something of a deck; None if it isn't there, or damaged."""
    try:
        return read()
    except (OSError, TroubleError):
        return None


# Has a taught deck cut out again where cards on the table show that it was cut too wide or too tight.
#
# The eyes show cards that lie alone; a few of each are held in memory. Never during a match, and only where
# trials and those cards are read no worse, the deck's lines are moved. That is said, and one tap takes it back.

LONGEST = 900.0
"""Seconds that measuring may take, and trying a deck twice."""
NAME = "cards cut again"
FromEyes = EyesNews | EyesStarted | EyesGone


class CutRequest(Struct, frozen=True):
    """A deck, and cards of it that lay alone."""

    folder: str
    cards: tuple[CardAlone, ...]


NOTHING = CutRequest("", ())


def find_correction(asked: CutRequest) -> Insets | None:
    """Say by how much a deck is to be cut again, if it is."""
    try:
        return correction_by(load_kept_deck(Path(asked.folder)), asked.cards)
    except (OSError, TroubleError):
        return None


class CutCorrections:
    """Stands between the eyes and the loop: cards that are shown alone stay here."""

    def __init__(self, put: Callable[[FromEyes], None]) -> None:
        self._put, self._shown, self._changed = put, NOTHING, Condition()

    def pass_on(self, item: FromEyes) -> None:
        """Pass on what the eyes tell, except the cards that they show alone."""
        if isinstance(item, EyesNews) and isinstance(item.news, CardsAlone):
            self._take(item.news)
        else:
            self._put(item)
        with self._changed:
            # the end of a match, too, is followed by something that is seen
            self._changed.notify()

    def _take(self, news: CardsAlone) -> None:
        before = self._shown.cards if self._shown.folder == news.deck else ()
        self._shown = CutRequest(news.deck, (*before, *news.cards))

    def sit_down(self, door: TableDoor) -> None:
        """Correct the decks of a table from now on."""
        Thread(target=self._run, args=(door,), name="cut corrections", daemon=True).start()

    def _run(self, door: TableDoor) -> None:
        tried = NOTHING
        while True:
            tried = self._wait_for_more(tried, door)
            insets = _ask(tried)
            with self._changed:
                self._changed.wait_for(lambda: not is_going_on(door.moment()))
            if insets is not None:
                correct_deck(Path(tried.folder).name, insets, door)

    def _wait_for_more(self, tried: CutRequest, door: TableDoor) -> CutRequest:
        """Wait until enough is shown, and twice as much as was tried of a deck; no match goes on then."""
        with self._changed:
            self._changed.wait_for(lambda: is_more(self._shown, tried) and not is_going_on(door.moment()))
            return self._shown


def is_more(shown: CutRequest, tried: CutRequest) -> bool:
    """Return whether enough is shown of a deck that was taught, and twice as much as was tried."""
    is_other = shown.folder != tried.folder
    least = max(FACES * OF_EACH, 0 if is_other else 2 * len(tried.cards))
    # asked whenever the eyes tell anything: mostly the count alone says no
    return len(shown.cards) >= least and Path(shown.folder) == taught_folder(Path(shown.folder).name)


def _ask(shown: CutRequest) -> Insets | None:
    try:
        return begin_job(find_correction, shown, has_games=False).answer(LONGEST)
    except JobError:
        return None


def correct_deck(deck: str, insets: Insets, door: TableDoor) -> None:
    """Cut a deck again; the table reads by it at once, and says so."""
    millimetres = CardLines(door).correct(deck, insets)
    if millimetres:
        door.say(Notice(NAME, {"mm": millimetres}))
