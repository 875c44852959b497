"""What guides the host on the pages: finding the table, teaching a deck; the table pauses for both."""

from collections.abc import Iterator, Mapping
from typing import Literal

from firmware.parts.finding import Home, TableFinder, TablePhotograph
from firmware.parts.learning import (
    Teacher,
    Teaching,
    draft_folder,
    face_counts,
    faces_taught,
    known_decks,
    taught_folder,
)
from firmware.parts.pausing import Pausing
from firmware.parts.seat_outlines import visible_parts
from firmware.parts.small_pictures import shot_name
from firmware.start.pages.shown_framing import shown_framing, wrong_besides
from firmware.table.door import TableDoor
from vision.pictures import Picture
from vision.teaching.lessons import PLACEMENTS, LoneCard
from vision.teaching.tried_decks import try_taught
from webui.doors.guides import (
    FindingProgress,
    Guides,
    LessonFace,
    LookalikePair,
    TablePart,
    TeachableDeck,
    TeachingProgress,
)


def guides(door: TableDoor, home: Home) -> Guides:
    """Put both together."""
    pausing = Pausing(door)
    return Guides(FinderDoor(door, home, pausing), TeacherDoor(door, pausing))


class FinderDoor(TableFinder):
    """Finding the table, and how far it has come."""

    def sight(self) -> FindingProgress:
        """Tell how far it has come."""
        with self._lock:
            shown, is_open = self._shown, self._is_open
        is_kept = self._home.file.exists()
        if not is_open or shown is None:
            framing = self.framing() if is_open else None
            wrong = wrong_besides(framing) if framing else self._door.troubles() if is_open else ()
            return FindingProgress(is_open, is_kept, wrong=wrong, framing=shown_framing(framing))
        return FindingProgress(
            is_open, is_kept, shown.number, shown.size, shown.markers, self._parts(shown),
            shown.layout.apart, shown.wrong,
        )  # fmt: skip

    def markers(self) -> bytes:
        """Give the markers to print."""
        # a table starts without what draws the sheets
        from hardware.decks.print.documents import markers  # noqa: PLC0415

        return markers()

    def _parts(self, shown: TablePhotograph) -> tuple[TablePart, ...]:
        if shown.found is None:
            return ()
        parts = visible_parts(shown.found, self._zones(shown.layout))
        return tuple(TablePart(part.name, part.outline, part.middle) for part in parts)


class TeacherDoor(Teacher):
    """Teaching a deck, and how far it has come."""

    def __init__(self, door: TableDoor, pausing: Pausing) -> None:
        """Begin with nothing."""
        super().__init__(door, pausing)
        self._pairs: tuple[object, tuple[LookalikePair, ...]] = (None, ())
        self._shots: tuple[object, Mapping[str, str]] = (None, {})

    def decks(self) -> tuple[TeachableDeck, ...]:
        """List the decks of the games, each edition with its own."""
        return tuple(_deck_summary(name, game, edition) for name, (game, edition) in known_decks().items())

    def lesson(self) -> TeachingProgress | None:
        """Tell how far it has come."""
        with self._lock:
            now = self._now
        if now is None:
            return None
        name, course, last = now.deck.name, now.course, now.last
        task = "bare" if not now.is_bare and course.phase != "done" else course.phase
        card = last.what if last is not None and isinstance(last.what, LoneCard) else None
        return TeachingProgress(
            deck=_deck_summary(name, *known_decks()[name]),
            faces=_faces(name, now.deck.faces, self._shot_names(now)),
            task="lay" if task == "name" else task,
            face=course.face,
            placed=len(course.shown),
            most=PLACEMENTS,
            saw=now.saw,
            alike=now.alike,
            wrong=now.wrong,
            size=(0, 0) if last is None else last.size,
            outline=() if card is None else tuple((float(x), float(y)) for x, y in card.corners),
            pairs=self._similar_pairs(now) if course.phase == "done" else (),
        )

    def _shot_names(self, now: Teaching) -> Mapping[str, str]:
        """Name the pictures of the faces; they change only when a face is taught."""
        if self._shots[0] is not now.known:
            self._shots = now.known, {face: shot_name(picture) for face, picture in now.known.items()}
        return self._shots[1]

    def _similar_pairs(self, now: Teaching) -> tuple[LookalikePair, ...]:
        """Find the faces that the reader may confuse; that takes a while, and is done once for all who look."""
        if self._pairs[0] is not now.known:
            self._pairs = now.known, tuple(_alike_pairs(now.known))
        return self._pairs[1]


def _alike_pairs(known: Mapping[str, Picture]) -> Iterator[LookalikePair]:
    """List the faces that trials hardly told apart."""
    if known:
        high, wide = next(iter(known.values())).shape[:2]
        for doubt in try_taught({face: (one,) for face, one in known.items()}, (wide, high)):
            yield LookalikePair(doubt.face, doubt.other)


def _faces(name: str, counts: Mapping[str, int], shots: Mapping[str, str]) -> tuple[LessonFace, ...]:
    """List the faces of a deck, and which are taught."""
    drafted, taught = faces_taught(draft_folder(name)), faces_taught(taught_folder(name))

    def state(face: str) -> Literal["missing", "drafted", "taught"]:
        return "drafted" if face in drafted else "taught" if face in taught else "missing"

    return tuple(LessonFace(face, many, state(face), shots.get(face, "")) for face, many in counts.items())


def _deck_summary(name: str, game: str, edition: str) -> TeachableDeck:
    states = [face.state for face in _faces(name, face_counts(name), {})]
    taught, drafted = states.count("taught"), states.count("drafted")
    return TeachableDeck(name, game, edition, len(states), taught, drafted, draft_folder(name).is_dir())
