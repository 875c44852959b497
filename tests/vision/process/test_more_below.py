"""A card under which more lies than was read is marked; single cards, shadows and the table's grain are not."""

from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace

from firmware.benches.vision import lay_cards
from firmware.start.games import hand_in_games
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import Frame
from vision.process.more_below import mark_more_below
from vision.reading.surroundings import Surroundings
from vision.sightings import Outline, Reading, Sighting

hand_in_games()
DECK, SEEDS = "coup", (44, 59)


def sightings_of(frame: Frame) -> tuple[Sighting, ...]:
    """Read a picture as well as can be."""
    corners: Iterable[Outline] = (tuple(map(tuple, card.outline)) for card in frame.truth)  # type: ignore[misc]
    return tuple(
        Sighting(card.face, True, 1.0, (), outline, card.facing, card.visible)
        for card, outline in zip(frame.truth, corners, strict=True)
    )


def size_of(deck: str) -> tuple[float, float]:
    return PRINTED[deck].width, PRINTED[deck].height


def bare_plane(table: Surroundings) -> Surroundings:
    """Know only how the table lies, not what it looks like without cards."""
    return replace(table, lines=None)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("layout", ["separate", "touching", "overlapping", "fan"])
@pytest.mark.parametrize("level", ["L0", "L1", "L2"])
def test_no_card_is_marked_where_all_were_read(layout: str, level: str, seed: int) -> None:
    frame, table = lay_cards(DECK, layout, level, seed)
    seen = Reading(sightings_of(frame))
    for around in (table, bare_plane(table), None):
        marked = mark_more_below(seen, frame.picture, size_of(DECK), around)
        assert not any(card.more_below for card in marked.cards)


@pytest.mark.parametrize("level", ["L0", "L1", "L2"])
def test_the_uppermost_card_of_a_fan_is_marked_if_no_other_was_read(level: str) -> None:
    for seed in SEEDS:
        frame, table = lay_cards(DECK, "fan", level, seed, cards=4)
        last = sightings_of(frame)[-1]
        marked = mark_more_below(Reading((last,)), frame.picture, size_of(DECK), table)
        assert [card.more_below for card in marked.cards] == [True]
        assert replace(marked.cards[0], more_below=False) == last


def test_a_card_that_is_not_sure_and_a_picture_without_cards_are_left_as_they_are() -> None:
    frame, table = lay_cards(DECK, "fan", "L0", SEEDS[0])
    unsure = Reading((replace(sightings_of(frame)[-1], face=None, sure=False),))
    assert mark_more_below(unsure, frame.picture, size_of(DECK), table) == unsure
    assert mark_more_below(Reading(()), frame.picture, size_of(DECK)) == Reading(())
    grey = np.full((300, 400, 3), 128, np.uint8)
    assert mark_more_below(Reading(()), grey, size_of(DECK), None) == Reading(())
