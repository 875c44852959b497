"""A table found by cards: by their names, by what was laid since a picture without them, or by taps."""

from collections.abc import Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight, SceneTable, Surface
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from tests.tiers import slow, tiered
from tests.vision.grounds import draw_on_ground, table_on
from tests.vision.rendered_tables import templates_from_artwork
from tests.vision.table_sequences import both_faces
from vision.pictures import Picture
from vision.process.free_cards import Sought, show_cards
from vision.process.messages import CardsShown, ShowCards
from vision.table.calibration import to_table
from vision.table.plane import Reals

pytestmark = slow("rendered pictures of a whole table")
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


NO_TAPS = ShowCards()


def shown(picture: Picture, empty: Picture | None = None, told: ShowCards = NO_TAPS) -> CardsShown:
    return show_cards(picture, Sought({}, empty), told, None)


@cache
def four_shown(degrees: float) -> CardsShown:
    return shown(seen(degrees, *LAID), seen(degrees))


def why_of(found: CardsShown) -> list[str | None]:
    return [each.why for each in found.cards]


def has_true_size(found: CardsShown, laid: Sequence[SceneCard] = LAID) -> bool:
    """Return whether distances between the cards are true: frame and order are free."""
    middles = np.array([to_table(present(found.table), np.array(each)).mean(axis=0) for each in found.outlines])
    places = np.array([(each.x, each.y) for each in laid])
    return np.sort(distances(middles).ravel()) == pytest.approx(np.sort(distances(places).ravel()), abs=2.5)


@pytest.mark.parametrize("degrees", [0.0, 35.0])
def test_four_cards_of_any_deck_give_the_table_once_it_was_seen_empty(degrees: float) -> None:
    assert has_true_size(four_shown(degrees))


def test_cards_of_bridge_size_give_the_same_table() -> None:
    slim = tuple(replace(each, size=(56.0, 87.0)) for each in LAID)
    assert has_true_size(shown(seen(35.0, *slim), seen(35.0)))


def test_another_exposure_changes_nothing() -> None:
    darker = np.asarray(seen(35.0) * 0.8, np.uint8)
    assert has_true_size(shown(seen(35.0, *LAID), darker))


@pytest.mark.parametrize("count", [1, 3])
def test_fewer_cards_are_outlined_but_give_no_table(count: int) -> None:
    found = shown(seen(0.0, *LAID[:count]), seen(0.0))
    assert (why_of(found), found.table) == ([None] * count, None)


def test_outlines_alone_prove_nothing_until_a_person_taps_them() -> None:
    picture = seen(35.0, *LAID)
    assert (why_of(shown(picture)), shown(picture).table) == (["doubtful"] * 4, None)
    middles = tuple((float(x), float(y)) for x, y in np.mean(four_shown(35.0).outlines, axis=1))
    three = shown(picture, told=ShowCards(middles[:3]))
    assert (sorted(map(str, why_of(three))), three.table) == (["None"] * 3 + ["doubtful"], None)
    assert has_true_size(shown(picture, told=ShowCards(middles)))
    # one that was tapped away isn't shown again
    without = shown(picture, told=ShowCards(middles[:3], middles[3:]))
    assert (why_of(without), without.table) == ([None] * 3, None)
    new = shown(picture, seen(35.0), ShowCards((), middles[:1]))
    assert (why_of(new), new.table) == ([None] * 3, None)


@pytest.mark.parametrize("deck", ["coyote-gigamic", "other first"])
def test_three_named_cards_give_the_table_and_tell_the_deck(deck: str) -> None:
    decks = {"coyote-gigamic": templates_from_artwork("coyote-gigamic")}
    if deck == "other first":
        decks = {"coup": templates_from_artwork("coup"), **decks}
    found = show_cards(seen(35.0, *LAID[:3]), Sought(decks), ShowCards(), None)
    assert (found.deck, why_of(found)) == ("coyote-gigamic", [None] * 3)
    assert has_true_size(found, LAID[:3])
    # the fourth is shown, too
    assert len(show_cards(seen(35.0, *LAID), Sought(decks), ShowCards(), None).outlines) == 4
    two = show_cards(seen(35.0, *LAID[:2]), Sought(decks), ShowCards(), None)
    assert (two.deck, two.table) == ("", None)


@slow("draws a mat's printed places")
@pytest.mark.parametrize("shift", [0.0, 6.0])
def test_printed_places_of_a_mat_are_no_cards(shift: float) -> None:
    """A nudge between the two pictures changes their edges, but not their inside."""
    camera = aim_camera(SceneCamera(at=(0.0, 0.0, 754.0), focal=1040.0, resolution=(1280, 960)), 0.0, 0.0)
    table = table_on("small places", 5)
    now = draw_on_ground(Scene(camera, table, SceneLight(), ()), "small places", both_faces)
    nudge = np.array([(1.0, 0.0, shift), (0.0, 1.0, shift)])
    before = np.asarray(cv2.warpAffine(now, nudge, now.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = shown(now, before)
    assert (found.outlines, found.table) == ((), None)
    assert shown(now).table is None


def test_card_at_the_edge_has_its_reason_even_alone() -> None:
    for x in (430.0, 455.0):
        assert why_of(shown(seen(0.0, SceneCard("3", x, 30.0)))) == ["near edge"]


@pytest.mark.parametrize(
    ("degrees", "ground"), tiered([(35.0, "wood")], [*product((0.0, 35.0), ("wood", "light"))])
)
def test_each_card_that_does_not_count_has_its_reason(degrees: float, ground: Surface) -> None:
    def reasons(*cards: SceneCard, hands: tuple[Hand, ...] = ()) -> list[str]:
        found = shown(seen(degrees, *cards, hands=hands, ground=ground), seen(degrees, ground=ground))
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
    # where all four have a sure name, they prove that it isn't too far
    decks = {"coyote-gigamic": templates_from_artwork("coyote-gigamic")}
    proved = show_cards(seen(0.0, *LAID, height=1250.0), Sought(decks), ShowCards(), None)
    assert (proved.wrong, proved.deck) == ((), "coyote-gigamic")
    dark = np.asarray(near * 0.2, np.uint8)
    assert [each.key for each in shown(dark).wrong][:1] == ["too dark"]
    flat = shown(seen(62.0, *LAID, height=700.0), seen(62.0, height=700.0))
    assert "too flat" in [each.key for each in flat.wrong]
