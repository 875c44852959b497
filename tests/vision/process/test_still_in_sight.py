"""A card of which a part looks as before hasn't been taken, whatever lies on it; one that was taken is gone."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.vision.sets.drawn_decks import playing_cards
from vision.process.still_in_sight import (
    as_they_lie,
    cards_still_in_sight,
    keep_names,
    look_at_card,
    remember_looks,
)
from vision.process.watching import STILL_FRAMES, VOTES, CardChange, Watch, begin_watch, watch_frame
from vision.reading.templates import Picture
from vision.sightings import Outline, Reading, Sighting

WIDE, HIGH = 130, 180


def outline_at(x: float, y: float, turned: float = 0.0) -> Outline:
    middle = (x + WIDE / 2, y + HIGH / 2)
    into = cv2.getRotationMatrix2D(middle, turned, 1.0)
    corners = np.array([(x, y, 1), (x + WIDE, y, 1), (x + WIDE, y + HIGH, 1), (x, y + HIGH, 1)]) @ into.T
    a, b, c, d = ((float(across), float(down)) for across, down in corners)
    return a, b, c, d


def card(face: str | None, x: float, y: float, turned: float = 0.0) -> Sighting:
    return Sighting(face, True, 0.9, (), outline_at(x, y, turned), "up", 1.0)


def wood(seed: int = 0) -> Picture:
    """Draw a table with grain."""
    grain = np.random.default_rng(seed).normal(0, 40, (500, 600, 3)).astype(np.float32)
    return np.asarray((cv2.GaussianBlur(grain, (0, 0), 4) * 6 + 110).clip(0, 255), np.uint8)


def lay(picture: Picture, *cards: Sighting) -> Picture:
    """Lay cards on each other, in this order."""
    table = picture.copy()
    for each in cards:
        face = playing_cards().face(str(each.face))
        high, wide = face.shape[:2]
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        into = cv2.getPerspectiveTransform(corners, np.array(each.outline, np.float32))
        there = cv2.warpPerspective(np.ones(face.shape[:2], np.uint8), into, (600, 500))
        table[there > 0] = cv2.warpPerspective(face, into, (600, 500), flags=cv2.INTER_AREA)[there > 0]
    return table


def noisy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2.5, picture.shape)
    return np.asarray((picture + noise).clip(0, 255), np.uint8)


def in_other_light(picture: Picture) -> Picture:
    """Let half of the light go, and a lamp shine from the left."""
    ramp = np.linspace(1.0, 0.4, picture.shape[1])[None, :, None]
    return np.asarray((picture * ramp).clip(0, 255), np.uint8)


def stay(below: tuple[Sighting, ...], now: Picture, seen: tuple[Sighting, ...] = ()) -> list[str | None]:
    """Name the cards that are still in sight in a picture."""
    known = below[:1]
    looks = remember_looks((), noisy(lay(wood(), *known), 1), known, known)
    for number in range(2, len(below) + 1):
        known = below[:number]
        looks = remember_looks(
            looks, noisy(lay(wood(), *known), number), known, (*[None] * (number - 1), below[number - 1])
        )
    return [each.face for each in cards_still_in_sight(known, looks, noisy(now, 9), seen)]


BELOW = card("7c", 200, 150, 20)
COVERS = [
    card("Qc", 200 + across, 150 + down, turned)
    for across, down, turned in ((50, 0, 0), (-60, 20, 45), (30, 60, 80), (0, -75, 20), (45, -70, -30))
]


@pytest.mark.parametrize("cover", COVERS)
def test_a_card_under_one_that_nobody_can_read_stays(cover: Sighting) -> None:
    covered = lay(wood(), BELOW, cover)
    assert stay((BELOW,), covered) == ["7c"]
    assert stay((BELOW,), in_other_light(covered)) == ["7c"]
    assert stay((BELOW,), covered, (cover,)) == ["7c"]


@pytest.mark.parametrize("cover", COVERS)
def test_a_card_that_was_taken_or_replaced_is_gone(cover: Sighting) -> None:
    assert stay((BELOW,), wood()) == []
    assert stay((BELOW,), wood(1)) == []
    assert stay((BELOW,), lay(wood(), cover)) == []
    assert stay((BELOW,), lay(wood(), replace(BELOW, face="Jd"))) == []
    assert stay((BELOW,), lay(wood(), card("7c", 212, 161, 20))) == []
    # though it is like another one in its very place
    alike = replace(BELOW, face="7s")
    assert stay((BELOW,), lay(wood(), alike), (alike,)) == []


def test_a_part_of_a_card_that_looks_as_before_keeps_its_name() -> None:
    cover = COVERS[1]
    looks = remember_looks((), lay(wood(), BELOW), (BELOW,), (BELOW,))
    begun = begin_watch(lay(wood(), BELOW), (BELOW,))
    part = replace(BELOW, face="7s", visible=0.4, outline=outline_at(201, 149, 21))
    covered = lay(wood(), BELOW, cover)
    (kept, other) = keep_names((BELOW,), looks, covered, (part, cover))
    assert (kept.face, kept.outline, kept.visible, other) == ("7c", part.outline, 0.4, cover)
    _watch, told = watch_until_told(begun, covered, Reading((part, cover)))
    assert [(each.what, each.card) for each in told] == [("laid", cover)]
    # another card was laid there, and covered at once
    changed = lay(wood(), replace(BELOW, face="Jd"), cover)
    assert keep_names((BELOW,), looks, changed, (part, cover)) == (part, cover)
    # all of it is seen
    whole = replace(part, visible=1.0)
    assert keep_names((BELOW,), looks, covered, (whole, cover)) == (whole, cover)


def test_a_card_pulled_out_from_under_others_is_gone() -> None:
    on_it = card("Jd", 260, 160, 10)
    assert stay((BELOW, on_it), lay(wood(), on_it)) == ["Jd"]
    # a known one that was there already when the lower one was first seen
    partly = replace(BELOW, visible=0.6)
    known = (partly, on_it)
    looks = remember_looks((), lay(wood(), *known), known, known)
    assert [each.face for each in cards_still_in_sight(known, looks, lay(wood(), on_it), ())] == ["Jd"]


def test_less_need_be_in_sight_of_a_card_under_one_that_is_still_there() -> None:
    on_it, cover = card("Jd", 245, 160, 20), card("Qc", 195, 222, 30)
    covered = lay(wood(), BELOW, on_it, cover)
    assert stay((BELOW,), covered) == []
    assert stay((BELOW, on_it), covered) == ["7c", "Jd"]


def test_a_look_is_taken_anew_only_while_nothing_known_overlaps_the_card() -> None:
    plain, known = wood(), (BELOW,)
    looks = remember_looks((), lay(plain, BELOW), known, known)
    assert looks[0].free.all()
    assert remember_looks(looks, plain, known, (None,)) == looks
    assert remember_looks(looks, plain, known, known)[0] is not looks[0]
    both = (BELOW, COVERS[0])
    again = remember_looks(looks, lay(plain, *both), both, both)
    assert again[0] is looks[0]
    assert again[1].outline == COVERS[0].outline


def test_a_card_that_is_turned_where_it_lies_is_looked_at_as_it_lies() -> None:
    turned = replace(BELOW, outline=outline_at(203, 148, 110))
    looks = remember_looks((), lay(wood(), BELOW), (BELOW,), (BELOW,))
    again = remember_looks(looks, lay(wood(), turned), (BELOW,), (turned,))
    assert as_they_lie((BELOW,), again) == (turned,)
    # beside what it covers now, the table looks as before
    for left in (wood(), lay(wood(), replace(turned, face="Jd"))):
        assert cards_still_in_sight((BELOW,), again, left, (replace(turned, face="Jd"),)) == []
        assert cards_still_in_sight((BELOW,), again, left, ()) == []
    both = (BELOW, COVERS[3])
    covered = lay(wood(), turned, COVERS[3])
    assert cards_still_in_sight((BELOW,), again, covered, ()) == [BELOW]
    # nor is it lost when it is turned while it lies on another one
    upper = remember_looks(looks, covered, both, (BELOW, COVERS[3]))
    once_more = remember_looks(upper, lay(wood(), BELOW, turned), both, (None, turned))
    assert once_more[1].outline == turned.outline


def test_a_place_that_reaches_beyond_the_picture_has_a_look() -> None:
    for x, y in ((-90, -60), (560, 450), (-400, -400), (900, 900)):
        beyond = card("7c", x, y)
        assert look_at_card(wood(), beyond, beyond, ()).grey.shape == (64, 64)


def watch_until_told(watch: Watch, picture: Picture, reading: Reading) -> tuple[Watch, list[CardChange]]:
    def read(_picture: NDArray[np.uint8], _box: object) -> Reading:
        return reading

    told = list[CardChange]()
    for frame in range(STILL_FRAMES + VOTES + 1):
        watch, news = watch_frame(watch, noisy(picture, frame), read)
        told += news
    return watch, told


def test_a_card_is_not_told_as_taken_when_something_unread_comes_to_lie_on_it() -> None:
    begun = begin_watch(noisy(lay(wood(), BELOW), 1), (BELOW,))
    covered, told = watch_until_told(begun, lay(wood(), BELOW, COVERS[0]), Reading(()))
    assert told == []
    assert covered.known == (BELOW,)
    # and with what lies on it, or from under it, it is taken
    for left in (wood(), lay(wood(), COVERS[0])):
        watch, told = watch_until_told(covered, left, Reading(()))
        assert [(each.what, each.card) for each in told] == [("taken", BELOW)]
        assert watch.known == ()
