"""How many ways there are to go on, counted answer by answer, and fixed.

Black holds what all have seen it take: a rider of its own, two red ones, a staff and a horse. It can breed;
raid three camps, with one rider or two; exchange gifts with three; propose to red; taunt three; give horses to
three, and hunt: 1 + 3 + 3 + 3 + 1 + 3 + 3 + 1 = 18. Of the next answers, for instance, three riders may raid,
and two begin a raid of two.
"""

import pytest

from referee.games.plenty_coups.state import Acting, Turn
from referee.legal_answers import legal_answers
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state
from tests.referee.legal_answers import leaves

HELD = ("black-2", "horse", "red-1", "red-2", "staff")


def script_with_known_hand() -> Script:
    """Let black have a hand that all know."""
    return with_clan(table(4), 0, known=HELD)


def test_the_first_count_is_as_told() -> None:
    words = [answer.value.word for answer in legal_answers(script_with_known_hand().match)]  # type: ignore[union-attr]
    assert {word: words.count(word) for word in words} == {
        "breed": 1,
        "raid": 3,
        "double-raid": 3,
        "gift": 3,
        "propose": 1,
        "taunt": 3,
        "donate": 3,
        "hunt": 1,
    }


COUNTS = [
    pytest.param(script_with_known_hand(), [18, 93, 2681], id="a hand that all know"),
    pytest.param(
        with_state(script_with_known_hand(), round=11, stage=Acting(Turn(0, 1))), [12, 46], id="winter"
    ),
    pytest.param(with_clan(table(2), 0, known=HELD), [13, 65, 2345], id="two players"),
]


@pytest.mark.parametrize(("script", "counts"), COUNTS)
def test_counts(script: Script, counts: list[int]) -> None:
    assert [leaves(script.match, depth, but="display") for depth in range(1, len(counts) + 1)] == counts
