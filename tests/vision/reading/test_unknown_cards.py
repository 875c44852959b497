"""What isn't a taught card gets no certain name: scraps, cards read twice, faces that a deck lacks."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.given import present
from tests.tidiness import tries
from tests.vision.laid_cards import one_card
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.deciding import Likeness
from vision.reading.explaining import certainty_of_name, is_certain, without_doubles
from vision.reading.identifying import cover_of, is_supported, shortfalls_of
from vision.reading.looking import Seeing, compare_card
from vision.reading.reader import _best_looks, _without_scraps, read
from vision.reading.templates import Picture, Templates
from vision.reading.thresholds import CERTAIN_LEAD, LEAST_CELL
from vision.sightings import PROBABLE
from vision.teaching.tried_decks import prepare_deck

KNOWN = ("7c", "Jd", "Kd", "10h")


@cache
def deck() -> Templates:
    return prepare_deck({name: [playing_cards().face(name)] for name in KNOWN}, kept=tries())


@cache
def seven() -> tuple[Seeing, Likeness]:
    levels, pose = one_card("7c")
    seeing = Seeing(levels, deck())
    return seeing, present(compare_card(seeing, pose, 0))


def card_of_width(width: int) -> Picture:
    picture = np.full((220, 220, 3), (60, 80, 50), np.uint8)
    high = round(width * 88 / 63)
    picture[50 : 50 + high, 60 : 60 + width] = cv2.resize(
        playing_cards().face("7c"), (width, high), interpolation=cv2.INTER_AREA
    )
    return picture


@pytest.mark.parametrize(("cell", "chance"), [(0.8 * LEAST_CELL, 0.0), (2 * LEAST_CELL, 0.9)])
def test_card_smaller_than_in_trials_has_no_name(cell: float, chance: float) -> None:
    width = round(cell * deck().fine.shape[1])
    cards = read(card_of_width(width), deck()).cards
    assert [each.face for each in cards if each.sure] == (["7c"] if chance else [])
    assert all(each.chance >= chance if chance else each.chance == 0 for each in cards)


def test_scraps_are_dropped_before_the_plane_is_estimated() -> None:
    seeing, card = seven()
    half = replace(card, pose=card.pose @ np.diag((0.5, 0.5, 1)))
    scrap = replace(card, pose=card.pose @ np.diag((0.35, 0.35, 1)))
    assert _without_scraps(seeing, [card, half, scrap]) == (card, half)


def test_sliver_under_its_own_card_is_that_card() -> None:
    seeing, card = seven()
    moved = replace(card, pose=card.pose @ np.array([(1, 0, 0.3), (0, 1, 0), (0, 0, 1)]), visible=0.2)
    aside = replace(moved, pose=card.pose @ np.array([(1, 0, 0.8), (0, 1, 0), (0, 0, 1)]))
    assert without_doubles(seeing, [card, moved]) == (card,)
    beyond = replace(moved, pose=card.pose @ np.array([(1, 0, 1.1), (0, 1, 0), (0, 0, 1)]))
    # just under it, it may be another one if there are two
    two = replace(seeing, among={"7c": 2})
    assert without_doubles(seeing, [card, aside]) == (card,)
    assert without_doubles(two, [card, moved]) == (card,)
    assert without_doubles(two, [card, aside]) == (card, aside)
    assert without_doubles(seeing, [card, beyond]) == (card, beyond)


def test_second_look_makes_a_name_no_more_probable() -> None:
    seeing, card = seven()
    first = replace(card, fit=card.fit - 0.02, score=0.8)
    (both,) = _best_looks(seeing, [first], [card])
    # the better pose counts, with the probability of the first look
    assert (both.fit, certainty_of_name(seeing, both)) == (card.fit, certainty_of_name(seeing, first))
    assert certainty_of_name(seeing, first) < certainty_of_name(seeing, card)
    # a worse look changes nothing, and another face has its own probability
    assert _best_looks(seeing, [card], [first]) == (card,)
    other = replace(card, row=card.row + 2)
    assert _best_looks(seeing, [first], [other]) == (other,)


def test_name_needs_a_lead_over_other_faces() -> None:
    seeing, card = seven()
    assert is_certain(seeing, card)
    near = replace(card, margin=CERTAIN_LEAD - 0.01)
    assert certainty_of_name(seeing, near) > 0.5
    assert not is_certain(seeing, near)


@pytest.mark.parametrize("figure", ["fit", "score", "distinction", "index"])
def test_one_figure_far_beyond_the_trials_vetoes_a_name(figure: str) -> None:
    _seeing, card = seven()
    assert is_supported(card, deck().certainty)
    worst = deck().certainty.worst["whole"][
        ("fit", "score", "distinction", "misfit", "foreign", "index").index(figure)
    ]
    assert not is_supported(replace(card, **{figure: 1 - 1.6 * worst}), deck().certainty)
    assert is_supported(replace(card, **{figure: 1 - worst}), deck().certainty)
    assert len(shortfalls_of(card)) == len(deck().certainty.worst["covered"])


def test_name_at_a_glance_keeps_its_probability() -> None:
    seeing, card = seven()
    glance = replace(card, at_a_glance=True, foreign=1.0)
    assert is_certain(seeing, glance)
    assert certainty_of_name(seeing, glance) > 0
    assert certainty_of_name(seeing, replace(glance, at_a_glance=False)) == 0


def test_whole_card_refutes_doubtful_cut() -> None:
    picture = one_card("7c")[0][0]
    (clear,) = read(picture, deck()).cards
    (doubted,) = read(picture, replace(deck(), doubtful=frozenset({"7c"}))).cards
    assert (doubted.face, doubted.sure) == (clear.face, clear.sure) == ("7c", True)
    assert doubted.chance < clear.chance
    # other faces keep their certainty
    (other,) = read(picture, replace(deck(), doubtful=frozenset({"Jd"}))).cards
    assert other == clear


def test_covered_card_with_doubtful_cut_is_at_most_likely() -> None:
    levels, pose = one_card("7c", 0.4)
    above = cover_of(pose @ np.array([(1, 0, 0), (0, 1, 0.6), (0, 0, 1)]))
    clear, doubted = (
        Seeing(levels, replace(deck(), doubtful=frozenset(faces))) for faces in (set[str](), {"7c"})
    )
    card = present(compare_card(clear, pose, 0, [above]))
    assert is_certain(clear, card)
    assert (is_certain(doubted, card), certainty_of_name(doubted, card)) == (False, PROBABLE)


def chance_of_seven(strangers: float = 0.0, **lacking: int) -> float:
    picture = one_card("7c")[0][0]
    among = dict.fromkeys(KNOWN, 1) | lacking if lacking else None
    (card,) = read(picture, deck(), among, strangers=strangers).cards
    return card.chance


def test_certainty_falls_with_the_share_of_untaught_cards() -> None:
    known = chance_of_seven()
    assert chance_of_seven(0.3) < known
    assert chance_of_seven(Kc=1, Qs=2) < known
    assert chance_of_seven(Kc=9) < chance_of_seven(Kc=1)
