"""Teach a deck at the table, card by card: pure steps, for a terminal or a page.

`advance_course` applies an event and returns the messages for the teacher. Each card is placed three times:
first upright, then anywhere and at any angle. Later placements are compared with the first.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.card_cuts import CutCard, LoneCard, TableContent
from vision.pictures import Picture
from vision.process.watching import RIM, STEP, difference_mask, gate_picture
from vision.teaching.kept_cuts import keep_ground, turned_round
from vision.teaching.likeness import LIMIT, distance
from vision.teaching.lone_card import CardOutline, aspect, find_card_outlines, rectify_card
from vision.teaching.taught_decks import SIZES, FolderLesson, Shot, usual_shape
from vision.troubles import Problem

PLACEMENTS = 3
SAME = 0.35  # largest distance between placements of one card; similar cards are farther apart
STRANGE, MARGIN = 0.5, 0.05
"""Distance at which two photographs disagree; one that much nearer to another face was misnamed."""
MOVED = 0.05
"""Smallest move of a card's corners that counts as a new placement, as a share of the picture's width."""
LEAST = 0.002  # smallest share of the picture that a card takes
ANOTHER = 0.25  # size of a second object, relative to the largest, from which it is another card
MOST_OF_IT = 0.45
"""Smallest share of an object's area that its card takes; blur enlarges the area."""


# events


class NameFace(Struct, frozen=True):
    """The teacher names the card's face."""

    face: str


class TeachFace(Struct, frozen=True):
    """The teacher selects the next face, even one already taught."""

    face: str


CourseEvent = TableContent | NameFace | TeachFace | Literal["skip", "back", "end"]
"""Observations, and the teacher's commands: skip a face, go back a placement or to the previous face, or
end the course. A face with any placement is saved."""


class CoursePrompt(Struct, frozen=True):
    """A message to the teacher, as data."""

    key: Literal[
        "lay", "lay any", "name it", "got it", "taught", "take away", "several", "unclear", "upright",
        "another card", "done",
    ]  # fmt: skip
    face: str = ""
    count: int = 0  # number of pictures of this face so far


# the course


class Course(Struct, frozen=True, eq=False):
    """The progress of teaching a deck."""

    wanted: tuple[str, ...]
    """Faces still to teach, the next first; if empty, the teacher names each card."""
    asking: bool
    phase: Literal["lay", "name", "turn", "away", "done"] = "lay"
    face: str = ""
    shown: tuple[LoneCard, ...] = ()  # the placements of this face so far
    taught: Mapping[str, tuple[CutCard, ...]] = {}


def begin_course(wanted: Sequence[str]) -> tuple[Course, tuple[CoursePrompt, ...]]:
    """Begin a course for the faces of a deck; without faces, the teacher names each card."""
    return _ask_next_card(Course(tuple(wanted), asking=not wanted))


def advance_course(course: Course, event: CourseEvent) -> tuple[Course, tuple[CoursePrompt, ...]]:
    """Apply an event. Return the new course and the messages for the teacher."""
    match event:
        case LoneCard():
            return _look_at_card(course, event)
        case "empty" if course.phase == "away":
            return _ask_next_card(course)
        case "several" | "unclear" if course.phase in {"lay", "turn"}:
            return course, (CoursePrompt(event, course.face, len(course.shown)),)
        case _:
            return _follow_instruction(course, event)


def _follow_instruction(course: Course, event: CourseEvent) -> tuple[Course, tuple[CoursePrompt, ...]]:
    match event:
        case NameFace(face) if course.phase == "name":
            return _take_placement(replace(course, face=face, shown=()), course.shown[-1])
        case TeachFace(face):
            wanted = (face, *(each for each in course.wanted if each != face))
            return _ask_to_clear(replace(course, wanted=wanted))
        case "skip":
            return _ask_to_clear(replace(course, wanted=course.wanted[1:]))
        case "back":
            return _go_back(course)
        case "end":
            return replace(_keep_face(course), phase="done"), (CoursePrompt("done"),)
        case _:
            return course, ()


def _go_back(course: Course) -> tuple[Course, tuple[CoursePrompt, ...]]:
    """Drop this face's last placement; if there is none, return to the previous face."""
    if course.phase == "turn" and len(course.shown) > 1:
        shown = course.shown[:-1]
        return replace(course, shown=shown), (CoursePrompt("got it", course.face, len(shown)),)
    if course.phase == "turn":
        return _follow_instruction(course, TeachFace(course.face))
    before = next(reversed([*course.taught]), "")
    return _follow_instruction(course, TeachFace(before)) if before else (course, ())


def _ask_next_card(course: Course) -> tuple[Course, tuple[CoursePrompt, ...]]:
    if course.wanted:
        return replace(course, phase="lay", face=course.wanted[0], shown=()), (
            CoursePrompt("lay", course.wanted[0]),
        )
    if course.asking:
        return replace(course, phase="lay", face="", shown=()), (CoursePrompt("lay any"),)
    return replace(course, phase="done"), (CoursePrompt("done"),)


def _ask_to_clear(course: Course) -> tuple[Course, tuple[CoursePrompt, ...]]:
    """Continue with another face once the table is clear."""
    if course.phase == "lay":
        return _ask_next_card(course)
    return replace(course, phase="away", shown=()), (CoursePrompt("take away", course.face),)


def _look_at_card(course: Course, card: LoneCard) -> tuple[Course, tuple[CoursePrompt, ...]]:
    if course.phase == "lay":
        if (aspect(card.corners) <= 1) != (card.shape <= 1):
            return course, (CoursePrompt("upright", course.face),)
        if not course.face:
            return replace(course, phase="name", shown=(card,)), (CoursePrompt("name it"),)
        return _take_placement(course, card)
    if course.phase != "turn" or not has_moved(course.shown[-1], card):
        return course, ()
    same = turn_like_first(course.shown[0].picture, card.picture)
    if same is None:
        return course, (CoursePrompt("another card", course.face, len(course.shown)),)
    return _take_placement(course, card if same is card.picture else turned_round(card))


def _take_placement(course: Course, card: LoneCard) -> tuple[Course, tuple[CoursePrompt, ...]]:
    course = replace(course, phase="turn", shown=(*course.shown, card))
    count = len(course.shown)
    if count < PLACEMENTS:
        return course, (CoursePrompt("got it", course.face, count),)
    return replace(_keep_face(course), phase="away", shown=()), (CoursePrompt("taught", course.face, count),)


def _keep_face(course: Course) -> Course:
    if not course.shown or not course.face:
        return course
    wanted = tuple(face for face in course.wanted if face != course.face)
    return replace(course, taught={**course.taught, course.face: course.shown}, wanted=wanted)


def has_moved(before: LoneCard, now: LoneCard) -> bool:
    side = float(np.hypot(*(before.corners[0] - before.corners[2])))
    return float(np.abs(before.corners - now.corners).max()) > MOVED * max(side, 1.0)


# comparing pictures


def turn_like_first(first: Picture, other: Picture) -> Picture | None:
    apart, way = min((distance(first, each), number) for number, each in enumerate(_both_ways(other)))
    return None if apart > SAME else _both_ways(other)[way]


def _both_ways(picture: Picture) -> tuple[Picture, Picture]:
    return picture, np.ascontiguousarray(picture[::-1, ::-1])


def find_disagreements(shots: Sequence[Shot]) -> dict[str, Problem]:
    """Return the pictures, by file, that don't look like the others of their face.

    One whose edges weren't seen may be cut tightly, and is compared with one whose edges were; one that looks
    A picture without visible edges may be cut tightly, so it is compared with one that has them.
    A picture closer to another face was misnamed; one that is close to no face may be a bad photograph.
    """
    faces: dict[str, dict[str, CutCard]] = {}
    for shot in shots:
        if shot.card is not None:
            faces.setdefault(shot.face, {})[shot.file] = shot.card
    usual = {face: _clearest(some).picture for face, some in faces.items()}
    problems: dict[str, Problem] = {}
    for face, some in faces.items():
        if len(some) > 1 and not _are_alike(some):
            others = {name: picture for name, picture in usual.items() if name != face}
            problems |= _disagreements_in(face, some, others)
    return problems


def _disagreements_in(
    face: str, some: Mapping[str, CutCard], others: Mapping[str, Picture]
) -> Mapping[str, Problem]:
    near = {file: find_nearest_face(card.picture, others) for file, card in some.items()}
    typical, far = _typical_picture(some, {file: apart for file, (apart, _other) in near.items()})
    problems: dict[str, Problem] = {}
    for file, apart in far.items():
        nearest, stranger = near[file]
        is_misnamed = nearest < apart - MARGIN
        is_cut_worse = _edges_seen(some[typical]) > _edges_seen(some[file])
        if is_cut_worse and nearest > LIMIT and (is_misnamed or apart > STRANGE):
            problems[file] = Problem("cut tightly", {"file": file, "other": typical})
        elif is_misnamed:
            problems[file] = Problem("another face", {"file": file, "face": face, "other": stranger})
        elif apart > STRANGE:
            problems[file] = Problem("disagrees", {"file": file, "other": typical})
    return problems


LEFT_OUT = frozenset({"another face", "cut tightly"})  # problems of pictures that the deck doesn't need


def check_lesson(lesson: FolderLesson) -> FolderLesson:
    wrong = find_disagreements(lesson.shots)
    shots = tuple(replace(shot, problem=wrong.get(shot.file, shot.problem)) for shot in lesson.shots)
    left_out = {id(shot.card) for shot in shots if shot.problem and shot.problem.key in LEFT_OUT}
    cards = {
        face: tuple(card for card in some if id(card) not in left_out)
        for face, some in lesson.taught.cards.items()
    }
    return replace(lesson, taught=replace(lesson.taught, cards=cards), shots=shots)


def _clearest(some: Mapping[str, CutCard]) -> CutCard:
    """Return the reference picture of a face: the first one with visible edges."""
    return min(some.values(), key=lambda card: -_edges_seen(card))


def _are_alike(some: Mapping[str, CutCard]) -> bool:
    first, *others = (card.picture for card in some.values())
    return all(_distance_either_way(first, other) <= LIMIT for other in others)


def _typical_picture(some: Mapping[str, CutCard], near: Mapping[str, float]) -> tuple[str, Mapping[str, float]]:
    """Return the most typical picture, and those far from it with their distances.

    One that is alike another face, or whose edges weren't seen, comes last. Two are as far from each other:
    Pictures that resemble another face, or lack visible edges, rank last. Two pictures
    are equally far from each other, so the sharper one counts.
    """
    files, cards = list(some), list(some.values())
    apart = np.zeros((len(files), len(files)))
    for i, j in combinations(range(len(files)), 2):
        apart[i, j] = apart[j, i] = _distance_either_way(cards[i].picture, cards[j].picture)
    rated = [
        (near[file] <= LIMIT, -_edges_seen(card), float(apart[i].sum()), -_sharpness(card.picture))
        for i, (file, card) in enumerate(some.items())
    ]
    typical = min(range(len(files)), key=rated.__getitem__)
    distances = zip(files, apart[typical].tolist(), strict=True)
    return files[typical], {file: far for file, far in distances if far > LIMIT}


def _edges_seen(card: CutCard) -> int:
    """Return 2 for visible edges, 1 for those of the picture, which may lie inside the card, 0 for none."""
    if card.wide is None:
        return 2
    return int(card.wide.cut.is_sure) * (1 if card.wide.cut.kind == "nothing" else 2)


def _sharpness(picture: Picture) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var())


def _distance_either_way(one: Picture, other: Picture) -> float:
    upright = distance(one, other)
    return upright if upright <= LIMIT else min(upright, distance(one, _both_ways(other)[1]))


def find_nearest_face(picture: Picture, others: Mapping[str, Picture]) -> tuple[float, str]:
    return min(
        ((_distance_either_way(theirs, picture), face) for face, theirs in others.items()), default=(1.0, "")
    )


# looking at the table


def look_at_table(ground: Picture, picture: Picture, shape: float | None = None) -> TableContent | None:
    """Return the contents of a table with a known empty picture; None while something reaches in.

    `shape` is width divided by height of the deck's cards, if known.
    """
    parts = _find_parts(ground, picture)
    if parts is None:
        return None
    if not parts:
        return "empty"
    largest = max(parts, key=lambda part: part[4])
    if sum(part[4] > ANOTHER * largest[4] for part in parts) > 1:
        return "several"
    return _card_in(ground, picture, largest, shape)


Part = tuple[int, int, int, int, int]
"""Left, top, width, height and area of an object, in pixels of the small picture."""


def _find_parts(ground: Picture, picture: Picture) -> list[Part] | None:
    """Return the objects that differ from the empty table; None if something reaches in from the edge."""
    differs = difference_mask(gate_picture(ground), gate_picture(picture))
    rim = differs.copy()
    rim[RIM:-RIM, RIM:-RIM] = False
    # only the print of a white card is visible on a white table, in pieces
    mask = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    _count, _labels, figures, _middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts: list[Part] = [tuple(row) for row in figures[1:].tolist() if row[4] > LEAST * mask.size / 4]
    return None if rim.sum() > 3 else parts


def _card_in(ground: Picture, picture: Picture, part: Part, shape: float | None) -> TableContent:
    left, top, wide, high, area = (each * STEP for each in part)
    room = round(0.6 * max(wide, high))
    x, y = max(0, left - room), max(0, top - room)
    window = (slice(y, top + high + room), slice(x, left + wide + room))
    cut = _fade_table_lines(ground[window], picture[window])
    least = MOST_OF_IT * area * STEP / (cut.shape[0] * cut.shape[1])
    cards = [each for each in find_card_outlines(cut) if each.share > least]
    fitting = [each for each in cards if shape is None or _has_shape(each, shape)]
    if not fitting:
        return "several" if cards else "unclear"
    # on a white table a card's printed frame stands out more than its rim
    usual = [each for each in fitting if any(_has_shape(each, wide / high) for wide, high in SIZES)]
    best = (usual or fitting)[0]
    corners, own = best.corners, shape or usual_shape(best.shape, 0.05)
    across = (aspect(corners) <= 1) != (own <= 1)
    turned = np.roll(corners, 1, axis=0) if across else corners
    kept = keep_ground(picture[window], turned)
    return LoneCard(rectify_card(cut, turned, own), kept, corners=corners + np.array((x, y)), shape=own)


def _fade_table_lines(ground: Picture, picture: Picture) -> Picture:
    """Fade the table into one colour away from the objects on it, so that its own lines vanish."""
    differs = difference_mask(gate_picture(ground), gate_picture(picture)).astype(np.uint8)
    mask = cv2.resize(differs, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((41, 41), np.uint8))
    near = cv2.dilate(closed, np.ones((25, 25), np.uint8))
    share = cv2.GaussianBlur(near.astype(np.float32), (0, 0), 8)[..., None]
    colour = np.median(ground.reshape(-1, 3), axis=0).astype(np.float32)
    return np.asarray(picture * share + colour * (1 - share), np.uint8)


def _has_shape(card: CardOutline, shape: float) -> bool:
    return abs(abs(float(np.log(card.shape))) - abs(float(np.log(shape)))) < 0.1
