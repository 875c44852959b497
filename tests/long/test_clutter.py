"""The trial of clutter, with a picture of each kind."""

import pytest

from tests.long.clutter import KINDS, Clutter, read_clutter, scene_of
from tests.tiers import tiered
from tests.vision.rendered_tables import templates_from_artwork

DECK = "coup"


@pytest.mark.parametrize("kind", tiered(("printed paper", "half cards"), KINDS))
def test_clutter_gets_no_certain_name(kind: str) -> None:
    so_far = Clutter()
    read_clutter(kind, DECK, 1, templates_from_artwork(DECK), so_far)
    assert (so_far.pictures, so_far.wrong) == (1, [])


def test_each_kind_of_clutter_is_drawn_anew() -> None:
    scenes = [scene_of(kind, DECK, seed) for kind in KINDS for seed in range(2)]
    assert len({repr(scene) for scene in scenes}) == len(scenes)
    assert all(scene.cards or scene.hands for scene in scenes)
    assert not any(card.deck == DECK for scene in scenes for card in scene.cards)
