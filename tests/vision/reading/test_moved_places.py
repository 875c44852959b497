"""Fans of which little shows: cards are found though their places were rough, also below a back."""

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from firmware.benches.vision import lay_cards, pairs, templates_from_artwork
from hardware.twin.rendering.renderer import Frame
from vision.reading.explaining import Seeing, is_certain, pool_of
from vision.reading.moved_places import explain_moved_places
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import Pose, outline_of, pose_of, pyramid
from vision.sightings import Reading


@cache
def fan_of(deck: str, seed: int) -> tuple[Frame, Reading]:
    frame, table = lay_cards(deck, "fan", "L2", seed)
    return frame, read(frame.picture, templates_from_artwork(deck), None, table)


@pytest.mark.parametrize(("deck", "seed"), [("piquet", 1005), ("ogallala", 1008), ("plenty-coups", 1002)])
def test_a_fan_is_named_to_its_last_card(deck: str, seed: int) -> None:
    frame, reading = fan_of(deck, seed)
    seen = pairs(frame.truth, reading)
    named = {i: seen[i].face for i, card in enumerate(frame.truth) if i in seen and seen[i].sure}
    faces = {i: card.face for i, card in enumerate(frame.truth) if card.face is not None}
    assert named.items() >= faces.items()
    assert len(reading.cards) <= len(frame.truth)


def seeing_of(frame: Frame, deck: Templates) -> Seeing:
    return Seeing(frame.picture.shape[:2], pyramid(frame.picture), deck, None, plane=True)


def shifted(pose: Pose, across: float, down: float) -> Pose:
    return np.array([(1, 0, across), (0, 1, down), (0, 0, 1)]) @ pose


def test_a_rough_place_leads_to_its_card_and_a_placed_one_to_what_it_covers() -> None:
    frame, _table = lay_cards("ogallala", "fan", "L2", 1008)
    deck = templates_from_artwork("ogallala")
    seeing, poses = seeing_of(frame, deck), [pose_of(np.array(card.outline)) for card in frame.truth]
    # the fourth lies face down, with too little of its pattern in sight to be told as a back
    rough = [shifted(pose, 3, -2) for pose in poses[:4]]
    named, placed = explain_moved_places(seeing, pool_of(seeing, rough), poses[4:])
    assert [deck.names[deck.faces[card.row]] for card in placed] == ["back"]
    assert sorted(deck.names[deck.faces[card.row]] for card in named) == sorted(
        card.face for card in frame.truth[:3] if card.face is not None
    )
    assert all(is_certain(card, deck) for card in named)
    for card in named:
        off = [np.abs(np.array(outline_of(card.pose)) - np.array(true.outline)).mean() for true in frame.truth]
        assert min(off) < 4


def test_nothing_is_named_where_no_card_lies() -> None:
    frame, _table = lay_cards("ogallala", "fan", "L2", 1008)
    deck = templates_from_artwork("ogallala")
    bare = replace(frame, picture=np.full_like(frame.picture, 96))
    poses = [pose_of(np.array(card.outline)) for card in frame.truth]
    seeing = seeing_of(bare, deck)
    named, placed = explain_moved_places(seeing, pool_of(seeing, poses[:4]), poses[4:])
    assert (named, placed) == ((), ())


def test_whole_cards_are_left_to_their_outlines() -> None:
    frame, _table = lay_cards("piquet", "separate", "L2", 1000)
    seeing = seeing_of(frame, templates_from_artwork("piquet"))
    rough = [shifted(pose_of(np.array(card.outline)), 6, 6) for card in frame.truth]
    assert explain_moved_places(seeing, pool_of(seeing, rough), ()) == ((), ())
