"""Own decks: their learnt cards, keeping and discarding them, and look-alike cards."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from threading import RLock, Thread
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.speaking import Sentence, problem_sentence
from firmware.state_folder import DECKS, state_directory
from firmware.storage.cards_choice import end_learning
from firmware.storage.decks import (
    OwnDeck,
    all_counts,
    deck_order,
    extra_faces,
    face_picture,
    faces_known,
    faces_learnt_in,
    game_deck_of,
    learnt_title,
    namers_in,
    own_decks,
    own_folder,
)
from firmware.table.client import TableClient
from firmware.table.naming import seat_mark, unseen_faces
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from hardware.decks.catalogue import PRINTED
from referee.games.catalogue import GAMES
from referee.kit.french_cards import suit_rows
from vision.pictures import unpack_picture
from vision.process import messages
from vision.teaching import taught_decks
from vision.teaching.suit_rows import teach_rows
from vision.troubles import TroubleError

if TYPE_CHECKING:
    from vision.teaching.tried_decks import Doubt


class LearntFace(Struct, frozen=True):
    """A face of an own deck."""

    name: str
    count: int
    shot: str = ""
    """Name of its picture, which changes with its content; empty if there is none."""


class Trying(Struct, frozen=True, eq=False):
    """Progress of the trials that find look-alike faces."""

    deck: str = ""  # mark of the pictures that are tried
    done: int = 0
    all: int = 0
    pairs: "tuple[Doubt, ...] | None" = None
    """Pairs of faces that the reader may confuse; None until they are known."""


PICTURED = 8.0
"""Seconds for the eyes to send a whole picture: the camera measures the light first."""
FACE = 220  # width in pixels of a face's picture on a page
MAX_COUNT = 999  # maximum cards of one face in a box


def known_decks() -> dict[str, tuple[str, str]]:
    """Return the games' decks by name, each with its game and edition ("" without editions)."""
    return {
        game.table.deck(house).name: (game.name, getattr(house, "edition", "") if game.words.editions else "")
        for game in tuple(GAMES.values())
        for house in game.rules.settings.values()
    }


class DeckShelf:
    """The own decks of all games."""

    def __init__(self, client: TableClient, scratch: Path) -> None:
        """Use a scratch folder for drawing printed decks."""
        self._client, self._scratch, self._lock = client, scratch, RLock()
        self._trying = Trying(pairs=())

    def decks(self, seat: int | None) -> tuple[OwnDeck, ...]:
        """Return all own decks; a seat counts no faces that it may not see."""
        decks = own_decks(*known_decks())
        return tuple(replace(deck, known=deck.known - len(self._unseen(deck.folder, seat))) for deck in decks)

    def _unseen(self, folder: str, seat: int | None) -> frozenset[str]:
        match = self._client.moment()
        if folder != own_folder(match.setup.deck.name).name:
            return frozenset()
        learnt = faces_learnt_in(_home(folder), match.setup.begun)
        return unseen_faces(match, seat, learnt) & faces_known(_home(folder)).keys()

    def _known(self, folder: str, seat: int | None) -> Mapping[str, int]:
        """Return the faces with a picture that a seat may see."""
        hidden = self._unseen(folder, seat)
        return {face: count for face, count in faces_known(_home(folder)).items() if face not in hidden}

    def deck(self, folder: str) -> OwnDeck | None:
        return next((each for each in own_decks(game_deck_of(folder)) if each.folder == folder), None)

    def unkept(self) -> OwnDeck | None:
        """Return the deck on the table, if it is learnt and not kept yet."""
        deck = self.deck(own_folder(self._deck_on_table()).name)
        return deck if deck is not None and deck.is_used and not deck.is_kept else None

    def is_on_table(self, deck: OwnDeck) -> bool:
        return deck.is_used and deck.like == self._deck_on_table()

    def is_learnt(self, deck: OwnDeck) -> bool:
        """Return whether the table goes on learning this deck."""
        return bool(learnt_title(deck.folder))

    def _deck_on_table(self) -> str:
        return self._client.moment().setup.deck.name

    def faces(self, folder: str, seat: int | None) -> tuple[LearntFace, ...]:
        """Return the faces of an own deck, the missing ones too; extra cards only if they are known."""
        home, like = _home(folder), game_deck_of(folder)
        counts = self._known(folder, seat)
        extras = extra_faces(like)
        names = dict.fromkeys((*PRINTED[like].counts, *(face for face in counts if face in extras), *counts))
        usual = all_counts(PRINTED[like])
        return tuple(
            LearntFace(face, counts.get(face, usual.get(face, 1)), _shot(home, face) if face in counts else "")
            for face in names
        )

    def picture(self, folder: str, face: str, shot: str) -> bytes | None:
        if self.deck(folder) is None or face not in faces_known(home := _home(folder)):
            return None
        if not shot or shot != _shot(home, face):
            return None
        return face_picture(home, face, FACE)

    # changes

    def keep(self, folder: str, title: str) -> Notice | None:
        """Keep a learnt deck under a title, and start its trials."""

        def write(deck: OwnDeck) -> None:
            file = taught_decks.read_deck_file(_home(folder))
            taught_decks.save_deck(taught_decks.TaughtDeck(title, file.card, {}, {}), _home(folder))
            end_learning(state_directory(), deck.folder)
            self.trials(folder)

        return self._change(folder, write)

    def throw_away(self, folder: str) -> Notice | None:
        """Delete an own deck; if it is on the table, the printed cards are read again."""

        def write(deck: OwnDeck) -> None:
            taught_decks.forget_deck(_home(folder))
            end_learning(state_directory(), deck.folder)

        return self._change(folder, write)

    def count(self, folder: str, face: str, number: int, seat: int | None) -> Notice | None:
        """Set the number of cards of a learnt face in the box."""

        def write(_deck: OwnDeck) -> None:
            file = taught_decks.read_deck_file(_home(folder))
            taught_decks.save_deck(
                taught_decks.TaughtDeck(file.name, file.card, {face: number}, {}), _home(folder)
            )

        if self.deck(folder) is None:
            return Notice(NoticeKey.NO_SUCH_DECK)
        if face not in self._known(folder, seat) or not 0 <= number <= MAX_COUNT:
            return Notice(NoticeKey.NO_SUCH_FACE)
        return self._change(folder, write)

    def change(self, folder: str, face: str, to: str, seat: int | None) -> Notice | None:
        """Rename a face of the deck on the table, or forget it, with an empty name."""
        deck = self.deck(folder)
        if deck is None or not self.is_on_table(deck):
            return Notice(NoticeKey.NO_SUCH_DECK)
        faces = {each.name for each in self.faces(folder, seat)} | {*extra_faces(deck.like)}
        if face not in self._known(folder, seat) or (to and to not in faces):
            return Notice(NoticeKey.NO_SUCH_FACE)
        self._order(deck, messages.ChangeFace(face, to))
        return None

    def namers(self, folder: str) -> tuple[int, ...]:
        """Return the seats that have named cards of this deck in the match on the table."""
        match = self._client.moment()
        named = namers_in(_home(folder), match.setup.begun)
        return tuple(seat for seat in range(len(match.setup.names)) if seat_mark(seat) in named)

    def take_back(self, folder: str, seat: int) -> Notice | None:
        """Take back all names that a seat gave in the match on the table."""
        deck = self.deck(folder)
        if deck is None or not self.is_on_table(deck):
            return Notice(NoticeKey.NO_SUCH_DECK)
        self._order(deck, messages.UndoNames(self._client.moment().setup.begun, seat_mark(seat)))
        return None

    def _order(self, deck: OwnDeck, change: messages.LearningOrder) -> None:
        # only eyes that learn a deck change it
        order = deck_order(self._client.moment().setup.deck, self._scratch)
        self._client.do(replace(order, learns=order.learns or deck.title or deck.folder))
        self._client.do(change)

    def suit(self, folder: str, suit: str) -> Notice | None:
        """Learn a suit, laid out in rows of known order, from one picture."""
        if self.deck(folder) is None:
            return Notice(NoticeKey.NO_SUCH_DECK)
        counts, known = all_counts(PRINTED[game_deck_of(folder)]), faces_known(_home(folder))
        rows = suit_rows(counts).get(suit, ())
        if not rows:
            return Notice(NoticeKey.NO_SUCH_FACE)

        def write(deck: OwnDeck) -> None:
            file = taught_decks.read_deck_file(_home(folder)) if known else None
            card = taught_decks.CARD if file is None else file.card
            taken = self._client.show(messages.TakeFrame(), messages.FrameTaken).result(PICTURED)
            picture = unpack_picture(taken.jpeg)
            if picture is None:
                raise TroubleError("suit rows", cards=0, found=0, wanted=len(rows))
            learnt = taught_decks.load_deck(_home(folder)).faces if known else {}
            before = {face: some[0] for face, some in learnt.items()}
            named = teach_rows(picture, rows, card[0] / card[1], before)
            shown = {face: (cut,) for face, cut in named.items()}
            name = deck.title or deck.folder if file is None else file.name
            taught = taught_decks.TaughtDeck(name, card, {face: counts[face] for face in named}, shown)
            taught_decks.save_deck(taught, _home(folder))

        try:
            wrong = self._change(folder, write)
        except (TimeoutError, CancelledError):
            return Notice(NoticeKey.NO_FRAME)
        if wrong is not None and isinstance(why := wrong.values.get("why"), Sentence):
            return replace(wrong, values={"why": replace(why, values={**why.values, "suit": Sentence(suit)})})
        return wrong

    def _change(self, folder: str, write: Callable[[OwnDeck], None]) -> Notice | None:
        """Change an own deck; if it is on the table, the eyes load it at once."""
        deck = self.deck(folder)
        if deck is None:
            return Notice(NoticeKey.NO_SUCH_DECK)
        try:
            with self._lock:
                write(deck)
        except (OSError, TroubleError) as error:
            return not_written_notice(error)
        if self.is_on_table(deck):
            self._client.do(deck_order(self._client.moment().setup.deck, self._scratch))
        return None

    # look-alike faces

    def trials(self, folder: str) -> Trying:
        """Find the faces that the reader may confuse; slow, so all viewers share one trial."""
        home = _home(folder)
        mark = " ".join((folder, *(_shot(home, face) for face in faces_known(home))))
        with self._lock:
            if self._trying.deck != mark:
                self._trying = Trying(mark, all=len(faces_known(home)))
                Thread(target=self._try, args=(self._trying, home), name="trials", daemon=True).start()
            return self._trying

    def _try(self, trying: Trying, home: Path) -> None:
        # imported here, so that a table starts without the trial code
        from vision.teaching.tried_decks import try_taught  # noqa: PLC0415

        def tell(done: int, _count: int) -> None:
            self._note_trials(replace(trying, done=done))

        pairs: tuple[Doubt, ...] = ()
        # a deck that was thrown away meanwhile has no look-alikes
        with suppress(OSError, TroubleError):
            taught = taught_decks.load_deck(home)
            pairs = try_taught(taught.faces, taught.card, report=tell)
        self._note_trials(replace(trying, pairs=pairs))

    def _note_trials(self, trying: Trying) -> None:
        """Store the progress of the trials, unless newer ones have begun."""
        with self._lock:
            if self._trying.deck == trying.deck:
                self._trying = trying


def _home(folder: str) -> Path:
    return state_directory() / DECKS / folder


def _shot(home: Path, face: str) -> str:
    """Return a name that changes with a face's picture; empty if it can't be read."""
    with suppress(OSError, TroubleError):
        file = taught_decks.pictures_in(home, face)[0]
        return f"{crc32(f'{file} {file.stat().st_mtime_ns}'.encode()):08x}"
    return ""


def not_written_notice(error: OSError | TroubleError) -> Notice:
    if isinstance(error, TroubleError) and error.problem.key.startswith("suit"):
        return Notice(NoticeKey.SUIT_NOT_TAUGHT, {"why": problem_sentence(error.problem)})
    if isinstance(error, TroubleError):
        return Notice(NoticeKey.DECK_TROUBLE, {"why": problem_sentence(error.problem)})
    return Notice(NoticeKey.NOT_WRITTEN, {"why": error.strerror or str(error)})
