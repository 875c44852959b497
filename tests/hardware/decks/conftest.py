"""Pictures of every card, painted once for all tests."""

from collections.abc import Mapping

import pytest

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import Picture, picture
from tests.tiers import tiered

PIXELS_PER_MM = 4
Pictures = Mapping[str, Mapping[str, Picture]]
ALL = ("coyote-kidult", "coyote-gigamic", "coup", "piquet", "plenty-coups", "ogallala")
DIFFERENT = tiered(("coyote-gigamic", "coup"), ALL)
"""All decks with different faces; for each commit, one of numbers and one of figures."""


@pytest.fixture(scope="session")
def pictures() -> Pictures:
    return {
        name: {face: picture(drawing, PIXELS_PER_MM) for face, drawing in PRINTED[name].faces.items()}
        for name in DIFFERENT
    }
