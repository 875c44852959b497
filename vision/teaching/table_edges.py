"""Measure the true edges of a deck's cards on a table; correct pictures that were cut too wide or tight.

Print well inside a taught picture is located on lone cards, and their edges are measured from there, however
the picture was cut. Most decks are cut uniformly, so there is one offset for each side: top, right, bottom and
left, in widths of the taught picture.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.card_cuts import CardAlone, CutBefore, CutCard, KeptCut
from vision.pictures import Picture, unpack_picture
from vision.reading.reader import read
from vision.reading.templates import Floats, Templates
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.table.plates import Millimetres
from vision.teaching.card_edges import AROUND, steps_round, widened
from vision.teaching.kept_cuts import cut_again, within, without_ground
from vision.teaching.likeness import SIZE, find_warp, grey_of, shrink_and_whiten
from vision.teaching.taught_decks import TaughtDeck, card_size_for, usual_shape
from vision.teaching.tried_decks import SureNames, sure_names

Insets = tuple[float, float, float, float]
"""Distance of the cards' edges inside their taught pictures, for each side; negative if outside."""

FACES, OF_EACH = 5, 2  # number of faces, and of pictures of each, needed to measure the edges
WORTH = 0.012  # smallest offset for which a deck is cut again
STEADY = 0.02
"""Share of trials by which sure names may decrease, or wrong ones increase, by chance alone."""


# finding print again


class _Print(Struct, frozen=True, eq=False):
    """The inner print of a taught picture, and its position there, as shares."""

    face: str
    inner: Reals
    patch: Floats


class FoundPrint(Struct, frozen=True, eq=False):
    """Print located on a table: its face, its score, and its corners in the picture."""

    face: str
    alike: float
    picture: Picture
    corners: Reals


def find_prints(taught: Mapping[str, Sequence[Picture]], seen: Sequence[CardAlone]) -> list[FoundPrint]:
    """Locate the print of taught pictures on lone cards; unnamed cards are compared with all faces."""
    prints = [_print_of(face, shot) for face, some in taught.items() for shot in some]
    told = ((card, unpack_picture(card.wide.jpeg)) for card in seen)
    found = (_find_on(picture, card, prints) for card, picture in told if picture is not None)
    return [each for each in found if each is not None]


def _print_of(face: str, shot: Picture) -> _Print:
    inner = UNIT_SQUARE + INNER * np.sign(0.5 - UNIT_SQUARE) * (1, shot.shape[1] / shot.shape[0])
    return _Print(face, inner, _soft(_part(shot, inner * shot.shape[1::-1])))


def _find_on(picture: Picture, card: CardAlone, prints: Sequence[_Print]) -> FoundPrint | None:
    """Locate print on one card; None if no print is clearly there."""
    corners = np.array(card.wide.cut.corners) * picture.shape[1::-1]
    likely = [(each, corners) for each in prints if each.face == card.face]
    if not card.face:
        ways = [(each, np.roll(corners, 2 * way, axis=0)) for each in prints for way in (0, 1)]
        likely = sorted(ways, key=lambda each: -_alike(picture, *each))[:LIKELIEST]
    found = sorted((_laid_onto(picture, *each) for each in likely), key=lambda each: -each.alike)
    others = (each.alike for each in found if each.face != found[0].face)
    is_clear = bool(found) and found[0].alike > max(ALIKE, max(others, default=0.0) + CLEARLY)
    return found[0] if is_clear else None


def _alike(picture: Picture, sought: _Print, corners: Reals) -> float:
    return _correlation(_part(picture, map_points(homography(UNIT_SQUARE, corners), sought.inner)), sought)


def _correlation(part: Picture, sought: _Print) -> float:
    return float(np.corrcoef(_soft(part).ravel(), sought.patch.ravel())[0, 1])


def _laid_onto(picture: Picture, sought: _Print, corners: Reals) -> FoundPrint:
    """Align print with a card near an expected position."""
    there = map_points(homography(UNIT_SQUARE, corners), sought.inner)
    for _step in range(STEPS):
        warp = find_warp(_soft(_part(picture, there)), sought.patch, cv2.MOTION_AFFINE)
        if warp is None:
            return FoundPrint(sought.face, 0.0, picture, there)
        moved = (map_points(np.vstack((warp, (0, 0, 1))), UNIT_SQUARE * SIZE - 0.5) + 0.5) / SIZE
        there = map_points(homography(UNIT_SQUARE, there), moved)
        if np.abs(moved - UNIT_SQUARE).max() < FOUND:
            break
    return FoundPrint(sought.face, _correlation(_part(picture, there), sought), picture, there)


def _soft(picture: Picture) -> Floats:
    return np.asarray(cv2.GaussianBlur(grey_of(shrink_and_whiten(picture)), (0, 0), BLUR), np.float32)


INNER = 0.1  # margin of a picture that isn't used as its inner print, in widths
ALIKE, CLEARLY = 0.9, 0.02
"""Smallest score, and smallest lead over other faces on an unnamed card."""
LIKELIEST = 8  # number of pictures, both ways up, that are aligned with an unnamed card
STEPS, FOUND = 4, 0.002
"""Maximum number of alignment steps, because steps from far away fall short; and the size of the last one."""
BLUR = 2.0  # blur of the print in pixels, so that fine lines attract from farther away


def _part(picture: Picture, corners: Reals) -> Picture:
    wide, high = SIZE
    onto = homography(UNIT_SQUARE * (2 * wide, 2 * high) - 0.5, corners - 0.5)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = 2 * wide, 2 * high
    part = cv2.warpPerspective(picture, onto, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, np.uint8)


# measuring


def edges_of(found: Sequence[FoundPrint]) -> Insets | None:
    """Measure the cards' edges relative to their taught pictures; None for sides without a clear result."""
    told = [(each.face, steps_round(each.picture, each.corners)[:, UNTOLD:]) for each in found]
    told = [(face, steps) for face, steps in told if not np.isnan(steps).any()]
    if not are_enough([face for face, _steps in told]):
        return None
    steps = np.stack([each for _face, each in told])
    every, one, other = (_insets(some) for some in (steps, steps[::2], steps[1::2]))
    if one is None or other is None or np.abs(np.subtract(one, other)).max() > SAME:
        return None
    return every


SAME = 0.008  # largest difference between the edges measured by two halves of the pictures, in widths
UNTOLD = 2  # number of outermost depths without a measurable step


def are_enough(faces: Sequence[str]) -> bool:
    return sum(count >= OF_EACH for count in Counter(faces).values()) >= FACES


def _insets(steps: Reals) -> Insets | None:
    """Return the outermost edge shared by all pictures (n, 4, depths) at each side; None if a side has none."""
    rise = np.log((steps + 2) / (np.median(steps, axis=2, keepdims=True) + 2))
    at = [place for each in np.median(rise, axis=0) for place in _outermost_peak(each)]
    if len(at) < len(UNIT_SQUARE):
        return None
    reach = 2 * AROUND / (1 - 2 * INNER)
    top, right, low, left = (INNER - (steps.shape[2] - 1 - place) / reach for place in at)
    return top, right, low, left


def _outermost_peak(rise: Reals) -> list[float]:
    """Return the outermost position with a clear colour step, if there is one."""
    beside = np.pad(rise, 1, constant_values=-1.0)
    is_peak = (rise >= beside[:-2]) & (rise >= beside[2:]) & (rise > CLEAR * float(rise.max()))
    for at in np.flatnonzero(is_peak).tolist():
        if rise[at] > float(np.median(rise[: at + 1])) + RISE:
            near = slice(max(0, at - SOFT), at + SOFT + 1)
            weight = np.maximum(0.0, rise[near] - rise[at] / 2)
            return [float((weight * np.arange(len(rise))[near]).sum() / weight.sum())]
    return []


RISE, CLEAR = 0.35, 0.4
"""How much the colour steps at an edge more than outside, as a logarithm, and of the most that it does."""
SOFT = 4  # number of depths by which blur widens an edge on both sides


# cutting again


def correction_by(deck: TaughtDeck, seen: Sequence[CardAlone]) -> Insets | None:
    """Return the correction of a deck's cuts, if lone cards show one and reading doesn't get worse."""
    found = find_prints(deck.faces, seen)
    insets = edges_of(found)
    if insets is not None and not all(map(_has_ground, chain(*deck.cards.values()))):
        insets = _none_outward(insets)
    if insets is None or max(map(abs, insets)) < WORTH:
        return None
    cut = cut_by_table(deck, insets)
    return insets if cut is not deck and _reads_as_well(cut, deck, found) else None


def _has_ground(card: CutCard) -> bool:
    return card.wide is not None and card.wide.cut.kind != "before"


def _none_outward(insets: Insets) -> Insets:
    """Move only sides that were cut too wide: the pictures lack anything beyond a tight cut."""
    top, right, low, left = (max(0.0, each) for each in insets)
    return top, right, low, left


def cut_by_table(deck: TaughtDeck, insets: Insets) -> TaughtDeck:
    """Cut a deck's cards again and store their previous lines; lines confirmed by a person stay."""
    if all(card.wide is not None and card.wide.cut.by_hand for card in chain(*deck.cards.values())):
        return deck
    (across, high), (top, right, low, left) = deck.card, insets
    shape = across * (1 - left - right) / (high - across * (top + low))
    size = card_size_for(usual_shape(shape, NEAR_USUAL))
    return _cut_all(deck, size, lambda cut: _moved(cut, insets, deck.card))


NEAR_USUAL = 0.02  # largest relative difference from a common card shape that is replaced by it


def cut_as_before(deck: TaughtDeck) -> TaughtDeck:
    known = (card.wide.cut.before for card in chain(*deck.cards.values()) if card.wide is not None)
    size = next((before.card for before in known if before is not None), deck.card)
    return _cut_all(deck, size, _moved_back)


def _cut_all(deck: TaughtDeck, size: Millimetres, move: Callable[[KeptCut], KeptCut]) -> TaughtDeck:
    cards = {
        face: tuple(_cut_card(card, size[0] / size[1], move) for card in some)
        for face, some in deck.cards.items()
    }
    return TaughtDeck(deck.name, size, deck.counts, cards)


def _cut_card(card: CutCard, shape: float, move: Callable[[KeptCut], KeptCut]) -> CutCard:
    wide = card.wide or without_ground(card.picture)
    moved = replace(wide, cut=move(wide.cut))
    picture = cut_again(moved, moved.cut.corners, shape)
    return card if picture is None else CutCard(picture, moved)


def _moved(cut: KeptCut, insets: Insets, card: Millimetres) -> KeptCut:
    if cut.by_hand:
        return cut
    there = widened(np.array(cut.corners) * cut.size, -np.array(insets)) / cut.size
    return replace(cut, corners=within(there), before=cut.before or CutBefore(cut.corners, card))


def _moved_back(cut: KeptCut) -> KeptCut:
    return cut if cut.before is None else replace(cut, corners=cut.before.corners, before=None, by_hand=True)


def _reads_as_well(deck: TaughtDeck, before: TaughtDeck, found: Sequence[FoundPrint]) -> bool:
    """Return whether trials of a deck, and cards on the table, are read no worse than before."""
    (now, tried), (then, tried_before) = (sure_names(each.faces, each.card) for each in (deck, before))
    some = STEADY * sum(tried_before)
    shown, shown_before = _sure_on_table(now, found), _sure_on_table(then, found)
    return (
        tried.right >= tried_before.right - some
        and tried.wrong <= tried_before.wrong + some
        and shown.right >= shown_before.right
        and shown.wrong <= shown_before.wrong
    )


def _sure_on_table(deck: Templates, found: Sequence[FoundPrint]) -> SureNames:
    names = [card.face == each.face for each in found for card in read(each.picture, deck).cards if card.sure]
    return SureNames(sum(names), len(names) - sum(names))
