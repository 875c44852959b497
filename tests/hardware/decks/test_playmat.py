"""The play mat for a game whose places have several parts."""

from hardware.decks.print.playmat import ZONES, playmat, zones
from hardware.decks.print.svg import svg

PARTS = ("seat", "herd", "camp", "taunt")


def test_a_mat_without_more_parts_is_the_one_for_all_games() -> None:
    assert zones() == ZONES


def test_each_part_is_printed_once_with_its_name_and_all_lie_on_the_mat() -> None:
    drawn, parted = svg(playmat(PARTS)), zones(PARTS)
    assert len(parted) == 3 + 6 * len(PARTS)
    assert len(drawn) > len(svg(playmat()))
    area = sum(width * height for _x, _y, width, height in parted.values())
    assert round(area) == round(sum(width * height for _x, _y, width, height in ZONES.values()))
