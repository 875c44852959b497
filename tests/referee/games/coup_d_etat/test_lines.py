"""Lines of play, and what each leads to: tricks, revokes, coups, Dominos, payments."""

from typing import Any

import pytest

from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coup_d_etat.script import dealt
from tests.referee.games.lines import read_lines


@on_both_sides_of(
    "so-far", "middle", "given-back", "first-trick-paid", "secret-fail/bank", "bank", "coup-failed"
)
@on_both_sides_of(
    "presidency", "coup-dominos", "dominos", "president-pays-nothing", "ace-chain-ends", "domino-end"
)
@on_both_sides_of("revoke-costs/void", "revoke-costs/pays", "loan", "lender", "loan-ahead")
@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_what_a_line_of_play_leads_to(house: dict[str, Any], line: str, stands: str) -> None:
    assert dealt(**house).plays(line).stands == stands
