"""Plays at a rendered table: what a hand does leads to what lies there afterwards."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from hardware.twin.rendering.plays import FACE_DOWN, FRAMES, MOST, WEIGHTS, Play, random_plays
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable

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
        gained, lost = Counter(after) - Counter(before), Counter(before) - Counter(after)
        assert (gained.total(), lost.total()) == {
            "lay": (1, 0),
            "cover": (1, 0),
            "slide": (0, 0),
            "turn": (0, 0),
            "turn over": (1, 1),
            "shuffle": (0, 0),
            "take": (0, 1),
            "gather": (0, len(before)),
        }[play.kind]
        face_up = [face for face in after if face is not None]
        assert len(set(face_up)) == len(face_up)
        assert len(after) <= MOST
        assert len(after) - len(face_up) <= FACE_DOWN
        assert set(faces_on(play.scenes[len(play.scenes) // 2])) <= {*before, *after}
        before = after


def test_a_card_that_covers_another_lies_on_it(plays: tuple[Play, ...]) -> None:
    covering = [play for play in plays if play.kind == "cover"]
    assert covering
    for play in covering:
        card = play.after.cards[-1]
        gaps = [((card.x - each.x) ** 2 + (card.y - each.y) ** 2) ** 0.5 for each in play.after.cards[:-1]]
        assert min(gaps) <= 50
        assert card.height > min(each.height for each in play.after.cards)


def test_a_turned_card_stays_where_it_is_and_shuffled_ones_lie_elsewhere(plays: tuple[Play, ...]) -> None:
    before: tuple[SceneCard, ...] = ()
    for play in plays:
        moved = [card for card in play.after.cards if card not in before]
        if play.kind == "turn":
            assert [(card.x, card.y) for card in moved] == [
                (card.x, card.y) for card in before if card not in play.after.cards
            ]
        if play.kind == "shuffle":
            assert len(moved) >= 2
        before = play.after.cards
