"""Pictures of every card, painted once for all tests."""

from collections.abc import Mapping

import pytest

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import Picture, picture

PIXELS_PER_MM = 4
Pictures = Mapping[str, Mapping[str, Picture]]
DIFFERENT = ("coyote-kidult", "coyote-gigamic", "coup", "piquet", "plenty-coups", "ogallala")
"""Every deck but the one that shows the same faces as another."""


@pytest.fixture(scope="session")
def pictures() -> Pictures:
    """Paint the faces of all decks."""
    return {
        name: {face: picture(drawing, PIXELS_PER_MM) for face, drawing in PRINTED[name].faces.items()}
        for name in DIFFERENT
    }
