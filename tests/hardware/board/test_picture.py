"""Drawings of boards in the docs are current."""

from tests.hardware.board.design import PICTURES, docs_pictures


def test_drawings_in_the_docs_are_current_and_small() -> None:
    drawn = docs_pictures()
    assert drawn.keys() == {"board-fab.jpg", "plugged-two.svg"}
    assert {name: (PICTURES / name).read_bytes() for name in drawn} == drawn, (
        "python -m tests.hardware.board.design"
    )
    assert sum(map(len, drawn.values())) < 1_000_000
