"""The drawn sets of hard photographs: the same from a seed, with a truth that their verdicts rest on."""

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import CardTruth
from hardware.twin.rendering.scene import SceneCard
from tests.tiers import tiered
from tests.vision.sets.kinds import KINDS, STRANGERS, face_in, faces_of, read_photographs
from tests.vision.sets.verdicts import verdicts
from vision.sightings import Outline, Reading, Sighting

KNOWN = frozenset({"As", "Kh"})


def square(left: float) -> Outline:
    return (left, 0.0), (left + 60, 0.0), (left + 60, 90.0), (left, 90.0)


def lying(face: str, left: float, visible: float = 1.0) -> CardTruth:
    return CardTruth(face, "up", square(left), 0.0, visible, (True, True), SceneCard(face, 0, 0))


def told(face: str | None, left: float) -> Sighting:
    return Sighting(face, face is not None, 0.9, (), square(left), "up", 1.0)


@pytest.mark.parametrize(
    ("truth", "seen", "verdict"),
    [
        (lying("As~1-0", 0), told("As", 0), ["right"]),
        (lying("As~1-0", 0), told("Kh", 0), ["wrong"]),
        (lying("As~1-0", 0), told(None, 0), ["unsure"]),
        (lying("As~1-0", 0), told(None, 300), ["missed"]),
        (lying("As~1-0", 0), told("As", 300), ["missed", "nothing"]),
        (lying("2c~1-0", 0), told("As", 0), ["named"]),
        (lying("2c~1-0", 0), told(None, 0), ["stranger"]),
        (lying("As~1-0", 0, visible=0.2), told(None, 0), []),
        (lying("As~1-0", 0, visible=0.2), told("Kh", 0), ["wrong"]),
    ],
)
def test_every_name_that_is_told_falsely_is_counted(
    truth: CardTruth, seen: Sighting, verdict: list[str]
) -> None:
    assert list(verdicts([truth], Reading((seen,)), KNOWN)) == verdict


def test_a_photograph_follows_from_its_seed() -> None:
    few = replace(STRANGERS, cards=(2, 3))
    one, same, other = (next(read_photographs(few, first)) for first in (0, 0, 1))
    assert np.array_equal(one.picture, same.picture)
    assert one.truth == same.truth
    assert not np.array_equal(one.picture, other.picture)


@pytest.mark.parametrize("name", tiered(("sleeved", "lines"), tuple(KINDS)))
def test_cards_of_the_deck_lie_there_and_strangers_only_where_they_belong(name: str) -> None:
    kind = KINDS[name]
    known, strangers = faces_of(kind)
    few = replace(kind, photographs=1)
    faces = [face_in(card.face) for card in next(read_photographs(few)).truth]
    assert set(faces) & set(known)
    assert set(faces) <= {*known, *strangers}
    assert bool(set(faces) & set(strangers)) == bool(kind.strangers)
    assert not set(known) & set(strangers)
