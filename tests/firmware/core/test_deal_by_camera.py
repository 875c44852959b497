"""Three tricks of Coup d'État by camera; `python -m tests.long.deal_by_camera` reads whole deals."""

from pathlib import Path

from tests.firmware.core.deal_by_camera import PLAYERS, count_read

TRICKS = 3


def test_every_card_of_a_deal_is_read_as_it_falls(tmp_path: Path) -> None:
    cards = TRICKS * len(PLAYERS)
    assert count_read(tmp_path, 3, cards) == cards
