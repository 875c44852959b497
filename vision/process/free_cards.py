"""Find the table by cards: by those with a sure name, else by those that were laid since an earlier picture.

Print of a ground has edges, too, and a play mat has places of one size. Nothing else has a card's name, and
only what was laid is new. Outlines that are neither are shown, and count once a person has tapped them.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from vision.pictures import Picture, small_jpeg
from vision.process.card_table import FAR, FEWEST, far_problems, view_problems
from vision.process.hindered_cards import hindered_cards
from vision.process.laid_cards import find_laid_cards
from vision.process.messages import CardsShown, ShowCards, ShownCard
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import common_share, surroundings_at
from vision.sightings import Cards, Outline, Point
from vision.table.calibration import light_and_focus_problems
from vision.table.card_plane import FOUR, CardFit, exact_outlines, fit_cards, misfits, with_light
from vision.table.plane import as_outline, holds, lengths_of
from vision.table.plates import Millimetres
from vision.table.values import Optics, Size
from vision.teaching.free_cards import find_card_at, find_free_cards

NAMED, EXACT_NAMED = 3, 0.8
"""Fewest cards with a sure name that give a table, and its largest error in millimetres."""
EXACT = 0.9  # largest error of a table by `FOUR` cards without names; places that are no cards fit worse
SIZES: tuple[Millimetres, ...] = ((63.0, 88.0), (56.0, 87.0))
"""Sizes of the cards of an unknown deck, the usual one first."""
SHAPE = 0.68  # width / height between both
BETTER = 0.7  # share of the usual size's error below which as many cards have the other size
ALIKE = 0.02  # largest error of an unnamed card on a table by names, as a share of its length
SHOWN = 1280  # pixels across the picture of a page
SMALLEST = 20.0  # shortest side in pixels of a card that is found, so that the page can say that it is too far
LARGEST = 0.06  # largest share of the picture that is a card, and not a heap of them
MARGIN = 0.005  # width of the picture's edge in which no whole card ends, as a share of the width
SAME = 0.5  # share of two outlines' area from which they are the same card


class Sought(Struct, frozen=True, eq=False):
    """What is known of cards that are laid: the decks that they may be of, and the table without them."""

    decks: Mapping[str, Templates] = {}
    """By folder; first the one that gave most names last."""
    empty: Picture | None = None


class _Way(Struct, frozen=True, eq=False):
    """Outlines that count as cards of one size, and the table fitted to them."""

    card: Millimetres
    outlines: tuple[Outline, ...]
    fit: CardFit | None

    @property
    def used(self) -> tuple[Outline, ...]:
        return self.outlines if self.fit is None else self.fit.outlines

    def is_exact(self, fewest: int, most: float) -> bool:
        return self.fit is not None and len(self.used) >= fewest and self.fit.table.residual < most


def show_cards(picture: Picture, sought: Sought, told: ShowCards, optics: Optics | None) -> CardsShown:
    """Show which cards give a table, and why the others don't; taps decide where a person knows better."""
    size = (picture.shape[1], picture.shape[0])
    folder, cards, exact = _read_best(picture, sought.decks, optics)
    named = _without(told.others, exact)
    card = sought.decks[folder].size if named else SIZES[0]
    way, doubtful = _fitted(named, card, size, optics), tuple[Outline, ...]()
    is_named = way.is_exact(NAMED, EXACT_NAMED)
    if is_named and way.fit is not None:
        # others of that size are shown, too, but don't change the table
        others = _without(told.others, [each.outline for each in cards])
        alike = [each for each in others if float(misfits(way.fit.table, [each], card)[0]) < ALIKE]
        shown = _each_once(way.used, alike)
    else:
        tapped = [find_card_at(picture, card[0] / card[1], at, SMALLEST, LARGEST) for at in told.cards]
        sure = _each_once(named, [as_outline(each) for each in tapped if each is not None])
        new = _without(told.others, _laid(picture, sought))
        ways = [_fitted(_each_once(sure, new), each, size, optics) for each in ((card,) if named else SIZES)]
        way = ways[-1] if _is_better(ways[-1], ways[0]) else ways[0]
        shown = way.used
        if sought.empty is None:
            edged = map(as_outline, find_free_cards(picture, card[0] / card[1], SMALLEST, LARGEST))
            doubtful = _without(told.others, edged)
    maybe = _each_once(shown, doubtful)[len(shown) :]
    hindered = hindered_cards(picture, shown, maybe)
    table = None
    if way.fit is not None and (is_named or way.is_exact(FOUR, EXACT)):
        table = with_light(way.fit.table, picture, way.used)
    if way.fit is None:
        across = max((float(lengths_of(np.array(each)).min()) for each in (*shown, *maybe)), default=FAR)
        view = far_problems(across, FAR)
    else:
        view = view_problems(way.fit.table, way.card, cards)
    return CardsShown(
        size,
        small_jpeg(picture, SHOWN),
        (
            *(ShownCard(each) for each in shown),
            *(ShownCard(each, "doubtful" if _is_off_edge(each, size) else "near edge") for each in maybe),
            *(each for each in hindered if each.why == "hand" or _without(told.others, [each.outline])),
        ),
        table,
        (*light_and_focus_problems(picture, {}), *view),
        folder if is_named else "",
    )


def _read_best(
    picture: Picture, decks: Mapping[str, Templates], optics: Optics | None
) -> tuple[str, Cards, tuple[Outline, ...]]:
    """Return the deck with most sure names, by its folder, its cards, and the exact outlines of sure ones.

    Once there are enough, no other deck is tried.
    """
    size = (picture.shape[1], picture.shape[0])
    best: tuple[str, Cards, tuple[Outline, ...]] = ("", (), ())
    for folder, deck in decks.items():
        cards = read(picture, deck).cards
        exact = exact_outlines(cards, size)
        if len(exact) == FEWEST and (found := fit_cards(exact, deck.size, size, optics)) is not None:
            # two names show from where the camera looks, and then there may be more
            again = read(picture, deck, None, surroundings_at(found.table)).cards
            if len(more := exact_outlines(again, size)) > len(exact):
                cards, exact = again, more
        best = max(best, (folder, cards, exact), key=lambda each: len(each[2]))
        if len(best[2]) >= NAMED:
            break
    return best


def _laid(picture: Picture, sought: Sought) -> Sequence[Outline]:
    if sought.empty is None or sought.empty.shape != picture.shape:
        return ()
    return find_laid_cards(picture, sought.empty, SHAPE, SMALLEST, LARGEST)


def _fitted(outlines: tuple[Outline, ...], card: Millimetres, size: Size, optics: Optics | None) -> _Way:
    return _Way(card, outlines, fit_cards(outlines, card, size, optics) if len(outlines) >= FEWEST else None)


def _is_better(other: _Way, usual: _Way) -> bool:
    """Return whether cards have the other size."""
    if other.fit is None or usual.fit is None:
        return other.fit is not None
    more = len(other.used) - len(usual.used)
    return more > 0 or (more == 0 and other.fit.table.residual < BETTER * usual.fit.table.residual)


def _each_once(first: Sequence[Outline], others: Iterable[Outline]) -> tuple[Outline, ...]:
    return (*first, *(each for each in others if all(common_share(each, one) < SAME for one in first)))


def _is_off_edge(outline: Outline, size: Size) -> bool:
    """Return whether the picture's edge isn't taken for a card's."""
    corners, margin = np.array(outline), MARGIN * size[0]
    return bool((corners > margin).all() and (corners < np.array(size) - margin).all())


def _without(places: Sequence[Point], outlines: Iterable[Outline]) -> tuple[Outline, ...]:
    """Leave out what a person said is no card."""
    return tuple(each for each in outlines if not any(holds(each, at) for at in places))
