"""The trial of clutter, with a picture of the hardest kind, of each for a release."""

import pytest

from tests.long.clutter import KINDS, Clutter, read_clutter
from tests.tiers import tiered
from tests.vision.rendered_tables import templates_from_artwork

DECK = "coup"


@pytest.mark.parametrize("kind", tiered(("printed paper",), KINDS))
def test_clutter_gets_no_certain_name(kind: str) -> None:
    so_far = Clutter()
    read_clutter(kind, DECK, 1, templates_from_artwork(DECK), so_far)
    assert (so_far.pictures, so_far.wrong) == (1, [])
