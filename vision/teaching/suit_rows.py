"""Teach many cards from one picture: separate, upright, in two rows of known order.

Each error is one line: a row too short or with a gap, a mirrored lamp, a card present twice.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from msgspec import Struct

from vision.pictures import Picture, shrink_picture
from vision.table.plane import Reals
from vision.table.plates import Millimetres
from vision.teaching.draft_deck import DraftDeck, taught_deck_of
from vision.teaching.folder_lessons import FolderLesson, with_shot
from vision.teaching.free_cards import find_free_cards
from vision.teaching.kept_cuts import CutCard, cut_card
from vision.teaching.likeness import closest_pairs, distance
from vision.teaching.lone_card import FINE
from vision.teaching.picture_checks import Shot
from vision.teaching.picture_folders import face_of, files_in, read_photograph
from vision.teaching.taught_decks import CARD
from vision.troubles import Problem, TroubleError

Rows = tuple[tuple[str, ...], ...]  # the faces as laid out, row by row, from left to right

APART = 0.6  # smallest distance between card centres, in card widths
GAP = 1.7  # ratio to the usual distance between cards from which there is a gap
WHITE, MIRRORED = 253, 0.06
"""Level of an overexposed pixel, and the share of such pixels that only a mirrored lamp causes."""
TWICE, AGAIN = 0.2, 0.1
"""Largest distance of two pictures of the same card: within a suit, and between suits.

Between suits, only the small index symbols may differ.
"""


class Laid(Struct, frozen=True, eq=False):
    """A card in a picture: its corners, and its centre along and across the rows."""

    corners: Reals
    middle: Reals


def teach_rows(
    picture: Picture, rows: Rows, shape: float = 63 / 88, before: Mapping[str, Picture] = {}
) -> Mapping[str, CutCard]:
    """Cut out all cards of a picture by name; raise TroubleError if something is wrong.

    `before` are the cards of other pictures, none of which may be here under another name.
    """
    picture = shrink_picture(picture, FINE)
    cards = _turned_straight(find_free_cards(picture, shape))
    laid = _rows_of(cards)
    if len(laid) != len(rows):
        raise TroubleError("suit rows", found=len(laid), wanted=len(rows), cards=len(cards))
    for number, (row, faces) in enumerate(zip(laid, rows, strict=True), 1):
        _check_row(row, faces, number)
    named = {
        face: cut_card(picture, card.corners, shape)
        for row, faces in zip(laid, rows, strict=True)
        for card, face in zip(row, faces, strict=True)
    }
    pictures = {face: card.picture for face, card in named.items()}
    _check_light(pictures)
    like = next((pair for pair in closest_pairs(pictures) if pair.first != pair.second), None)
    if like is not None and like.distance < TWICE:
        raise TroubleError("suit twice", face=like.first, other=like.second)
    check_suit(before, pictures)
    return named


def check_suit(before: Mapping[str, Picture], now: Mapping[str, Picture]) -> None:
    """Reject cards that another picture already contains under other names."""
    for (face, picture), (other, known) in product(now.items(), before.items()):
        if face[:-1] == other[:-1] and face != other and distance(known, picture) < AGAIN:
            raise TroubleError("suit again", face=face, other=other)


def learn_suits(folder: Path, suits: Mapping[str, Rows], name: str, card: Millimetres = CARD) -> FolderLesson:
    """Learn a deck from a folder of pictures named after their suits."""
    shots, draft = list[Shot](), DraftDeck(name, card)
    for file in files_in(folder, empty="no pictures of suits"):
        before = {face: some[0].cut.picture for face, some in draft.faces.items()}
        try:
            rows = _rows_in(file, suits)
            named = teach_rows(read_photograph(file), rows, draft.shape, before)
        except TroubleError as error:
            problem = Problem(error.problem.key, {**error.problem.values, "suit": file.name})
            shots.append(Shot(file.name, face_of(file.name), problem=problem))
            continue
        found = [Shot(file.name, each, cut) for each, cut in named.items()]
        shots, draft = [*shots, *found], reduce(with_shot, found, draft)
    return FolderLesson(taught_deck_of(draft), tuple(shots))


def _rows_in(file: Path, suits: Mapping[str, Rows]) -> Rows:
    if (rows := suits.get(face_of(file.name))) is None:
        raise TroubleError("no suit", names=", ".join(suits))
    return rows


def _turned_straight(outlines: Sequence[Reals]) -> list[Laid]:
    """Return the card centres along and across the rows, in card widths."""
    if not outlines:
        return []
    directions = [outline[1] - outline[0] + outline[2] - outline[3] for outline in outlines]
    turn = float(np.median([np.arctan2(along[1], along[0]) for along in directions]))
    wide = float(np.median([np.hypot(*(outline[1] - outline[0])) for outline in outlines]))
    into = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) / wide
    return [Laid(outline, into @ outline.mean(axis=0)) for outline in outlines]


def _rows_of(cards: Sequence[Laid]) -> list[list[Laid]]:
    rows: list[list[Laid]] = []
    for card in sorted(cards, key=lambda card: float(card.middle[1])):
        if not rows or card.middle[1] - rows[-1][-1].middle[1] > APART:
            rows.append([])
        rows[-1].append(card)
    return [sorted(row, key=lambda card: float(card.middle[0])) for row in rows]


def _check_row(row: Sequence[Laid], faces: Sequence[str], number: int) -> None:
    """Reject a row with too few or too many cards; name the missing card if a gap shows which it is."""
    steps = [float(right.middle[0] - left.middle[0]) for left, right in pairwise(row)]
    usual = float(np.median(steps)) if steps else 0.0
    gap = next((place for place, step in enumerate(steps) if step > GAP * usual), None)
    if gap is not None and len(row) < len(faces):
        raise TroubleError("suit gap", row=number, face=faces[gap + 1])
    if len(row) != len(faces):
        raise TroubleError("suit row", row=number, found=len(row), wanted=len(faces))


def _check_light(named: Mapping[str, Picture]) -> None:
    """Reject a card with a mirrored lamp on it, which hides print there and on no other card."""
    burnt = {face: float((picture.min(axis=2) >= WHITE).mean()) for face, picture in named.items()}
    usual = float(np.median(list(burnt.values())))
    face = max(burnt, key=lambda each: burnt[each])
    if burnt[face] > usual + MIRRORED:
        raise TroubleError("suit glare", face=face)
