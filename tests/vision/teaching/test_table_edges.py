"""Decks that were cut too wide or too tight are cut again by cards that lie alone on a table."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.given import present
from tests.tiers import tiered
from tests.vision.sets.drawn_decks import pictured_cards, playing_cards
from vision.card_cuts import CardAlone, CutCard
from vision.reading.templates import Picture
from vision.table.plane import UNIT_SQUARE, Reals, homography
from vision.teaching.kept_cuts import keep_ground
from vision.teaching.lone_card import rectify_card
from vision.teaching.table_edges import (
    Insets,
    correction_by,
    cut_as_before,
    cut_by_table,
    edges_of,
    find_prints,
)
from vision.teaching.taught_decks import TaughtDeck, card_size_for, usual_shape

KINDS = {"playing": (playing_cards, 5), "pictured": (pictured_cards, 6)}  # each with its number of faces
ACROSS = 190  # pixels across a card on the table
PLAIN: Insets = (0.0, 0.0, 0.0, 0.0)


@cache
def faces(kind: str) -> dict[str, Picture]:
    draw_deck, count = KINDS[kind]
    drawn = draw_deck()
    some = list(drawn.faces)[:: len(drawn.faces) // count][:count]
    return {name: np.asarray(drawn.face(name), np.uint8) for name in some}


def lay(face: Picture, ground: Picture, across: int, turned: float) -> tuple[Picture, Reals]:
    """Lay a card in the middle of a ground, turned by degrees: the picture, and where its corners are."""
    down = round(across * face.shape[0] / face.shape[1])
    small = cv2.resize(face, (across, down), interpolation=cv2.INTER_AREA)
    angle = np.radians(turned)
    way = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    corners = ((UNIT_SQUARE - 0.5) * (across, down)) @ way + np.divide(ground.shape[1::-1], 2)
    onto = homography(UNIT_SQUARE * (across, down) - 0.5, corners - 0.5)
    size = ground.shape[1::-1]
    share = cv2.warpPerspective(np.full(small.shape[:2], 1, np.float32), onto, size)[..., None]
    laid = ground * (1 - share) + cv2.warpPerspective(small, onto, size) * share
    return np.asarray(cv2.GaussianBlur(laid, (0, 0), 0.8).clip(0, 255), np.uint8), corners - 0.5


def wood(seed: int) -> Picture:
    grain = np.random.default_rng(seed).normal(0, 40, (460, 460, 3)).astype(np.float32)
    return np.asarray((cv2.GaussianBlur(grain, (0, 0), 3) * 3 + (70, 90, 120)).clip(0, 255), np.uint8)


@cache
def taught(kind: str, insets: Insets, *, has_ground: bool = True) -> TaughtDeck:
    """Teach a deck on dark cloth, where lines were drawn so far outside the cards."""
    top, right, low, left = insets
    cloth = np.full((620, 520, 3), (50, 60, 40), np.uint8)
    cards = {}
    for name, face in faces(kind).items():
        picture, corners = lay(face, cloth, 252, 0)
        # insets are told in widths of what was cut out
        line = corners + 252 / (1 - left - right) * np.array(
            [(-left, -top), (right, -top), (right, low), (-left, low)]
        )
        shape = float((line[1, 0] - line[0, 0]) / (line[3, 1] - line[0, 1]))
        kept = keep_ground(picture, line) if has_ground else None
        cards[name] = (CutCard(rectify_card(picture, line, shape), kept),)
    high, wide = next(iter(cards.values()))[0].picture.shape[:2]
    size = card_size_for(usual_shape(wide / high, 0.02))
    return TaughtDeck(kind, size, dict.fromkeys(cards, 1), cards)


@cache
def seen(kind: str) -> tuple[CardAlone, ...]:
    """See each card twice on wood; what the reader takes for its outline is a little off."""
    rng = np.random.default_rng(3)
    cards = []
    for name, face in faces(kind).items():
        for _time in range(2):
            picture, corners = lay(face, wood(int(rng.integers(99))), ACROSS, rng.uniform(-180, 180))
            cards.append(CardAlone(name, keep_ground(picture, corners + rng.normal(0, 2, (4, 2)))))
    return tuple(cards)


def edges_on(deck: TaughtDeck, cards: Sequence[CardAlone]) -> Insets | None:
    return edges_of(find_prints(deck.faces, cards))


@pytest.mark.parametrize(
    ("kind", "insets"),
    [("playing", PLAIN), ("pictured", (0.05, 0.02, 0.0, 0.04)), ("playing", (-0.05, -0.04, -0.05, -0.05))],
)
def test_measures_card_edges_from_print(kind: str, insets: Insets) -> None:
    told = present(edges_on(taught(kind, insets), seen(kind)))
    assert np.abs(np.subtract(told, insets)).max() < 0.008


def test_finds_unnamed_cards_by_print() -> None:
    deck = taught("playing", (0.06, 0.06, 0.06, 0.06))
    some = seen("playing")[1::4]
    nameless = [CardAlone("", each.wide) for each in some]
    found, named = (find_prints(deck.faces, cards) for cards in (nameless, some))
    assert [each.face for each in found] == [each.face for each in some]
    assert np.abs(np.subtract([each.corners for each in found], [each.corners for each in named])).max() < 0.5
    # cards of another deck aren't found
    assert find_prints(taught("pictured", PLAIN).faces, nameless[:1]) == []


def test_too_few_pictures_are_inconclusive() -> None:
    deck = taught("playing", (0.06, 0.06, 0.06, 0.06))
    assert edges_on(deck, seen("playing")[:8]) is None
    assert edges_on(deck, seen("playing")[::2]) is None


TOO_NEAR: Insets = (-0.05, -0.04, -0.05, -0.05)
"""Cut too near: a rim round the cards is cut at each commit by `firmware/services/test_card_lines.py`."""


def rim_of(deck: TaughtDeck) -> float:
    """Measure how much cloth is left in a deck's pictures, or cut off from its cards, at the worst side."""
    told = present(edges_on(deck, seen(deck.name)))
    return float(np.abs(told).max())


@pytest.mark.parametrize("insets", tiered((TOO_NEAR,), (TOO_NEAR, (0.06, 0.06, 0.06, 0.06))))
def test_deck_is_cut_again_at_edges_seen_on_table(insets: Insets) -> None:
    before = taught("playing", insets)
    found = present(correction_by(before, seen("playing")))
    after = cut_by_table(before, found)
    assert rim_of(after) < 0.01 < max(map(abs, found))
    assert after.card == taught("playing", PLAIN).card
    assert after.counts == before.counts


def test_correctly_cut_deck_is_unchanged() -> None:
    assert correction_by(taught("playing", PLAIN), seen("playing")) is None


def test_deck_read_worse_after_new_cut_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Insets = (0.2, 0.2, 0.2, 0.2)

    def misled(*_asked: object) -> Insets:
        return wrong

    monkeypatch.setattr("vision.teaching.table_edges.edges_of", misled)
    deck = taught("playing", PLAIN)
    few = replace(deck, cards=dict([*deck.cards.items()][1:3]))
    # cards that are read no more, or as two others
    assert correction_by(few, seen("playing")[2:5]) is None


def corners_of(deck: TaughtDeck) -> Sequence[object]:
    return [card.wide and card.wide.cut.corners for some in deck.cards.values() for card in some]


def test_old_cut_can_be_restored() -> None:
    before = taught("playing", (0.06, 0.06, 0.06, 0.06))
    found = present(edges_on(before, seen("playing")))
    after = cut_by_table(cut_by_table(before, found), found)
    back = cut_as_before(after)
    assert corners_of(after) != corners_of(before) == corners_of(back)
    assert back.card == before.card
    for face, (picture,) in back.faces.items():
        assert np.abs(picture.astype(int) - before.faces[face][0]).mean() < 3
    assert cut_by_table(back, found) is back
    assert correction_by(back, seen("playing")) is None


def test_without_ground_deck_is_only_cut_narrower() -> None:
    wide = taught("playing", (0.06, 0.06, 0.06, 0.06), has_ground=False)
    assert rim_of(cut_by_table(wide, present(edges_on(wide, seen("playing"))))) < 0.01
    assert (
        correction_by(taught("playing", (-0.05, -0.05, -0.05, -0.05), has_ground=False), seen("playing"))
        is None
    )
