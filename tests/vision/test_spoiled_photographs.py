"""Malicious photographs: each is a picture of limited size, or one kind of error."""

from io import BytesIO
from random import Random

from firmware.doors.photograph_reader import LONGEST
from tests.vision.spoiled_photographs import good_photographs, spoiled_photograph
from vision.photographs import PhotographError, decode_photograph


def test_photographs_are_good_before_they_are_spoiled() -> None:
    for content in good_photographs():
        assert decode_photograph(BytesIO(content)).shape[2] == 3


def test_any_file_is_a_picture_or_one_error() -> None:
    keys = set()
    for seed in range(60):
        try:
            picture = decode_photograph(BytesIO(spoiled_photograph(Random(seed))), LONGEST)
        except PhotographError as error:
            keys.add(error.problem.key)
        else:
            assert max(picture.shape[:2]) <= LONGEST
    assert keys == {"huge", "no photograph"}
