"""Known cards that are covered, turned or hidden: which stay known, and which are found again."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.laid_cards import (
    FACES,
    HIGH,
    WIDE,
    card,
    few_cards,
    in_glare,
    in_other_light,
    noisy,
    outline_at,
    table,
    wood,
)
from tests.vision.process.live import begin_watch
from vision.process.covered_cards import recall_covered
from vision.process.looks import as_they_lie, cards_still_in_sight, remember_looks
from vision.process.places import carry_names, settles
from vision.process.sought_cards import seek_unread_cards
from vision.process.watching import changed_spots, gate_picture
from vision.reading.looking import Seeing
from vision.reading.templates import Picture
from vision.reading.views import pyramid
from vision.sightings import PROBABLE, Reading, RunnerUp, Sighting, likely_face

# unchanged appearance


def stay(below: Sighting, now: Picture, seen: tuple[Sighting, ...] = ()) -> list[str | None]:
    """Return the names of cards that are still visible in a picture."""
    looks = remember_looks({}, noisy(table(below), 1), (below,), (below,))
    return [each.face for each in cards_still_in_sight((below,), looks, noisy(now, 9), seen)]


BELOW = card("7c", 200, 150, 20)
COVERS = [
    card("Qc", 200 + across, 150 + down, turned)
    for across, down, turned in ((50, 0, 0), (-60, 20, 45), (30, 60, 80), (0, -75, 20), (45, -70, -30))
]


@pytest.mark.parametrize("cover", COVERS)
def test_card_under_unreadable_card_stays_known(cover: Sighting) -> None:
    covered = table(BELOW, cover)
    assert stay(BELOW, covered) == ["7c"]
    assert stay(BELOW, in_other_light(covered)) == ["7c"]
    assert stay(BELOW, covered, (cover,)) == ["7c"]


def test_taken_or_replaced_card_is_gone() -> None:
    other, shifted = replace(BELOW, face="Jd"), card("7c", 212, 161, 20)
    for left in (wood(), wood(1), *map(table, COVERS), table(other), table(shifted)):
        assert stay(BELOW, left) == []
    # even if a similar card replaced it
    alike = replace(BELOW, face="7s")
    assert stay(BELOW, table(alike), (alike,)) == []


def test_follows_card_turned_in_place() -> None:
    turned = replace(BELOW, outline=outline_at(203, 148, 110))
    looks = remember_looks({}, table(BELOW), (BELOW,), (BELOW,))
    again = remember_looks(looks, table(turned), (BELOW,), (turned,))
    assert as_they_lie((BELOW,), again) == (turned,)
    # the table beside its new position is unchanged
    for left in (wood(), table(replace(turned, face="Jd"))):
        assert cards_still_in_sight((BELOW,), again, left, (replace(turned, face="Jd"),)) == []
        assert cards_still_in_sight((BELOW,), again, left, ()) == []
    both = (BELOW, COVERS[3])
    covered = table(turned, COVERS[3])
    assert cards_still_in_sight((BELOW,), again, covered, ()) == [BELOW]
    # turned on top of another card, it stays known
    upper = remember_looks(looks, covered, both, (BELOW, COVERS[3]))
    once_more = remember_looks(upper, table(BELOW, turned), both, (None, turned))
    assert once_more[COVERS[3].outline].outline == turned.outline


UNDER, ON_IT, NEWEST = card("7c", 100, 100), card("Jd", 150, 110), card("Qc", 95, 125)
MOVED, ELSEWHERE = card("Jd", 150, 130), card("7c", 300, 300)
SAME = card("Qc", 103, 102)
TOP, LATER = card("4h", 150, 150), card("Qc", 195, 200)
LEFT, RIGHT, ON_BOTH = card("7c", 100, 100), card("Jd", 160, 150), card("Qc", 128, 124)
HALF_SEEN = replace(ON_BOTH, visible=0.5)
UNCLEAR = table(replace(UNDER, face=None), ON_IT, NEWEST)


def seeing(picture: Picture) -> Seeing:
    among = dict.fromkeys(FACES, 1)
    return Seeing(pyramid(picture), few_cards(), among, plane=True)


@pytest.mark.parametrize(
    ("seen", "known", "picture", "names"),
    [
        # almost hidden under a card that hasn't moved
        ((ON_IT, NEWEST), (UNDER, ON_IT), UNCLEAR, ["Jd", "Qc", "7c"]),
        # its cover was moved, so it may have been taken
        ((MOVED, NEWEST), (UNDER, ON_IT), UNCLEAR, ["Jd", "Qc"]),
        # its cover is more visible than before, so a card above that one was taken
        ((ON_IT, NEWEST), (UNDER, replace(ON_IT, visible=0.6)), UNCLEAR, ["Jd", "Qc"]),
        # the same face is seen elsewhere
        ((ON_IT, NEWEST, ELSEWHERE), (UNDER, ON_IT), UNCLEAR, ["Jd", "Qc", "7c"]),
        # under an unmoved card, it can't have been replaced
        ((ON_IT, SAME), (UNDER, ON_IT), table(UNDER, ON_IT, SAME), ["Jd", "Qc", "7c"]),
        ((MOVED, SAME), (UNDER, ON_IT), table(UNDER, ON_IT, SAME), ["Jd", "Qc"]),
        ((SAME,), (UNDER,), table(UNDER, SAME), ["Qc"]),
        # lower cards don't cover upper ones
        ((UNDER, ON_IT, LATER), (UNDER, ON_IT, TOP), table(UNDER, ON_IT, TOP, LATER), ["7c", "Jd", "Qc", "4h"]),
        ((UNDER, ON_IT), (UNDER, ON_IT, TOP), table(UNDER, ON_IT), ["7c", "Jd"]),
        ((UNDER, ON_IT, TOP), (UNDER, ON_IT, TOP), table(UNDER, ON_IT, TOP), ["7c", "Jd", "4h"]),
        # taken: the cards below fill its place
        ((LEFT, RIGHT), (LEFT, RIGHT, ON_BOTH), table(LEFT, RIGHT), ["7c", "Jd"]),
        # hidden by cards laid on it again, or partly hidden from the start
        ((LEFT, RIGHT), (ON_BOTH, LEFT, RIGHT), table(ON_BOTH, LEFT, RIGHT), ["7c", "Jd", "Qc"]),
        ((LEFT, RIGHT), (LEFT, RIGHT, HALF_SEEN), table(ON_BOTH, LEFT, RIGHT), ["7c", "Jd", "Qc"]),
    ],
)
def test_known_card_stays_only_where_it_can_be_hidden(
    seen: tuple[Sighting, ...], known: tuple[Sighting, ...], picture: Picture, names: list[str]
) -> None:
    assert [each.face for each in recall_covered(Reading(seen), known, seeing(picture)).cards] == names


PLANE = np.diag((WIDE / 63, HIGH / 88, 1.0))
SEVEN, JACK = card("7c", 60, 70, 20), card("Jd", 330, 240, 75)


def sought(
    before: Picture, now: Picture, known: tuple[Sighting, ...] = (), seen: tuple[Sighting, ...] = ()
) -> Reading:
    watch = replace(begin_watch(before), last=gate_picture(now))
    return seek_unread_cards(Reading(seen), known, changed_spots(watch), seeing(now), PLANE)


@pytest.mark.parametrize("x", [330, 200])
def test_finds_unread_card_in_changed_area(x: float) -> None:
    laid = card("Jd", x, 240, 75)
    before, now = table(SEVEN), table(SEVEN, laid)
    for pictures in ((before, now), (in_glare(before, x + 40, 300), in_glare(now, x + 40, 300))):
        (found,) = sought(*pictures).cards
        assert (found.face, found.sure) == ("Jd", True)
        assert np.abs(np.array(found.outline) - laid.outline).max() < 5


def test_seeks_candidates_of_unsure_card() -> None:
    beside = card(None, 338, 246, 75)
    doubt = replace(beside, sure=False, runners_up=(RunnerUp("4h", 0.6), RunnerUp("Jd", 0.5)))
    half = table(SEVEN, JACK).copy()
    # a half of it lies on what looks the same as it does
    before = table(SEVEN).copy()
    before[250:420, 400:470] = half[250:420, 400:470]
    (found,) = sought(before, half, (), (doubt,)).cards
    assert (found.face, found.sure) == ("Jd", True)


def test_adds_nothing_to_explained_picture() -> None:
    with_jack = table(SEVEN, JACK)
    # everything was read, or nothing changed
    assert sought(table(SEVEN), with_jack, (SEVEN,), (SEVEN, JACK)).cards == (SEVEN, JACK)
    assert sought(with_jack, with_jack).cards == ()
    # it was taken
    assert sought(with_jack, table(SEVEN), (SEVEN, JACK)).cards == ()
    # another object is there
    thing = table(SEVEN).copy()
    cv2.rectangle(thing, (330, 240), (460, 420), (60, 90, 200), -1)
    assert sought(table(SEVEN), thing, (SEVEN,)).cards == ()
    # the only card of this face is elsewhere
    elsewhere = card("Jd", 60, 280)
    assert sought(table(SEVEN), with_jack, (elsewhere,)).cards == ()


def sighting(face: str | None, *guesses: tuple[str, float]) -> Sighting:
    box = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return Sighting(face, face is not None, 0.9, others, box, "up", 1.0)


def likely(face: str, chance: float) -> Sighting:
    return replace(sighting(None, (face, 0.8), ("1", 0.3)), chance=chance)


MAYBE_8 = sighting(None, ("8", 0.7), ("9", 0.6))


@pytest.mark.parametrize(
    ("gone", "new", "names"),
    [
        ([sighting("8")], [MAYBE_8], ["8"]),
        ([sighting("8"), sighting("3")], [MAYBE_8, sighting("3")], ["8", "3"]),
        # the best guess alone counts, and only if it is a likely one
        ([sighting("9")], [MAYBE_8], [None]),
        ([sighting("8")], [sighting(None, ("8", 0.4))], [None]),
        ([sighting("8")], [sighting(None)], [None]),
        # two could be it, or it may be either of two
        ([sighting("8")], [MAYBE_8, MAYBE_8], [None, None]),
        ([sighting("8"), sighting("8")], [MAYBE_8], [None]),
        ([sighting("8")], [MAYBE_8, sighting("8")], [None, "8"]),
        # an unsure card passes on no name
        ([MAYBE_8], [MAYBE_8], [None]),
        ([], [MAYBE_8, sighting("3")], [None, "3"]),
        # a moved likely card counts as a second reading, unless it could be another one
        ([likely("8", 0.97)], [likely("8", 0.96)], ["8"]),
        ([likely("8", 0.97), sighting("8")], [likely("8", 0.96)], [None]),
    ],
)
def test_name_moves_to_its_only_likely_card(
    gone: list[Sighting], new: list[Sighting], names: list[str | None]
) -> None:
    carried = carry_names(gone, new)
    assert [each.face for each in carried] == names
    assert [each.sure for each in carried] == [name is not None for name in names]
    assert [each.outline for each in carried] == [each.outline for each in new]


def test_likely_face_needs_probability_and_face_up() -> None:
    assert likely_face(likely("8", PROBABLE)) == "8"
    back = replace(likely("8", 0.98), facing="down")
    for other in (likely("8", PROBABLE - 0.001), MAYBE_8, back, replace(sighting("8"), chance=0.999)):
        assert likely_face(other) is None


def test_doubt_is_settled_by_a_candidate_face() -> None:
    assert all(settles(MAYBE_8, sighting(face)) for face in "89")
    for now in (sighting("3"), MAYBE_8, replace(sighting("8"), facing="down")):
        assert not settles(MAYBE_8, now)
    assert not settles(sighting("8"), sighting("8"))
