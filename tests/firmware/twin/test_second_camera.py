"""A second camera at the twin: it sees what a lamp hides from the first one; when it is away, play goes on."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.core.cards import show_ask
from firmware.twin.simulated_camera import FROM_OPPOSITE
from hardware.twin.rendering.renderer import Faces
from hardware.twin.rendering.scene import Scene, SceneCamera
from referee.contract import Option, Show
from referee.match import Match, standing_answers
from tests.firmware.board.senses.matches import after, bidden
from tests.firmware.core.tables import Twin, until
from vision.files import read_json
from vision.process.evidence import Sidecar
from vision.sightings import Point
from vision.troubles import SECOND, Problem

CALLED = after(bidden(20, seats=2), ("turn", Option("coyote"), 1))


@contextmanager
def lamplit_table(folder: Path) -> Iterator[tuple[Twin, Show]]:
    """Sit at a table where cards are asked for, a lamp mirrored in its middle, and another camera aside."""
    twin = Twin(CALLED, folder, has_second=True)
    ask = show_ask(CALLED)
    assert ask is not None
    try:
        twin.world.mirror_lamp()
        until(lambda: twin.companion.table.cards is not None)
        yield twin, ask
    finally:
        twin.close()


def cards_counted(match: Match) -> list[str]:
    """Give the cards that the camera's answer named."""
    answer = next(step.answer for step in standing_answers(match) if step.heard_at == CALLED.number)
    assert answer.sense == "camera"
    assert isinstance(answer.value, tuple)
    return sorted(answer.value)


def problems_of_second(twin: Twin) -> list[Problem]:
    wrong = twin.companion.door.troubles()
    return [each for each in wrong if isinstance(each, Problem) and SECOND in each.values]


def asked_key(twin: Twin) -> str:
    """Tell what people are told to be in the way of the cards."""
    way = twin.companion.table.way
    return way.notice.key if way is not None and way.is_told else ""


def test_a_card_under_a_mirrored_lamp_counts_as_the_second_camera_sees_it(tmp_path: Path) -> None:
    with lamplit_table(tmp_path) as (twin, ask):
        laid = twin.world.lay(CALLED, ask)
        until(lambda: twin.companion.door.moment().number > CALLED.number)
        assert cards_counted(twin.companion.door.moment()) == sorted(laid)
        first = tmp_path / "evidence" / f"1.{CALLED.number + 1:06d}.jpg"
        until(first.with_name(f"{first.stem}-2.json").exists)
        sidecar = read_json(first.with_suffix(".json"), Sidecar)
        assert sorted(each.face or "" for each in sidecar.reading.cards) == sorted(laid)
        assert {"added", "settled"} & {*sidecar.parts}
        beside = read_json(first.with_name(f"{first.stem}-2.json"), Sidecar)
        assert sorted(each.face or "" for each in beside.reading.cards) == sorted(laid)


def test_a_second_camera_that_dies_is_told_and_takes_nothing_with_it(tmp_path: Path) -> None:
    with lamplit_table(tmp_path) as (twin, ask):
        assert twin.world.second is not None
        twin.world.second.fault = "unplugged"
        until(lambda: problems_of_second(twin))
        assert twin.second is not None
        dead = twin.second.pid
        assert dead is not None
        os.kill(dead, signal.SIGKILL)
        laid = twin.world.lay(CALLED, ask)
        second = twin.second
        until(lambda: second.pid not in {dead, None})
        assert twin.companion.door.moment().number == CALLED.number
        assert not twin.companion.table.paused
        twin.world.second.fault = None
        until(lambda: twin.companion.door.moment().number > CALLED.number)
        assert cards_counted(twin.companion.door.moment()) == sorted(laid)
        until(lambda: not problems_of_second(twin))


def test_where_both_cameras_are_sure_and_differ_the_table_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lamplit_table(tmp_path) as (twin, ask):
        shown = twin.world._scene
        hidden, seen, strange = (face for face in ask.deck.counts if face in {"4", "5", "10"})

        def see_another(camera: SceneCamera, glare: Point | None) -> tuple[Scene, Faces] | None:
            """Let the second camera see another card in the place of the one that both see."""
            found = shown(camera, glare)
            if found is None or camera is not FROM_OPPOSITE:
                return found
            cards = tuple(replace(each, face=strange) if each.face == seen else each for each in found[0].cards)
            return replace(found[0], cards=cards), found[1]

        monkeypatch.setattr(twin.world, "_scene", see_another)
        twin.world.lay(CALLED, ask, (hidden, seen))
        until(lambda: asked_key(twin) == "is it one of two")
        way = twin.companion.table.way
        assert way is not None
        assert {way.notice.values["card"], way.notice.values["other"]} == {seen, strange}
        assert twin.companion.door.moment().number == CALLED.number
