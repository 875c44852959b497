"""`coyote play ogallala`: cells are typed as they are drawn."""

import pytest

from tests.firmware.conftest import Coyote

PLAY = "play ogallala --seats Ana,Bo"
FIRST = "opens Bo\nempty stern\nfirst 1 1\n"


def test_the_grid_is_drawn_from_the_first_column_and_row(coyote: Coyote) -> None:
    out = coyote(PLAY, f"{FIRST}empty bow\nput 3 1\ntable\n").out
    assert "     1  2  3\n  1  +  +  +\n  2  +  A  +\n  3  +  +  +\nA empty stern\n" in out
    assert "put COLUMN ROW  1, 2, 3 in row 1; 1, 3 in row 2; 1, 2, 3 in row 3" in out
    assert "Bo lays: empty bow, column 3, row 1." in out
    assert "     1  2  3  4\n  1  ·  ·  ·  ·\n  2  ·  ·  A  ·\n  3  ·  B  ·  ·\n  4  ·  ·  ·  ·\n" in out
    assert "A empty bow, B empty stern" in out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("empty bow\nput 2 2\n", "Empty stern lies there already."),
        ("empty bow\nput 40 2\n", "That row would get too long: a territory is 14 cards wide at most."),
        ("empty bow\nput 6 2\n", "That place touches no card."),
        ("red stern paddler\nput 1 2\n", "Red stern paddler doesn't fit between these cards"),
        ("stop\nstop\n", "That is no answer to this: cards are asked for."),
    ],
)
def test_a_refusal_says_why_a_card_can_not_lie_there(coyote: Coyote, typed: str, told: str) -> None:
    out = coyote(PLAY, FIRST + typed).out
    assert told.casefold() in out.casefold()
