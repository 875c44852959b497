"""The twin through the cameras that people have: each finds its table from where it hangs, or is refused."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.storage.table_zones import seat_zones
from firmware.twin.simulated_camera import PLAIN, SimulatedCameraError, simulated_camera
from firmware.twin.world import World
from tests.firmware.twin.test_world import begun_match
from vision.table.calibration import calibrate, problems
from vision.table.framing import USUAL_APART, frame_picture
from vision.table.optics import CAMERAS, heights

ABLE = [name for name, optics in CAMERAS.items() if heights(optics, USUAL_APART) is not None]


@pytest.mark.parametrize("name", ABLE)
def test_a_camera_that_people_have_sees_the_simulated_table(name: str, tmp_path: Path) -> None:
    file = tmp_path / "camera.bmp"
    zones = lambda seats: seat_zones(seats, *USUAL_APART)  # noqa: E731
    world = World(begun_match("coup"), zones, file, simulated_camera(name))
    try:
        assert world.shown.wait(60)
        picture = np.asarray(cv2.imread(str(file)), np.uint8)
    finally:
        world.close()
    assert picture.shape[1::-1] == CAMERAS[name].mode
    assert problems(picture) == ()
    assert calibrate(picture) is not None
    assert frame_picture(picture, CAMERAS[name]).moves == ()


def test_without_a_name_it_is_the_plain_one() -> None:
    assert simulated_camera(None) is PLAIN


@pytest.mark.parametrize("name", ["usb:0", "pi", "", *(name for name in CAMERAS if name not in ABLE)])
def test_a_camera_that_cannot_see_the_table_or_is_none_is_refused(name: str) -> None:
    with pytest.raises(SimulatedCameraError) as error:
        simulated_camera(name)
    assert all(able in str(error.value.problem.values["names"]) for able in ABLE)
