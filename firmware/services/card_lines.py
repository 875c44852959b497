"""Cut lines of a taught deck's cards, for a page: show, move and confirm them."""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import TypeVar

import cv2
from msgspec import Struct
from msgspec.structs import replace

from firmware.services import learning
from firmware.services.jobs import do_job
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.watcher import EyesNews, FromEyes
from referee.match import is_going_on
from vision import card_cuts
from vision.pictures import Picture, small_jpeg, unpack_picture
from vision.process.messages import CardsAlone
from vision.teaching import kept_cuts, taught_decks
from vision.teaching.odd_cuts import CutsSum, Why, odd_cuts, sum_up
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.table_edges import FACES, OF_EACH, Insets, correction_by, cut_as_before, cut_by_table
from vision.troubles import TroubleError

PNG_SIZE = struct.Struct(">16x2I")  # position of width and height in a PNG


class ShownCut(Struct, frozen=True):
    """A picture of a taught card, and its cut line."""

    face: str
    number: int  # number among this face's pictures, from 1
    file: Path
    cut: card_cuts.KeptCut
    why: Why | None  # why people should check it; None if they needn't
    mark: str  # changes with the picture or its line


class CutSheet(Struct, frozen=True):
    """A deck's pictures: those to check first, oddest first, then the others in the deck's order."""

    name: str
    pictures: tuple[ShownCut, ...]
    told: CutsSum

    @property
    def odd(self) -> tuple[ShownCut, ...]:
        return tuple(each for each in self.pictures if each.why is not None)

    @property
    def is_corrected(self) -> bool:
        return any(each.cut.before is not None for each in self.pictures)

    @property
    def right(self) -> tuple[ShownCut, ...]:
        return tuple(each for each in self.pictures if each.why is None)


def read_sheet(*folders: Path) -> CutSheet:
    decks = [(folder, taught_decks.read_deck_file(folder)) for folder in folders]
    homes = {face: folder for folder, deck in reversed(decks) for face in deck.faces}
    shown = [each for face, folder in homes.items() for each in _shown_of(folder, face)]
    odd = odd_cuts(dict(enumerate(each.cut for each in shown)))
    first = [replace(shown[place], why=why) for place, why in odd.items()]
    then = [each for place, each in enumerate(shown) if place not in odd]
    deck = decks[0][1]
    told = sum_up([each.cut for each in shown], len(odd), deck.card[0])
    return CutSheet(deck.name, (*first, *then), told)


def _shown_of(folder: Path, face: str) -> Iterator[ShownCut]:
    files = taught_decks.pictures_in(folder, face)
    cuts = kept_cuts.read_cuts(files[0].parent)
    for number, file in enumerate(files, 1):
        cut = cuts.get(file.stem) if file.with_suffix(".jpg").is_file() else None
        kept = (file, file.with_name(kept_cuts.CUTS))
        changed = max(each.stat().st_mtime_ns for each in kept if each.exists())
        yield ShownCut(face, number, file, cut or _uncut(file), None, f"{changed:x}")


def _uncut(file: Path) -> card_cuts.KeptCut:
    with file.open("rb") as opened:
        wide, high = PNG_SIZE.unpack(opened.read(PNG_SIZE.size).ljust(PNG_SIZE.size, b"\0"))
    return card_cuts.KeptCut(kept_cuts.WHOLE, (max(1, wide), max(1, high)), "before")


def wide_at(folder: Path, face: str, number: int) -> card_cuts.WideCut | None:
    """Return a picture of a face, with its background if stored; None if there is no such picture."""
    cards = taught_decks.load_face(folder, face) if face in taught_decks.read_deck_file(folder).faces else ()
    if not 1 <= number <= len(cards):
        return None
    card = cards[number - 1]
    return card.wide or kept_cuts.without_ground(card.picture)


def cut_by_line(folder: Path, wide: card_cuts.WideCut, corners: card_cuts.Corners) -> Picture | None:
    across, high = taught_decks.read_deck_file(folder).card
    return kept_cuts.cut_again(wide, corners, across / high)


def move_line(folder: Path, face: str, number: int, corners: card_cuts.Corners) -> bool:
    """Move a line, or confirm it if `corners` are unchanged; False if that is impossible."""
    wide = wide_at(folder, face, number)
    if wide is None:
        return False
    if kept_cuts.within(wide.cut.corners) == corners and wide.cut.kind != "before":
        file = taught_decks.pictures_in(folder, face)[number - 1]
        kept_cuts.mark_right(file.parent, {file.stem})
        return True
    picture = cut_by_line(folder, wide, corners)
    if picture is None:
        return False
    cards = [*taught_decks.load_face(folder, face)]
    cards[number - 1] = card_cuts.CutCard(picture, kept_cuts.moved_by_hand(wide, corners))
    taught_decks.save_face(folder, face, cards)
    return True


def correct_lines(folder: Path, insets: Insets) -> float:
    """Move all lines of a deck by the insets; returns the largest shift in millimetres."""
    deck = taught_decks.load_kept_deck(folder)
    taught_decks.save_deck(cut_by_table(deck, insets), folder)
    return round(max(map(abs, insets)) * deck.card[0], 1)


T = TypeVar("T")
THUMBNAIL_WIDTH = 220  # width in pixels of a picture in a list


class CardLines:
    """Shows and moves the cut lines of a deck; faces in a draft use the draft's lines."""

    _lock = Lock()  # one writer at a time

    def __init__(self, client: TableClient) -> None:
        self._client = client

    def sheet(self, deck: str) -> CutSheet | None:
        return _if_there(lambda: read_sheet(*_homes_of(deck)) if _homes_of(deck) else None)

    def whole(self, deck: str, face: str, number: int) -> bytes | None:
        wide = _if_there(lambda: wide_at(_home_of(deck, face), face, number))
        return None if wide is None else wide.jpeg

    def small(self, deck: str, face: str, number: int) -> bytes | None:
        whole = self.whole(deck, face, number)
        picture = None if whole is None else unpack_picture(whole)
        return None if picture is None else small_jpeg(picture, THUMBNAIL_WIDTH)

    def card(self, deck: str, face: str, number: int, corners: card_cuts.Corners) -> bytes | None:
        def cut() -> bytes | None:
            home = _home_of(deck, face)
            wide = wide_at(home, face, number)
            card = None if wide is None else cut_by_line(home, wide, corners)
            return None if card is None else cv2.imencode(".jpg", card)[1].tobytes()

        return _if_there(cut)

    def move(self, deck: str, face: str, number: int, corners: card_cuts.Corners) -> Notice | None:
        """Cut a card with other corners, or confirm its line if they are unchanged."""
        return self._write(deck, lambda: move_line(_home_of(deck, face), face, number, corners))

    def accept(self, deck: str) -> Notice | None:
        def mark() -> None:
            for each in read_sheet(*_homes_of(deck)).odd:
                kept_cuts.mark_right(each.file.parent, {each.file.stem})

        return self._write(deck, mark)

    def correct(self, deck: str, insets: Insets) -> float:
        """Correct all lines of a deck; returns the largest shift in millimetres, 0 on failure."""
        moved = list[float]()
        wrong = self._write(deck, lambda: moved.append(correct_lines(learning.taught_folder(deck), insets)))
        if wrong is None:
            learning.read_anew(self._client, deck)
        return sum(moved)

    def back(self, deck: str) -> Notice | None:
        """Undo the table's correction of a deck's lines."""
        home = learning.taught_folder(deck)
        wrong = self._write(
            deck, lambda: taught_decks.save_deck(cut_as_before(taught_decks.load_kept_deck(home)), home)
        )
        return wrong or self.learn(deck)

    def learn(self, deck: str) -> Notice | None:
        """Make the eyes load the deck again with its current lines."""
        if self.sheet(deck) is None:
            return Notice(NoticeKey.NO_SUCH_DECK)
        learning.read_anew(self._client, deck)
        return None

    def _write(self, deck: str, write: Callable[[], object]) -> Notice | None:
        if not _homes_of(deck):
            return Notice(NoticeKey.NO_SUCH_DECK)
        try:
            with self._lock:
                return Notice(NoticeKey.NO_SUCH_FACE) if write() is False else None
        except (OSError, TroubleError) as error:
            return learning.not_written_notice(error)


def _homes_of(deck: str) -> tuple[Path, ...]:
    """Return the folders of a deck that exist: the draft first, then the saved deck."""
    if deck not in learning.known_decks():
        return ()
    homes = (learning.draft_folder(deck), learning.taught_folder(deck))
    return tuple(home for home in homes if taught_decks.is_deck(home))


def _home_of(deck: str, face: str) -> Path:
    homes = _homes_of(deck)
    if not homes:
        raise DeckTroubleError("no deck", file=deck)
    return next((home for home in homes if face in learning.faces_taught(home)), homes[0])


def _if_there(read: Callable[[], T | None]) -> T | None:
    try:
        return read()
    except (OSError, TroubleError):
        return None


# Corrects the cuts of a taught deck whose cards on the table appear too wide or too tight.
#
# The eyes report single cards, and a few of each face are stored in memory. Lines move only between matches,
# and only if trials and those cards are read at least as well. People are notified, and one tap undoes the
# correction.

CORRECTION_TIMEOUT = 900.0  # seconds for measuring a deck and testing it twice


NO_CARDS = CardsAlone("", ())


def find_correction(asked: CardsAlone) -> Insets | None:
    """Return the correction that a deck needs; None if it needs none."""
    try:
        return correction_by(taught_decks.load_kept_deck(Path(asked.deck)), asked.cards)
    except (OSError, TroubleError):
        return None


class CutCorrections:
    """A filter between the eyes and the loop that collects reports of single cards."""

    def __init__(self, put: Callable[[FromEyes], None]) -> None:
        self._put, self._shown, self._changed = put, NO_CARDS, Condition()

    def pass_on(self, item: FromEyes) -> None:
        """Pass an item to the loop, unless it reports single cards."""
        if isinstance(item, EyesNews) and isinstance(item.news, CardsAlone):
            before = self._shown.cards if self._shown.deck == item.news.deck else ()
            self._shown = CardsAlone(item.news.deck, (*before, *item.news.cards))
        else:
            self._put(item)
        with self._changed:
            # the end of a match is also followed by a sighting
            self._changed.notify()

    def sit_down(self, client: TableClient) -> None:
        Thread(target=self._run, args=(client,), name="cut corrections", daemon=True).start()

    def _run(self, client: TableClient) -> None:
        tried = NO_CARDS
        while True:
            with self._changed:
                self._changed.wait_for(lambda: is_more(self._shown, tried) and not is_going_on(client.moment()))  # noqa: B023
                tried = self._shown
            insets = do_job(find_correction, tried, CORRECTION_TIMEOUT, has_games=False)
            with self._changed:
                self._changed.wait_for(lambda: not is_going_on(client.moment()))
            if insets is not None and (moved := CardLines(client).correct(Path(tried.deck).name, insets)):
                client.say(Notice(NoticeKey.CARDS_RECUT, {"mm": moved}))


def is_more(shown: CardsAlone, tried: CardsAlone) -> bool:
    """Return whether enough cards of a taught deck are collected, and twice as many as last time."""
    least = max(FACES * OF_EACH, 0 if shown.deck != tried.deck else 2 * len(tried.cards))
    # called for all news of the eyes; usually the count alone rules it out
    return len(shown.cards) >= least and Path(shown.deck) == learning.taught_folder(Path(shown.deck).name)
