"""Find the table by cards of any deck: their edges are enough, so it needs neither names nor a taught deck."""

from vision.pictures import Picture
from vision.table.card_plane import FOUR, CardFit, fit_cards, with_light
from vision.table.plates import Millimetres
from vision.table.values import Optics
from vision.teaching.free_cards import find_free_cards


def fit_free_cards(picture: Picture, card: Millimetres, optics: Optics | None) -> CardFit | None:
    """Fit a table to cards that lie free, whatever they show; None with fewer than FOUR that fit together."""
    outlines = [each.outline for each in find_free_cards(picture, card[0] / card[1])]
    found = fit_cards(outlines, card, (picture.shape[1], picture.shape[0]), optics)
    if found is None or len(found.outlines) < FOUR:
        return None
    return CardFit(with_light(found.table, picture, found.outlines), found.outlines)
