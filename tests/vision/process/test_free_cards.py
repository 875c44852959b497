"""A table found by cards of a deck that nobody has taught."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight, SceneTable, Surface
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from tests.tiers import slow, tiered
from vision.pictures import Picture
from vision.process.free_cards import show_cards
from vision.process.messages import CardsShown
from vision.table.calibration import to_table
from vision.table.plane import Reals, as_outline

pytestmark = slow("rendered pictures of a whole table")
CARD = (63.0, 88.0)
LAID = (
    SceneCard("8", -130.0, -80.0, 5.0),
    SceneCard("-5", 110.0, -90.0, 92.0),
    SceneCard("20", -100.0, 90.0, 178.0),
    SceneCard("3", 120.0, 80.0, 12.0),
)


@cache
def seen(
    degrees: float,
    *cards: SceneCard,
    hands: tuple[Hand, ...] = (),
    height: float = 754.0,
    ground: Surface = "wood",
) -> Picture:
    """Take a picture of a table without markers, from above or from its side."""
    slant = np.radians(degrees)
    where = (0.0, height * float(np.sin(slant)), height * float(np.cos(slant)))
    camera = aim_camera(
        SceneCamera(at=where, tilt=degrees, focal=1040.0, resolution=(1280, 960), k1=0.02), 0.0, 0.0
    )
    table = SceneTable(ground, plates=(), width=1800.0, depth=1600.0)
    return render(Scene(camera, table, SceneLight(), cards, hands), faces_of("coyote-gigamic"))


def distances(places: Reals) -> Reals:
    return np.asarray(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)))


def shown(picture: Picture) -> CardsShown:
    return show_cards(picture, (), CARD, None)


@cache
def four_shown(degrees: float) -> CardsShown:
    return shown(seen(degrees, *LAID))


@pytest.mark.parametrize("degrees", [0.0, 35.0])
def test_four_cards_of_any_deck_give_the_table(degrees: float) -> None:
    found = four_shown(degrees)
    table = present(found.table)
    middles = np.array([to_table(table, np.array(each)).mean(axis=0) for each in found.outlines])
    laid = np.array([(each.x, each.y) for each in LAID])
    # in any order and frame, the distances are the same
    assert np.sort(distances(middles).ravel()) == pytest.approx(np.sort(distances(laid).ravel()), abs=2.0)


def test_card_that_was_read_beside_its_place_is_measured_by_its_edges() -> None:
    picture = seen(35.0, *LAID)
    exact = four_shown(35.0).outlines
    displaced = tuple((x + 20.0 * (corner == 1), y) for corner, (x, y) in enumerate(exact[0]))
    found = show_cards(picture, (displaced, *exact[1:]), CARD, None)
    assert (len(found.outlines), found.table is None) == (4, False)


@pytest.mark.parametrize("count", [1, 3])
def test_fewer_cards_are_outlined_but_give_no_table(count: int) -> None:
    found = shown(seen(0.0, *LAID[:count]))
    assert (len(found.outlines), len(found.cards), found.table) == (count, count, None)


@pytest.mark.parametrize(
    ("degrees", "ground"), tiered([(35.0, "wood")], [*product((0.0, 35.0), ("wood", "light"))])
)
def test_each_card_that_does_not_count_has_its_reason(degrees: float, ground: Surface) -> None:
    def reasons(*cards: SceneCard, hands: tuple[Hand, ...] = ()) -> list[str]:
        found = shown(seen(degrees, *cards, hands=hands, ground=ground))
        return [each.why for each in found.cards if each.why is not None]

    assert reasons(*LAID) == []
    assert reasons(*LAID[:3], SceneCard("3", 120.0, 60.0), SceneCard("2", 145.0, 85.0, 20.0)) == ["covered"]
    assert reasons(*LAID[:3], SceneCard("3", 455.0, 30.0)) == ["near edge"]
    assert reasons(*LAID[:3], hands=(Hand(90.0, 60.0, 0.0),)) == ["hand"]


def test_distance_light_and_angle_are_told_early() -> None:
    near, far = seen(0.0, LAID[0], height=600.0), seen(0.0, LAID[0], height=1400.0)
    assert shown(near).wrong == ()
    (problem,) = shown(far).wrong
    assert (problem.key, problem.values["needed"]) == ("too far", 48)
    assert problem.values["pixels"] == pytest.approx(47, abs=2)
    dark = np.asarray(near * 0.2, np.uint8)
    assert [each.key for each in shown(dark).wrong][:1] == ["too dark"]
    assert "too flat" in [each.key for each in shown(seen(62.0, *LAID, height=700.0)).wrong]


@slow("reads cards in several pictures without a plane")
def test_cards_that_were_read_count_on_patterned_cloth() -> None:
    bare = seen(0.0)
    checks = (np.indices(bare.shape[:2]) // 24 % 2).sum(axis=0)[..., None] * 60 + 110
    cloth = np.asarray(np.broadcast_to(checks, bare.shape), np.uint8)
    picture = seen(0.0, *LAID)
    is_card = (np.abs(picture.astype(int) - bare) > 12).any(axis=2, keepdims=True)
    pattern = np.where(is_card, picture, cloth)
    read = four_shown(0.0).outlines
    assert len(show_cards(pattern, (), CARD, None).outlines) < 4
    found = show_cards(pattern, read, CARD, None)
    assert (len(found.outlines), found.table is not None) == (4, True)


def test_three_named_cards_give_the_table_and_print_of_the_ground_does_not() -> None:
    laid = seen(35.0, *LAID)
    read = four_shown(35.0).outlines
    named = show_cards(laid, read[:3], CARD, None)
    # the fourth is shown, too
    assert (len(named.outlines), named.table is not None) == (4, True)
    alone = show_cards(seen(35.0, *LAID[:3]), read[:3], CARD, None)
    assert alone.table is not None
    assert show_cards(seen(35.0, *LAID[:3]), (), CARD, None).table is None


def test_edges_of_things_of_one_size_give_no_table_if_a_named_card_has_another_size() -> None:
    """A play mat's printed places are larger than the cards, and more than those that are read."""
    places = four_shown(0.0).outlines
    assert show_cards(seen(0.0, *LAID), (), CARD, None).table is not None
    middle = np.array((640.0, 480.0))
    named = as_outline(middle + (np.array(places[0]) - np.mean(places[0], axis=0)) * 0.9)
    assert show_cards(seen(0.0, *LAID), (named,), CARD, None).table is None
