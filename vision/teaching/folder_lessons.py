"""Learn a deck from a folder of pictures: find the card in each, cut it out, collect the cards by face."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, reduce
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.table.plates import Millimetres
from vision.teaching import lone_card
from vision.teaching.deck_cut import CardCut, LaidPicture, cut_by, cut_on_ground, cut_whole, look_along_sides
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, taught_deck_of, with_picture
from vision.teaching.kept_cuts import CutCard, GroundKind, keep_ground
from vision.teaching.likeness import find_askew
from vision.teaching.odd_cuts import Why, odd_cuts
from vision.teaching.own_surroundings import cut_alone, cut_otherwise, look_of, shaped_like_card
from vision.teaching.picture_checks import LEFT_OUT, Shot, find_disagreements
from vision.teaching.picture_folders import DeckTroubleError, face_of, files_in, read_photograph, stated_counts
from vision.teaching.progress import ReportProgress, ignore_progress, report_each
from vision.teaching.taught_decks import CARD, SIZES, TaughtDeck, card_size_for, is_safe_name, usual_shape
from vision.troubles import Problem


class Cut(Struct, frozen=True):
    """The surroundings cut away around the cards."""

    kind: GroundKind
    millimetres: float = 0.0  # usual width of the ground on each side


class FolderLesson(Struct, frozen=True, eq=False):
    """Result of learning a folder: a deck of all readable faces, and each picture's result."""

    taught: TaughtDeck
    shots: tuple[Shot, ...]
    unshown: tuple[str, ...] = ()  # faces with a count but no picture
    cut: Cut | None = None  # the cards' surroundings, if each picture shows a card

    @property
    def unsure_edges(self) -> Mapping[str, Why]:
        """Pictures whose card edges a person should check, the oddest first."""
        wides = ((shot.file, shot.card.wide) for shot in self.shots if shot.card is not None)
        return odd_cuts({file: wide.cut for file, wide in wides if wide is not None})

    @property
    def missed_faces(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(shot.face for shot in self.shots if shot.face not in self.taught.faces))


def teach_from(
    folder: Path,
    name: str = "",
    card: Millimetres | None = None,
    known: Mapping[str, int] | None = None,
    margin: float | None = None,
    report: ReportProgress = ignore_progress,
) -> FolderLesson:
    """Learn a deck from a folder of pictures of one card each.

    `known` provides counts for faces without one. `margin` is the width in millimetres of the surroundings of
    each card; without it, the surroundings are detected.
    """
    files = files_in(folder)
    stated = stated_counts(folder)
    counts = {**(known or {}), **stated}
    with ThreadPoolExecutor(2) as both:
        seen = dict(zip(files, report_each(both.map(_look_for_card, files), len(files), report), strict=True))
    laid = {file: each for file, each in seen.items() if not isinstance(each, Problem)}
    kind, found = _find_cards(laid, card, margin, report)
    shape = card[0] / card[1] if card else _agreed_shape([each.shape for each in found.values()])
    cut_out = _cut_out(found, shape)
    wrong = {
        file: each if isinstance(each, Problem) else Problem("no card", {"file": str(file)})
        for file, each in seen.items()
    }
    shots = [
        Shot(file.name, face_of(file.name), *cut_out[file])
        if file in cut_out
        else Shot(file.name, face_of(file.name), problem=problem)
        for file, problem in wrong.items()
    ]
    differing = find_disagreements(shots)
    shots = [replace(shot, problem=differing.get(shot.file, shot.problem)) for shot in shots]
    draft = DraftDeck(name or folder.resolve().name, card or card_size_for(shape), possible=counts)
    taught = taught_deck_of(reduce(with_shot, shots, draft))
    unshown = tuple(face for face in stated if face not in {shot.face for shot in shots})
    rims = [each.rim for each in found.values() if each.kind == kind]
    cut = Cut(kind, round(float(np.median(rims)) * taught.card[0], 1) if kind == "ground" and rims else 0.0)
    return FolderLesson(taught, tuple(shots), unshown, cut)


def with_shot(draft: DraftDeck, shot: Shot) -> DraftDeck:
    """Add a picture's card to a deck, unless it is one that the deck is better without."""
    if shot.card is None or (shot.problem is not None and shot.problem.key in LEFT_OUT):
        return draft
    return with_picture(draft, LearntCard(shot.card, Origin(shot.file, (0, 0))), shot.face)


Finder = Callable[[Mapping[Path, Picture]], Mapping[Path, Reals]]
"""Returns the correct corners of badly cut pictures, as shares of each picture."""


def _cut_out(found: Mapping[Path, CardCut], shape: float) -> Mapping[Path, tuple[CutCard, Reals]]:
    """Cut the cards out. If some edges weren't visible, cards cut unlike the others are cut again."""
    places = {file: _standing(place, shape) for file, place in found.items()}

    def cut(file: Path) -> CutCard:
        photograph, place = read_photograph(file), places[file]
        # each card on a table was found by its own edges
        is_sure = place.sure or place.kind == "table"
        kept = keep_ground(photograph, place.corners, place.kind, place.rim, is_sure=is_sure)
        return CutCard(lone_card.rectify_card(photograph, place.corners, shape), kept)

    with ThreadPoolExecutor(2) as both:
        cards = dict(zip(places, both.map(cut, places), strict=True))
    # badly cut pictures are corrected twice: the first step falls short of a distant position
    finders: tuple[Finder, ...] = (_find_slivers, find_askew, find_askew)
    for find in () if all(place.sure for place in found.values()) else finders:
        for file, where in find({file: card.picture for file, card in cards.items()}).items():
            corners = map_points(homography(UNIT_SQUARE, places[file].corners), where)
            # cutting off ground on one side doesn't make the other sides more certain
            sure = places[file].sure or find is not _find_slivers
            places[file] = replace(places[file], corners=corners, sure=sure)
            cards[file] = cut(file)
    return {file: (card, places[file].corners) for file, card in cards.items()}


def _find_slivers(pictures: Mapping[Path, Picture]) -> Mapping[Path, Reals]:
    """Return the card's corners in pictures with slivers of ground, as shares of each picture."""
    laid = [look_along_sides(picture) for picture in pictures.values()]
    cuts = zip(pictures, laid, cut_whole(laid), strict=True)
    corners = ((file, (cut.corners + 0.5) / each.shape[1::-1]) for file, each, cut in cuts)
    return {file: where for file, where in corners if np.abs(where - UNIT_SQUARE).max() > 1e-9}


def _look_for_card(file: Path) -> LaidPicture | Problem:
    if not is_safe_name(face_of(file.name)):
        return Problem("bad face name", {"file": str(file), "face": face_of(file.name)})
    try:
        picture = read_photograph(file)
    except DeckTroubleError as error:
        return error.problem
    if min(picture.shape[:2]) < 50:
        return Problem("too small", {"file": str(file)})
    return look_along_sides(picture)


_SMALLEST = 0.005
"""Smallest share of a picture that a card takes, even below a table's camera; pips take less."""
Look = Callable[[Path], Sequence[lone_card.CardOutline]]


def _find_cards(
    laid: Mapping[Path, LaidPicture], card: Millimetres | None, margin: float | None, report: ReportProgress
) -> tuple[GroundKind, Mapping[Path, CardCut]]:
    """Find the card in each picture: all fill most of their pictures, or all are on a table."""
    seen, shape = list(laid.values()), card[0] / card[1] if card else None
    if margin is not None:
        kind: GroundKind = "ground" if margin else "nothing"
        cuts = [replace(cut_by(each, margin / (card or CARD)[0]), kind=kind) for each in seen]
        return kind, dict(zip(laid, cuts, strict=True))
    on_ground = cut_on_ground(seen, shape, [wide / high for wide, high in SIZES])

    @cache
    def look(file: Path) -> Sequence[lone_card.CardOutline]:
        found = lone_card.find_card_outlines(read_photograph(file))
        return [each for each in found if each.score > lone_card.SURE and each.share > _SMALLEST]

    kind = "nothing" if on_ground is None else "ground"
    if on_ground is None and not _are_cards_alone(laid, look):
        return "table", _on_tables(laid, shape, look, report)
    alike = dict(zip(laid, cut_whole(seen) if on_ground is None else on_ground, strict=True))
    return kind, _with_others(laid, {file: replace(cut, kind=kind) for file, cut in alike.items()}, kind, look)


def _with_others(
    laid: Mapping[Path, LaidPicture], alike: Mapping[Path, CardCut], kind: GroundKind, look: Look
) -> Mapping[Path, CardCut]:
    """Cut pictures with other surroundings than most by their own; without a visible edge, it is doubtful."""
    shape = _agreed_shape([each.shape for each in alike.values()])
    deck = look_of(laid, alike if kind == "ground" else shaped_like_card(laid, shape), shape)
    others = {} if deck is None else cut_otherwise(laid, alike, kind, deck)
    lying = [file for file, cut in others.items() if cut is None]
    found = _on_table(lying, shape, look)
    doubtful = {file: replace(alike[file], sure=False) for file in lying}
    return {**alike, **doubtful, **{file: cut for file, cut in others.items() if cut is not None}, **found}


def _agreed_shape(shapes: Sequence[float]) -> float:
    standing = [shape for shape in shapes if shape <= 1]
    chosen = standing if len(standing) * 2 >= len(shapes) else [shape for shape in shapes if shape > 1]
    if not chosen:
        return CARD[0] / CARD[1]
    shape = float(np.median(chosen))
    return usual_shape(shape, 0.02) if shape <= 1 else 1 / usual_shape(shape, 0.02)


def _are_cards_alone(laid: Mapping[Path, LaidPicture], look: Look) -> bool:
    """Return whether each picture shows only a card, so that outlines in it are printed."""
    shapes = np.log([each.shape[1] / each.shape[0] for each in laid.values()])
    if not len(shapes) or np.quantile(np.abs(shapes - np.median(shapes)), _MOST) > _CUT_OFF:
        return False
    seen = list(map(look, list(laid)[:: max(1, len(laid) // _SAMPLES)]))
    if any(abs(lone_card.upright(float(np.exp(np.median(shapes)))) / camera - 1) < 0.01 for camera in _CAMERAS):
        return not any(seen)
    return lone_card.count_tables(seen) * 2 <= len(seen)


_MOST, _CUT_OFF = 0.9, 0.08
"""Share of pictures with the same shape, and their largest log difference: hands crop them."""
_CAMERAS = (3 / 4, 9 / 16)
"""Shapes of cameras' pictures that aren't also common card shapes, like 2:3."""
_SAMPLES = 8  # pictures searched for a card on a table before all pictures are searched


def _on_tables(
    laid: Mapping[Path, LaidPicture], shape: float | None, look: Look, report: ReportProgress
) -> Mapping[Path, CardCut]:
    """Find the cards on a table, and those that fill their pictures or have a rim of ground."""
    with ThreadPoolExecutor(2) as both:
        seen = dict(zip(laid, report_each(both.map(look, laid), len(laid), report), strict=True))
    agreed = shape or _agreed_shape([some[0].shape for some in seen.values() if some])
    best = {file: lone_card.choose_outline(some, agreed) for file, some in seen.items()}
    clear = {file: CardCut(each.corners, agreed) for file, each in best.items() if each and each.share > _CLEAR}
    deck = look_of(laid, {**clear, **shaped_like_card(laid, agreed)}, agreed)
    alone = {} if deck is None else cut_alone(laid, deck)
    return {**_on_table([file for file in laid if file not in alone], agreed, look), **alone}


_CLEAR = 0.1  # smallest share of a picture that a card takes whose paper is measured


def _on_table(files: Sequence[Path], agreed: float, look: Look) -> Mapping[Path, CardCut]:
    """Find the cards on a table by their outlines and the deck's shape."""
    with ThreadPoolExecutor(2) as both:
        seen = list(both.map(look, files))
    chosen = [lone_card.choose_outline(some, agreed) for some in seen]
    usual = float(np.median([each.share for each in chosen if each is not None] or [1.0]))
    found: dict[Path, CardCut] = {}
    for file, card in zip(files, chosen, strict=True):
        if card is None or not lone_card.is_as_large(card.share, usual):
            card = lone_card.find_as_large(read_photograph(file), agreed, usual) or card  # noqa: PLW2901 - the better one
        if card is not None:
            found[file] = CardCut(card.corners, card.shape, sure=False, kind="table")
    return found


def _standing(place: CardCut, shape: float) -> CardCut:
    # the way up of a card across in a deck of upright cards is unknown
    stands = (lone_card.aspect(place.corners) <= 1) == (shape <= 1) or NEARLY_SQUARE < shape < 1 / NEARLY_SQUARE
    return place if stands else replace(place, corners=np.roll(place.corners, 1, axis=0))


NEARLY_SQUARE = 0.87  # such cards, or squarer ones, may be photographed either way
