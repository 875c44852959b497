"""The distance between cards: small for one card photographed twice, large for others, in any light."""

import cv2
import numpy as np
import pytest

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import Picture, picture
from tests.hardware.decks.conftest import DIFFERENT, PIXELS_PER_MM, Pictures
from vision.teaching.likeness import LIGHTS, LIMIT, closest_pairs, distance


def photograph(shown: Picture, rng: np.random.Generator) -> Picture:
    """Shift a picture by 0.8 mm, blur it, add noise and store it as JPEG."""
    x, y = rng.normal(size=2)
    far = 0.8 * PIXELS_PER_MM / np.hypot(x, y)
    shift = np.array([[1, 0, x * far], [0, 1, y * far]], np.float32)
    size = (shown.shape[1], shown.shape[0])
    there = cv2.warpAffine(shown, shift, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    noisy = cv2.GaussianBlur(there, (0, 0), 1.0) + rng.normal(0, 5, there.shape)
    stored = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_limit_is_a_clear_multiple_of_what_a_camera_does_to_one_card(name: str, pictures: Pictures) -> None:
    rng = np.random.default_rng(7)
    apart = {face: distance(shown, photograph(shown, rng)) for face, shown in pictures[name].items()}
    assert max(apart.values()) < LIMIT / 2.5, sorted(apart.items(), key=lambda item: -item[1])[:3]


def test_a_warm_lamp_does_not_make_another_card_of_it(pictures: Pictures) -> None:
    for shown in pictures["coup"].values():
        lamp = ((shown / 255.0) ** 2.2 * (0.4, 0.7, 1.0)) ** (1 / 2.2)
        assert distance(shown, (lamp * 255).astype(np.uint8)) < LIMIT / 2


def test_a_card_is_no_distance_from_itself_and_the_way_does_not_matter(pictures: Pictures) -> None:
    duke, captain = pictures["coup"]["duke"], pictures["coup"]["captain"]
    assert distance(duke, duke) < 0.01
    assert distance(duke, captain) == pytest.approx(distance(captain, duke), abs=0.05)


def test_what_looks_the_same_turned_round_is_found() -> None:
    plain = {
        "back": picture(PRINTED["coup"].back, PIXELS_PER_MM),
        "duke": picture(PRINTED["coup"].faces["duke"], PIXELS_PER_MM),
    }
    closest = closest_pairs(plain)[0]
    assert (closest.first, closest.second, closest.turned) == ("back", "back", True)
    assert closest.distance < LIMIT


def test_a_bare_6_and_a_bare_9_would_be_found() -> None:
    six = np.full((176, 126, 3), 255, np.uint8)
    cv2.putText(six, "6", (30, 120), cv2.FONT_HERSHEY_SIMPLEX, 3, (0, 0, 0), 8)
    nine = np.ascontiguousarray(six[::-1, ::-1])
    closest = closest_pairs({"6": six, "9": nine})[0]
    assert (closest.first, closest.second, closest.turned) == ("6", "9", True)
    assert closest.distance < 0.01


def test_two_colours_of_one_card_are_apart_only_by_daylight() -> None:
    plain = np.full((176, 126, 3), 255, np.uint8)
    red, green = plain.copy(), plain.copy()
    cv2.circle(red, (63, 88), 40, (40, 40, 200), -1)
    cv2.circle(green, (63, 88), 40, (40, 128, 40), -1)
    assert set(LIGHTS) == {"daylight", "lamp", "grey", "protanopia", "deuteranopia", "tritanopia"}
    assert distance(red, green) < LIMIT
