"""What the table's own camera sees while a photograph is read; where it sees nothing, nobody waits long."""

from concurrent.futures import Future
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.core.door import TableDoor
from firmware.core.notices import Notice
from firmware.start.pages.table_look import TableLook, look_at_table
from tests.firmware.board.senses.matches import new_match
from tests.firmware.core.placed import card, see_table
from vision.process.messages import SnapshotTaken, TableRead
from vision.troubles import Problem

HERE = card("20")


def door_with(answers: dict[type, Any]) -> TableDoor:
    """Open a door behind which eyes answer at once, or never."""
    door = TableDoor(lambda _errand: None, new_match())

    def show(_order: object, kind: type) -> "Future[Any]":
        shown: Future[Any] = Future()
        if kind in answers:
            shown.set_result(answers[kind])
        return shown

    door.show = show  # type: ignore[method-assign, assignment]
    return door


BOTH: dict[type, Any] = {TableRead: see_table(HERE), SnapshotTaken: SnapshotTaken(b"small")}


def test_cards_and_picture_are_those_of_now() -> None:
    assert look_at_table(door_with(BOTH)) == TableLook(((HERE.card, HERE.outline or ()),), b"small")  # type: ignore[arg-type]


@pytest.mark.parametrize("lacks", [TableRead, SnapshotTaken])
def test_eyes_that_do_not_answer_are_not_waited_for(lacks: type) -> None:
    answers = {kind: answer for kind, answer in BOTH.items() if kind is not lacks}
    assert look_at_table(door_with(answers), seconds=0.0) is None


def test_cards_whose_place_is_unknown_are_no_look() -> None:
    nowhere = see_table(replace(HERE, outline=None))
    assert look_at_table(door_with({**BOTH, TableRead: nowhere})) is None


def test_a_camera_in_trouble_is_not_asked() -> None:
    door = door_with(BOTH)
    door.tell_troubles((Problem("missing", {"camera": "pi"}),))
    assert look_at_table(door) is None
    door.tell_troubles((Notice("disk", {"why": "full"}),))
    assert look_at_table(door) is not None
