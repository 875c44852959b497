"""Find the one round piece in a photograph, on whatever even ground, and cut it out: a coin, a wooden disc."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.photographs import PhotographError, decode_photograph
from vision.pictures import Picture, shrink_picture
from vision.teaching.picture_folders import DeckTroubleError, files_in
from vision.teaching.taught_decks import MOST_PICTURES
from vision.troubles import Problem

LOOKED_AT, LARGEST = 900, 4000
"""Pixels along the longer side of the picture in which the piece is sought, and from which it is cut out."""
RIM = 0.06  # the share of the picture along its edges that shows the ground
APART = 4.0  # by how many times its own wavering a place must differ from the ground
LEAST, MOST = 0.002, 0.7  # the share of the picture that a piece takes
ROUNDEST = 0.86  # the least share of the circle round it that a round piece fills
FINE = 8.0  # pixels a millimetre at most of what is cut out


def cut_out_piece(picture: Picture, across: float) -> Picture | None:
    """Cut the one round piece out of a picture, as a square that it fills; None without one, or of several."""
    small = shrink_picture(picture, LOOKED_AT)
    shapes = [shape for shape in _shapes(small) if LEAST < cv2.contourArea(shape) / small[..., 0].size < MOST]
    if len(shapes) != 1:
        return None
    (x, y), radius = cv2.minEnclosingCircle(shapes[0])
    if cv2.contourArea(cv2.convexHull(shapes[0])) < ROUNDEST * np.pi * radius**2:
        return None
    scale = picture.shape[1] / small.shape[1]
    return _square(picture, ((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5), radius * scale, across)


def _shapes(small: Picture) -> Sequence[np.ndarray]:
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = max(2, round(RIM * min(small.shape[:2])))
    edges = np.concatenate(
        [each.reshape(-1, 3) for each in (lab[:rim], lab[-rim:], lab[:, :rim], lab[:, -rim:])]
    )
    ground = np.median(edges, axis=0)
    wavers = np.maximum(np.median(np.abs(edges - ground), axis=0) * 1.5, 2.0)
    differs = (np.abs(lab - ground) > APART * wavers).any(axis=2).astype(np.uint8)
    closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    clean = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    return cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]


def _square(picture: Picture, middle: tuple[float, float], radius: float, across: float) -> Picture:
    """Cut a square out, no finer than is of use."""
    side = max(24, min(round(2 * radius), round(across * FINE)))
    scale = 2 * radius / side
    matrix = np.array([(scale, 0, middle[0] - radius + scale / 2), (0, scale, middle[1] - radius + scale / 2)])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.3, scale / 2)) if scale > 1 else picture
    return np.asarray(cv2.warpAffine(np.asarray(soft), matrix, (side, side), flags=how), np.uint8)


def pieces_in_folder(folder: Path, across: float) -> tuple[tuple[Picture, ...], tuple[Problem, ...]]:
    pieces: list[Picture] = []
    wrong: list[Problem] = []
    for file in _pictures(folder):
        try:
            with file.open("rb") as content:
                piece = cut_out_piece(decode_photograph(content, LARGEST), across)
        except (PhotographError, OSError):
            wrong.append(Problem("no picture", {"file": str(file)}))
            continue
        if piece is None or is_even(piece):
            wrong.append(Problem("no piece" if piece is None else "plain piece", {"file": str(file)}))
        else:
            pieces.append(piece)
    return tuple(pieces), tuple(wrong)


def _pictures(folder: Path) -> Iterable[Path]:
    files = files_in(folder)
    if len(files) > MOST_PICTURES:
        raise DeckTroubleError("too many pictures", file=str(folder), most=MOST_PICTURES)
    return files


def is_even(piece: Picture) -> bool:
    """Return whether nothing is printed on a piece by which it could be told from any other disc."""
    small = cv2.resize(piece, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    rows, columns = np.mgrid[-1:1:32j, -1:1:32j]
    inside = small[rows**2 + columns**2 < INSIDE**2]
    return float(inside.std(axis=0).max()) < PRINTED


INSIDE, PRINTED = 0.85, 9.0
"""What lies within this share of the radius must vary by so many grey levels."""
