"""Plays at a rendered table: what a hand does leads to what lies there afterwards."""

from itertools import islice
from random import Random

import pytest

from hardware.twin.rendering.plays import FRAMES, MOST, WEIGHTS, Play, random_plays
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneLight, SceneTable

FACES = tuple("abcdefghijkl")
EMPTY = Scene(SceneCamera(), SceneTable("felt"), SceneLight(), (), time=2.0)


@pytest.fixture(scope="module")
def plays() -> tuple[Play, ...]:
    return tuple(islice(random_plays(EMPTY, FACES, Random(3)), 200))


def faces_on(scene: Scene) -> list[str | None]:
    return [card.face for card in scene.cards]


def test_every_kind_is_played_and_the_same_seed_plays_the_same(plays: tuple[Play, ...]) -> None:
    assert {play.kind for play in plays} == set(WEIGHTS)
    assert tuple(islice(random_plays(EMPTY, FACES, Random(3)), 200)) == plays


def test_a_hand_is_at_every_play_and_gone_afterwards(plays: tuple[Play, ...]) -> None:
    for play in plays:
        assert len(play.scenes) == FRAMES
        assert any(scene.hands for scene in play.scenes)
        assert not play.after.hands


def test_each_play_changes_what_its_kind_says_and_nothing_else(plays: tuple[Play, ...]) -> None:
    before: list[str | None] = []
    for play in plays:
        after = faces_on(play.after)
        gained, lost = set(after) - set(before), set(before) - set(after)
        assert (len(gained), len(lost)) == {
            "lay": (1, 0),
            "cover": (1, 0),
            "slide": (0, 0),
            "take": (0, 1),
            "gather": (0, len(before)),
        }[play.kind]
        assert len(set(after)) == len(after) <= MOST
        assert set(faces_on(play.scenes[len(play.scenes) // 2])) == {*before, *after}
        before = after


def test_a_card_that_covers_another_lies_on_it(plays: tuple[Play, ...]) -> None:
    covering = [play for play in plays if play.kind == "cover"]
    assert covering
    for play in covering:
        card = play.after.cards[-1]
        gaps = [((card.x - each.x) ** 2 + (card.y - each.y) ** 2) ** 0.5 for each in play.after.cards[:-1]]
        assert min(gaps) <= 50
        assert card.height > min(each.height for each in play.after.cards)
