"""What is wrong with the table, as pages say it to the whole room."""

from pathlib import Path

import pytest

from firmware.cli.terminal import listener_of
from firmware.start.pages.page_sentences import sentence_for_page
from tests.firmware.board.senses.matches import bidden
from vision.troubles import Problem, of_second_camera


@pytest.mark.parametrize("kind", ["live", "file", "folder"])
@pytest.mark.parametrize("key", ["missing", "gone", "frozen", "black", "busy"])
def test_no_folder_of_the_machine_is_named(kind: str, key: str, tmp_path: Path) -> None:
    problem = Problem(key, {"camera": f"{kind}:{tmp_path}/camera.bmp", "seconds": 3})
    told = sentence_for_page(problem, listener_of(bidden(3)))
    assert "/" not in told
    assert told.startswith("the camera: ")
    second = sentence_for_page(
        of_second_camera(problem, f"{kind}:{tmp_path}/aside.bmp"), listener_of(bidden(3))
    )
    assert second == f"Second camera: {told}"


@pytest.mark.parametrize("camera", ["pi", "usb:0", "/dev/video0"])
def test_a_camera_is_called_as_people_call_it(camera: str) -> None:
    told = sentence_for_page(Problem("frozen", {"camera": camera}), listener_of(bidden(3)))
    assert told.startswith(f"{camera}: ")
