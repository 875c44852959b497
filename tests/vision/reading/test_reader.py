"""What the reader looks at round an outline, by pictures of a few pixels."""

import numpy as np

from vision.reading.reader import _colours_round
from vision.reading.views import Picture, PictureView


def view_of_pixels(picture: Picture) -> PictureView:
    """Look at a picture as it is."""
    none = np.zeros(picture.shape[:2], np.uint8)
    return PictureView(picture, none, np.eye(3), None, none, none)


def test_beside_a_card_that_fills_the_picture_its_outermost_pixels_are_taken() -> None:
    high, wide = 30, 40
    picture = np.zeros((high, wide, 3), np.uint8)
    picture[0], picture[:, -1], picture[-1], picture[:, 0] = 10, 20, 30, 40
    filling = np.array([(wide, 0, (wide - 1) / 2), (0, high, (high - 1) / 2), (0, 0, 1)])
    beyond = _colours_round(view_of_pixels(picture), filling, 0.56)
    assert beyond.tolist() == [[side] * 3 for side in (10, 20, 30, 40)]
    inside = _colours_round(view_of_pixels(picture), filling, 0.44)
    assert not inside.any()
