"""Teach a deck from a phone: the eyes report cards, and the course runs here, so it survives their restart.

A face that is taught goes into a draft at once; the deck counts only once a person saves it.
"""

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import RLock, Thread
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from firmware.language.speaking import Sentence, error_sentence, problem_sentence
from firmware.services.finding import Pausing
from firmware.state_folder import DECKS, DRAFTS, state_directory
from firmware.storage.decks import DeckToTeach, all_counts, deck_folder, keep_new
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from hardware.decks.catalogue import PRINTED
from referee.games.catalogue import GAMES
from referee.kit.french_cards import SUIT_ROWS
from vision.card_cuts import CutCard, LoneCard
from vision.pictures import Picture, small_jpeg, unpack_picture
from vision.process import messages
from vision.sightings import Point
from vision.teaching import lessons, taught_decks
from vision.teaching.likeness import LIMIT
from vision.teaching.suit_rows import Rows, check_suit, pictures_of, teach_rows
from vision.troubles import Problem, TroubleError

if TYPE_CHECKING:
    from vision.teaching.tried_decks import Doubt


class TeachableDeck(Struct, frozen=True):
    """A deck that can be taught."""

    name: str
    game: str
    edition: str  # empty if the game has no editions
    faces: int
    taught: int  # number of saved faces
    drafted: int  # number of faces in the draft
    has_draft: bool = False


class LessonFace(Struct, frozen=True):
    """A face of the deck being taught."""

    name: str
    count: int
    state: Literal["missing", "drafted", "taught"]
    shot: str = ""  # name of the camera's picture of it; empty if there is none


def known_decks() -> dict[str, tuple[str, str]]:
    """Return the games' decks by name, each with its game and edition ("" without editions)."""
    return {
        game.table.deck(house).name: (game.name, getattr(house, "edition", "") if game.words.editions else "")
        for game in tuple(GAMES.values())
        for house in game.rules.settings.values()
    }


def face_counts(name: str) -> dict[str, int]:
    return all_counts(PRINTED[name])


def taught_folder(name: str) -> Path:
    """Return the folder of a saved deck."""
    return state_directory() / DECKS / name


def draft_folder(name: str) -> Path:
    """Return the folder of a deck's draft."""
    return state_directory() / DRAFTS / name


def faces_taught(home: Path) -> Mapping[str, int]:
    try:
        return taught_decks.read_deck_file(home).faces
    except TroubleError:
        return {}


def shot_name(picture: Picture) -> str:
    """Return a name that depends on the picture's content."""
    return f"{crc32(picture.tobytes()):08x}"


def lesson_faces(name: str, counts: Mapping[str, int], shots: Mapping[str, str]) -> tuple[LessonFace, ...]:
    states: dict[str, Literal["missing", "drafted", "taught"]] = {
        **dict.fromkeys(faces_taught(taught_folder(name)), "taught"),
        **dict.fromkeys(faces_taught(draft_folder(name)), "drafted"),
    }
    faces = ((face, many, states.get(face, "missing"), shots.get(face, "")) for face, many in counts.items())
    return tuple(LessonFace(*face) for face in faces)


def deck_summary(name: str, game: str, edition: str) -> TeachableDeck:
    states = [face.state for face in lesson_faces(name, face_counts(name), {})]
    taught, drafted = states.count("taught"), states.count("drafted")
    return TeachableDeck(
        name, game, edition, len(states), taught, drafted, taught_decks.last_whole(draft_folder(name)).is_dir()
    )


PICTURED = 8.0
"""Seconds for the eyes to send a whole picture: the camera measures the light first."""
REPLY_TIMEOUT = 2.0
"""Seconds before an order to the eyes is repeated: a restarted process has lost it."""
FACE = 220  # width in pixels of a face's picture on a page
MAX_COUNT = 999  # maximum cards of one face in a box
GUIDED = "teaching"
REMARKS = ("several", "unclear", "upright", "another card")
"""Messages of the course that describe what the camera saw."""


class Teaching(Struct, frozen=True, eq=False):
    """The deck being taught, and its course."""

    run: int
    deck: DeckToTeach
    course: lessons.Course
    known: Mapping[str, Picture]  # a picture of each taught face, saved or in the draft
    heard: int = 0
    shape: float | None = None
    is_bare: bool = False  # whether the eyes have recorded the empty table
    last: messages.TeachingReport | None = None
    saw: str = ""
    alike: str = ""
    wrong: tuple[Problem | Notice, ...] = ()


class TeachingProgress(Struct, frozen=True):
    """The progress of teaching a deck."""

    deck: TeachableDeck
    faces: tuple[LessonFace, ...]
    task: Literal["bare", "lay", "turn", "away", "done"]
    """The next step: clear the table, lay a card, move it, remove it, or none."""
    face: str
    placed: int
    most: int  # placements of this face so far, and required
    saw: str
    """The last observation: empty, card, several, unclear, reaching, upright, another card, or none."""
    alike: str = ""  # another face that this card looks like
    wrong: tuple[Problem | Notice, ...] = ()
    size: tuple[int, int] = (0, 0)
    outline: tuple[Point, ...] = ()
    pairs: "tuple[Doubt, ...]" = ()
    """Pairs of faces that the reader may confuse, known at the end; a face is paired with its own half turn."""
    trying: tuple[int, int] | None = None
    """Number of faces tried so far, and of all faces, until the result is known."""


class Trying(Struct, frozen=True, eq=False):
    """Progress of the trials that find look-alike faces."""

    known: Mapping[str, Picture]
    done: int = 0
    pairs: "tuple[Doubt, ...] | None" = None


class Teacher:
    """Teaches a deck card by card while the table pauses; one person at a time."""

    def __init__(self, client: TableClient, pausing: Pausing, scratch: Path) -> None:
        """Use a scratch folder for drawing printed decks."""
        self._client, self._pausing, self._scratch = client, pausing, scratch
        self._lock, self._runs = RLock(), count(1)
        self._now: Teaching | None = None
        self._trying = Trying({})
        self._shots: tuple[object, Mapping[str, str]] = (None, {})

    def decks(self) -> tuple[TeachableDeck, ...]:
        return tuple(deck_summary(name, game, edition) for name, (game, edition) in known_decks().items())

    def lesson(self) -> TeachingProgress | None:
        now = self._now
        if now is None:
            return None
        name, course, last = now.deck.name, now.course, now.last
        task = "bare" if not now.is_bare and course.phase != "done" else course.phase
        card = last.what if last is not None and isinstance(last.what, LoneCard) else None
        tried = self._trials_of(now) if course.phase == "done" else Trying({}, pairs=())
        return TeachingProgress(
            deck=deck_summary(name, *known_decks()[name]),
            faces=lesson_faces(name, now.deck.faces, self._shot_names(now)),
            task="lay" if task == "name" else task,
            face=course.face,
            placed=len(course.shown),
            most=lessons.PLACEMENTS,
            saw=now.saw,
            alike=now.alike,
            wrong=now.wrong,
            size=(0, 0) if last is None else last.size,
            outline=() if card is None else tuple((float(x), float(y)) for x, y in card.corners),
            pairs=tried.pairs or (),
            trying=(tried.done, len(tried.known)) if tried.pairs is None else None,
        )

    def picture(self, shot: str) -> bytes | None:
        now = self._now
        known = {} if now is None else now.known
        picture = next((each for each in known.values() if shot_name(each) == shot), None)
        return None if picture is None else small_jpeg(picture, FACE)

    def open(self, deck: str) -> Notice | None:
        """Begin a deck, or continue its draft; pauses the table."""
        if deck not in known_decks():
            return Notice(NoticeKey.NO_SUCH_DECK)
        try:
            to_teach, known, shape = _load_known(deck)
        except TroubleError as error:
            return Notice(NoticeKey.DECK_TROUBLE, {"why": error_sentence(error)})
        run = next(self._runs)
        with self._lock:
            self._now = Teaching(run, to_teach, _course_of_missing(deck, known), known, shape=shape)
        self._pausing.enter(GUIDED, self.close)
        Thread(target=self._follow, args=(run,), name="teaching", daemon=True).start()
        return None

    def close(self) -> None:
        """Close the course; the taught faces stay as a draft."""
        with self._lock:
            self._now = None
        self._pausing.leave(GUIDED)

    def look_again(self, deck: str) -> None:
        """Reload a deck's pictures after their cut lines were moved."""
        with self._lock:
            if self._now is not None and self._now.deck.name == deck:
                with suppress(TroubleError):
                    self._now = replace(self._now, known=_load_known(deck)[1])

    def bare(self) -> None:
        """Record the empty table once it is still."""
        with self._lock:
            if self._now is not None:
                self._pausing.touch()
                self._now = replace(self._now, saw="")
                self._client.do(messages.TakeAsEmpty(self._now.heard))

    def back(self) -> Notice | None:
        """Drop the last placement; if there is none, return to the previous face."""
        return self._apply_event("back")

    def skip(self) -> Notice | None:
        return self._apply_event("skip")

    def again(self, face: str) -> Notice | None:
        now = self._now
        if now is not None and face not in now.deck.faces:
            return Notice(NoticeKey.NO_SUCH_FACE)
        return self._apply_event(lessons.TeachFace(face))

    def suit(self, suit: str) -> Notice | None:
        """Teach a suit, laid out in two rows, from one picture."""
        now = self._now
        if now is None:
            return Notice(NoticeKey.LESSON_MISSING)
        rows = SUIT_ROWS.get(suit, ())
        if not rows or not all(face in now.deck.faces for row in rows for face in row):
            return Notice(NoticeKey.NO_SUCH_FACE)
        self._pausing.touch()
        try:
            taken = self._client.show(messages.TakeFrame(), messages.FrameTaken).result(PICTURED)
            named = _learn_suit(taken.jpeg, rows, now)
        except (TimeoutError, CancelledError):
            return Notice(NoticeKey.NO_FRAME)
        except TroubleError as error:
            said = problem_sentence(error.problem)
            why = replace(said, values={**said.values, "suit": Sentence(suit)})
            return Notice(NoticeKey.SUIT_NOT_TAUGHT, {"why": why})
        return self._keep_suit(now.run, named)

    def _keep_suit(self, run: int, named: Mapping[str, CutCard]) -> Notice | None:
        """Save a suit and continue with the remaining faces; does nothing if the host has left."""
        with self._lock:
            now = self._now
            if now is None or now.run != run:
                return None
            counts = {face: now.deck.faces[face] for face in named}
            shown = {face: (card,) for face, card in named.items()}
            try:
                taught_decks.save_deck(
                    taught_decks.TaughtDeck(now.deck.name, now.deck.card or taught_decks.CARD, counts, shown),
                    now.deck.folder,
                )
            except (OSError, TroubleError) as error:
                return not_written_notice(error)
            known = {**now.known, **pictures_of(named)}
            self._now = replace(now, known=known, course=_course_of_missing(now.deck.name, known), wrong=())
        return None

    def count(self, face: str, number: int) -> Notice | None:
        """Set the number of cards of a taught face in the box."""
        with self._lock:
            now = self._now
            if now is None:
                return Notice(NoticeKey.LESSON_MISSING)
            if face not in now.deck.faces or not 0 <= number <= MAX_COUNT:
                return Notice(NoticeKey.NO_SUCH_FACE)
            self._pausing.touch()
            name = now.deck.name
            homes = (draft_folder(name), taught_folder(name))
            home = next((home for home in homes if face in faces_taught(home)), None)
            try:
                if home is not None:
                    taught_decks.save_deck(
                        taught_decks.TaughtDeck(
                            name, taught_decks.read_deck_file(home).card, {face: number}, {}
                        ),
                        home,
                    )
            except (OSError, TroubleError) as error:
                return not_written_notice(error)
            self._now = replace(now, deck=replace(now.deck, faces={**now.deck.faces, face: number}))
        return None

    def save(self) -> Notice | None:
        """Save all taught faces; if the deck is in play, the eyes load it at once."""
        with self._lock:
            now = self._now
            if now is None:
                return Notice(NoticeKey.LESSON_MISSING)
            if not taught_decks.is_deck(draft_folder(now.deck.name)):
                return Notice(NoticeKey.NOTHING_TAUGHT)
            name = now.deck.name
            try:
                taught_decks.save_deck(taught_decks.load_kept_deck(draft_folder(name)), taught_folder(name))
                taught_decks.forget_deck(draft_folder(name))
            except (OSError, TroubleError) as error:
                return not_written_notice(error)
        read_anew(self._client, name)
        self.close()
        return None

    def discard(self, deck: str) -> Notice | None:
        """Delete a deck's draft, and end its course."""
        if deck not in known_decks():
            return Notice(NoticeKey.NO_SUCH_DECK)
        with self._lock:
            with suppress(OSError):
                taught_decks.forget_deck(draft_folder(deck))
            is_taught = self._now is not None and self._now.deck.name == deck
        if is_taught:
            self.close()
        return None

    def forget(self, deck: str) -> Notice | None:
        """Delete a saved deck, so that our printed cards are read again."""
        if deck not in known_decks():
            return Notice(NoticeKey.NO_SUCH_DECK)
        try:
            taught_decks.forget_deck(taught_folder(deck))
            read_anew(self._client, deck, partial(deck_folder, scratch=self._scratch))
        except OSError as error:
            return not_written_notice(error)
        return None

    def _shot_names(self, now: Teaching) -> Mapping[str, str]:
        """Return the names of the faces' pictures; cached, as they change only when a face is taught."""
        if self._shots[0] is not now.known:
            self._shots = now.known, {face: shot_name(picture) for face, picture in now.known.items()}
        return self._shots[1]

    def _trials_of(self, now: Teaching) -> Trying:
        """Find the faces that the reader may confuse; slow, so all viewers share one trial."""
        with self._lock:
            if self._trying.known is not now.known:
                self._trying = Trying(now.known, pairs=None if now.known else ())
                if now.known:
                    Thread(target=self._try, args=(self._trying,), name="trials", daemon=True).start()
            return self._trying

    def _try(self, trying: Trying) -> None:
        # imported here, so that a table starts without the trial code
        from vision.teaching.tried_decks import try_taught  # noqa: PLC0415

        def tell(done: int, _count: int) -> None:
            self._note_trials(replace(trying, done=done))

        taught = {face: (one,) for face, one in trying.known.items()}
        high, wide = next(iter(trying.known.values())).shape[:2]
        self._note_trials(replace(trying, pairs=try_taught(taught, (wide, high), report=tell)))

    def _note_trials(self, trying: Trying) -> None:
        """Store the progress of the trials, unless newer ones have begun."""
        with self._lock:
            if self._trying.known is trying.known:
                self._trying = trying

    def _follow(self, run: int) -> None:
        """Receive reports of cards on the table for as long as this deck is taught."""
        while True:
            now = self._now
            if now is None or now.run != run:
                return
            future = self._client.show(messages.Attend(now.heard, now.shape), messages.TeachingReport)
            try:
                news = future.result(REPLY_TIMEOUT)
            except TimeoutError:
                # a report that arrives now is repeated at the next request
                future.cancel()
                continue
            except CancelledError:
                return
            self._hear(run, news, _similar_face(now, news))

    def _hear(self, run: int, news: messages.TeachingReport, alike: str) -> None:
        """Apply a report; detects a card that looks like another face."""
        with self._lock:
            now = self._now
            if now is None or now.run != run or news.number <= now.heard:
                return
            self._pausing.touch()
            what = news.what
            saw = "card" if isinstance(what, LoneCard) else what
            now = replace(now, heard=news.number, last=news, saw=saw, wrong=news.wrong)
            if what == "":
                self._now = replace(now, is_bare=False)
                return
            shape = what.shape if isinstance(what, LoneCard) else now.shape
            now = replace(now, is_bare=True, shape=shape)
            self._now = now if what == "reaching" else _take_step(now, what, alike)

    def _apply_event(self, event: lessons.CourseEvent) -> Notice | None:
        """Advance the course by a step; by two if the next one only waits for a table that is clear already."""
        with self._lock:
            if self._now is None:
                return Notice(NoticeKey.LESSON_MISSING)
            self._pausing.touch()
            now = _take_step(replace(self._now, wrong=()), event)
            goes_on = now.last is not None and now.last.what == "empty" and now.course.phase == "away"
            self._now = _take_step(now, "empty") if goes_on else now
        return None


def read_anew(client: TableClient, name: str, find_folder: Callable[[str], Path] = taught_folder) -> None:
    """Make the eyes load a deck after it was taught or deleted, if the table plays with it."""
    setup = client.moment().setup
    deck = setup.game.table.deck(setup.house)
    if deck.name == name:
        client.do(messages.UseDeck(str(find_folder(name)), deck.counts))


def _course_of_missing(deck: str, known: Collection[str]) -> lessons.Course:
    wanted = tuple(face for face in face_counts(deck) if face not in known)
    return lessons.begin_course(wanted)[0] if wanted else lessons.Course((), asking=False, phase="done")


def _learn_suit(jpeg: bytes, rows: Rows, now: Teaching) -> Mapping[str, CutCard]:
    """Cut a suit's cards out of a picture; refuse a suit that looks like one taught before."""
    picture = unpack_picture(jpeg)
    if picture is None:
        raise TroubleError("suit rows", cards=0, found=0, wanted=len(rows))
    wide, high = now.deck.card or taught_decks.CARD
    named = teach_rows(picture, rows, wide / high)
    check_suit(now.known, pictures_of(named))
    return named


def _take_step(now: Teaching, event: lessons.CourseEvent, alike: str = "") -> Teaching:
    after, says = lessons.advance_course(now.course, event)
    try:
        keep_new(now.deck, now.course, after, now.deck.faces)
    except OSError as error:
        return replace(now, wrong=(not_written_notice(error),))
    taught = now.course.taught
    new = {face: some[0].picture for face, some in after.taught.items() if taught.get(face) is not some}
    known = {**now.known, **new} if new else now.known
    is_first = len(after.shown) == 1 and not now.course.shown
    kept_on = now.alike if after.face == now.course.face and after.shown else ""
    saw = next((say.key for say in says if say.key in REMARKS), now.saw)
    return replace(now, course=after, known=known, saw=saw, alike=alike if is_first else kept_on)


def _similar_face(now: Teaching, news: messages.TeachingReport) -> str:
    if not isinstance(news.what, LoneCard) or now.course.phase != "lay":
        return ""
    others = {face: picture for face, picture in now.known.items() if face != now.course.face}
    apart, face = lessons.find_nearest_face(news.what.picture, others)
    return face if apart < LIMIT else ""


def _load_known(name: str) -> tuple[DeckToTeach, dict[str, Picture], float | None]:
    """Load a deck with a picture of each taught face, and the shape of its cards."""
    taught = [
        taught_decks.load_deck(home)
        for home in (taught_folder(name), draft_folder(name))
        if taught_decks.is_deck(home)
    ]
    known = {face: some[0] for deck in taught for face, some in deck.faces.items()}
    counts = {**face_counts(name), **{face: many for deck in taught for face, many in deck.counts.items()}}
    high, wide = next(iter(known.values())).shape[:2] if known else (0, 0)
    to_teach = DeckToTeach(name, draft_folder(name), counts, taught[-1].card if taught else None)
    return to_teach, known, wide / high if known else None


def not_written_notice(error: OSError | TroubleError) -> Notice:
    if isinstance(error, TroubleError):
        return Notice(NoticeKey.DECK_TROUBLE, {"why": error_sentence(error)})
    return Notice(NoticeKey.NOT_WRITTEN, {"why": error.strerror or str(error)})
