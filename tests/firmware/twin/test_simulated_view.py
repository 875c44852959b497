"""Camera views of the simulated table, typed changes to it, and the cameras that can show it."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.outputs.drivers import DigitsDriver, SpiDigitsDriver, lamps_of
from firmware.twin.simulated_board import STORED_LEVELS, BoardMonitor, Fingers, SimulatedPins, WatchedPin
from firmware.twin.simulated_camera import PLAIN, simulated_camera
from firmware.twin.typed_commands import typed_commands
from firmware.twin.world import World
from referee.contract import Option
from tests.firmware.board.inputs.matches import after, bidden
from tests.firmware.twin.twin_tables import begun_match, world_of
from tests.given import present
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.tiers import tiered
from tests.waiting import TEST_TIMEOUT, until
from vision.pictures import Picture, unpack_picture
from vision.table.calibration import calibrate
from vision.table.framing import USUAL_APART, frame_picture, sight_problems
from vision.table.optics import CAMERAS, heights
from vision.troubles import TroubleError

MATCH = after(bidden(20, seats=2), ("turn", Option("coyote"), 1))
WHITE = 240


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with world_of(MATCH, tmp_path) as world:
        until((tmp_path / "camera.bmp").exists)
        yield world


def seen(tmp_path: Path) -> Picture:
    return present(unpack_picture((tmp_path / "camera.bmp").read_bytes()))


def is_lamp_reflected(picture: Picture) -> bool:
    """Return whether a lamp is reflected at the table's centre, which is the picture's centre."""
    high, wide = picture.shape[:2]
    middle = picture[high // 2 - 40 : high // 2 + 40, wide // 2 - 40 : wide // 2 + 40]
    return bool((middle.min(axis=2) > WHITE).mean() > 0.5)


def typing(world: World) -> Any:
    commands = typed_commands(SimpleNamespace(world=world, fingers=Fingers(OWN_BOARDS["six"], SimulatedPins())))
    return lambda line: commands[line.split()[0]](MATCH, line.split()[1:])


def test_typed_keys_move_the_table(world: World, tmp_path: Path) -> None:
    says = typing(world)
    for done in ("press 2", "press 6 long", "turn 4", "turn -1", "push", "fault black"):
        assert says(done) == []
    for none in ("press 7", "press 2 second", "turn x"):
        assert says(none) == ["The board has no such button, or no dial."]
    assert says("lay 20 20") == ["Laid: 20 20"]
    assert says("lay foo") == ["There is no card foo."]
    world.set_right()
    assert world.add_strange(None)
    assert not is_lamp_reflected(seen(tmp_path))
    assert says("glare") == []
    until(lambda: is_lamp_reflected(seen(tmp_path)))
    says("glare")
    until(lambda: not is_lamp_reflected(seen(tmp_path)))


def test_camera_fails_until_everything_is_restored(world: World, tmp_path: Path) -> None:
    says, picture = typing(world), tmp_path / "camera.bmp"
    assert says("fault unplugged") == []
    until(lambda: not picture.exists())
    assert world.view.picture() is None
    assert says("fault black") == []
    until(lambda: picture.exists() and not seen(tmp_path).any())
    says("fault")
    until(lambda: bool(seen(tmp_path).any()))
    says("fault frozen")
    assert world.view.fault == "frozen"
    world.set_right()
    assert world.view.fault is None


def test_no_wait_for_first_frame_of_unplugged_camera(tmp_path: Path) -> None:
    begin = Event()
    with world_of(MATCH, tmp_path, begin=begin) as world:
        world.view.fault = "unplugged"
        begin.set()
        assert world.shown.wait(TEST_TIMEOUT)
        assert not (tmp_path / "camera.bmp").exists()


ABLE = [name for name, optics in CAMERAS.items() if heights(optics, USUAL_APART) is not None]


@pytest.mark.parametrize("name", tiered(ABLE[:1], ABLE))
def test_real_camera_model_sees_simulated_table(name: str, tmp_path: Path) -> None:
    with world_of(begun_match("coup"), tmp_path, simulated_camera(name)) as world:
        assert world.shown.wait(60)
        picture = np.asarray(cv2.imread(str(tmp_path / "camera.bmp")), np.uint8)
    assert picture.shape[1::-1] == CAMERAS[name].mode
    assert sight_problems(picture) == ()
    assert calibrate(picture) is not None
    assert frame_picture(picture, CAMERAS[name]).moves == ()


@pytest.mark.parametrize("name", ["usb:0", "pi", "", *(name for name in CAMERAS if name not in ABLE)])
def test_unsuitable_or_unknown_camera_is_rejected(name: str) -> None:
    assert simulated_camera(None) is PLAIN
    with pytest.raises(TroubleError) as error:
        simulated_camera(name)
    assert all(able in str(error.value.problem.values["names"]) for able in ABLE)


# the board on the page


@pytest.mark.parametrize("profile", ["full", "six", "digits"])
def test_lamps_and_digits_are_read_from_their_pins(profile: str) -> None:
    board, factory = OWN_BOARDS[profile], SimulatedPins()
    shining = BoardMonitor(board, factory)
    lamps, spi = present(lamps_of(board, factory)), board.max7219
    digits = SpiDigitsDriver(spi, factory) if spi else DigitsDriver(present(board.display), factory)
    lamps.show(("green", "red", "amber", ""))
    digits.tell(" -17", 0)
    shown = shining.read_output()
    assert shown.seats[:5] == ("green", "red", "amber", "", "")
    assert shown.digits == " -17"
    assert shown.attention is False
    lamps.show(("", "", "", "green"))
    digits.tell(" End", 0)
    assert shining.read_output().seats[:4] == ("", "", "", "green")
    assert shining.read_output().digits == " End"


def test_board_without_lamps_shows_none() -> None:
    shown = BoardMonitor(OWN_BOARDS["minimal"], MockFactory(pin_class=WatchedPin)).read_output()
    assert (shown.seats, shown.attention, shown.digits) == ((), False, None)


def test_pin_drops_old_history() -> None:
    factory = MockFactory(pin_class=WatchedPin)
    pin = factory.pin(4)
    pin.function = "output"
    for _time in range(100):
        pin.state = 1
        pin.state = 0
    assert len(pin.states) <= STORED_LEVELS
