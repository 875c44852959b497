"""Has a taught deck cut out again where cards on the table show that it was cut too wide or too tight.

The eyes show cards that lie alone; a few of each are held in memory. Never during a match, and only where
trials and those cards are read no worse, the deck's lines are moved. That is said, and one tap takes it back.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread

from msgspec import Struct

from firmware.parts.card_lines import CardLines
from firmware.parts.jobs import JobError, begin_job
from firmware.parts.learning import taught_folder
from firmware.table.door import TableDoor
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from referee.match import is_going_on
from vision.process.messages import CardsAlone
from vision.teaching.kept_cuts import CardAlone
from vision.teaching.table_edges import FACES, OF_EACH, Insets, correction_by
from vision.teaching.taught_decks import load_kept_deck
from vision.troubles import TroubleError

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
