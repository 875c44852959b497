"""The claim window, compared with the result after all answers."""

import doctest
from itertools import permutations, product

import pytest

from referee.contract import Choice, Option
from referee.kit import claims
from referee.kit.claims import CHALLENGE, PASS, ClaimWindow, heard, objection

BLOCK = Option("block", face="duke")
DOUBT = Choice("doubt", (2, 3, 1), (CHALLENGE, BLOCK, PASS), window=7)
ORDER = (0, 1, 2, 3)


def test_module_example_runs() -> None:
    failed, tried = doctest.testmod(claims)
    assert (failed, tried > 3) == (0, True)


def what_counts(said: list[tuple[int, Option]], *, in_turn: bool) -> int | None:
    for word in (CHALLENGE, BLOCK):
        seats = [seat for seat, option in said if option == word]
        if seats:
            return min(seats) if in_turn else seats[0]
    return None


@pytest.mark.parametrize("in_turn", [False, True])
def test_objection_counts_once_none_can_precede_it(*, in_turn: bool) -> None:
    for seats, options in product(permutations((1, 2, 3)), product((CHALLENGE, BLOCK, PASS), repeat=3)):
        said = list(zip(seats, options, strict=True))
        window, found, left = ClaimWindow((DOUBT,)), None, list(said)
        while found is None and left:
            window = heard(window, *left.pop(0))
            found = objection(window, ORDER if in_turn else ())
        assert (found.seat if found else None) == what_counts(said, in_turn=in_turn)
        assert sorted(claims.waiting(window)) == sorted(seat for seat, _option in left)
