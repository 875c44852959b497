"""Rounds of Coyote with a deck that the table has never seen: phones name the cards."""

from pathlib import Path
from random import Random

from tests.long.learnt_match import LearntTable, frame_at, play_round, reach_reveal
from tests.tiers import release


@release("two rendered reveals, read by the eyes; a commit tests their parts (`test_naming.py`)")
def test_rounds_with_an_unknown_deck_are_counted(tmp_path: Path) -> None:
    table, rng = LearntTable(tmp_path), Random(1)
    reach_reveal(table, rng)
    first = play_round(table, {0: "10", 1: "5", 2: "3"})
    assert sorted(first.asked) == ["10", "3", "5"]
    table.show(frame_at(table, ()))
    reach_reveal(table, rng)
    # while most faces are unknown, a face of one picture may be asked for again
    assert len(play_round(table, {0: "5", 1: "3", 2: "10"}).asked) <= 3
