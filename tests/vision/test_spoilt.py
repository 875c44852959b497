"""Photographs that mean harm: each is a picture no larger than it may be, or one trouble."""

from io import BytesIO
from random import Random

from firmware.doors.photograph_reader import LONGEST
from tests.vision.spoilt import good, spoilt
from vision.photographs import PhotographError, decode_photograph


def test_what_is_spoilt_is_good_before() -> None:
    for content in good():
        assert decode_photograph(BytesIO(content)).shape[2] == 3


def test_whatever_comes_is_a_picture_or_one_trouble() -> None:
    keys = set()
    for seed in range(60):
        try:
            picture = decode_photograph(BytesIO(spoilt(Random(seed))), LONGEST)
        except PhotographError as error:
            keys.add(error.problem.key)
        else:
            assert max(picture.shape[:2]) <= LONGEST
    assert keys == {"huge", "no photograph"}
