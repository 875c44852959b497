"""`coyote doctor`: faults have a remedy, and absent parts aren't listed."""

import os
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.outputs.drivers import lamps_of
from firmware.services import checks
from firmware.services.checks import Finding
from firmware.start.board_checks import spi_findings, usb_findings
from firmware.start.board_tries import try_lamps
from firmware.start.camera_checks import lens_finding, lost_frames
from firmware.start.report import read_report
from firmware.start.safe_start import configuration_suspect, leave_out
from hardware.board.board import LampLines
from hardware.board.usb_box import UsbBox, UsbButton
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable, plates
from tests.firmware.board.inputs.piped_inputs import PipedInputs
from tests.firmware.conftest import Coyote, put_programs
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.vision.rendered_tables import scene_under
from vision.pictures import Picture
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, highest

CAMERA = SceneCamera(resolution=(1664, 1248), focal=1280.0, jpeg=0)


@cache
def table() -> Picture:
    return render(Scene(CAMERA, SceneTable("felt")), faces_of("coup"))


@pytest.fixture(autouse=True)
def _packages(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Load packages in a separate process only where that is tested."""
    if "laptop" not in request.node.name:
        monkeypatch.setattr(checks, "_import_trouble", lambda _name: "")


def test_laptop_passes_and_missing_parts_are_listed(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    result = coyote("doctor")
    assert result.code == 0
    assert "- camera: no Raspberry Pi here" in result.out
    assert "- board: no Raspberry Pi here" in result.out
    assert all(line[0] in "+-" for line in result.out.splitlines())


def test_terminal_program_and_report_have_same_findings(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "configuration").mkdir()
    (tmp_path / "configuration" / "coyote.toml").write_text("bord = 1\n", encoding="utf-8")
    lines = coyote(f"doctor --report -o {tmp_path / 'mine.json'}").out.splitlines()
    rows = msgspec.json.decode(coyote("doctor --json").out, type=dict[str, list[dict[str, str]]])["findings"]
    reported = read_report(tmp_path / "mine.json").findings
    assert [(each["part"], each["state"]) for each in rows] == [(each.part, each.state) for each in reported]
    for line, row in zip(lines, rows, strict=True):
        remedy = f" -> {row['remedy']}" if row["remedy"] else ""
        told = f"{checks.MARKS[row['state']]} {checks.NAMES[row['part']].one}: {row['told']}{remedy}"
        # the free disk space changes
        assert line == told or row["part"] == "disk"


def test_marker_picture_is_checked_and_hidden_marker_has_remedy(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), table())
    result = coyote(f"doctor --camera file:{file}")
    assert (result.code, "+ markers: all four found" in result.out) == (0, True)
    hidden = table().copy()
    hidden[900:, :500] = 90
    cv2.imwrite(str(file), hidden)
    result = coyote(f"doctor --json --camera file:{file}")
    assert result.code == 1
    found = msgspec.json.decode(result.out, type=dict[str, list[dict[str, str]]])["findings"]
    (trouble,) = [each for each in found if each["state"] == "trouble"]
    assert (trouble["part"], "marker 3" in trouble["told"], bool(trouble["remedy"])) == ("markers", True, True)


def test_plates_are_checked_where_table_was_found(coyote: Coyote, tmp_path: Path) -> None:
    file, scene = tmp_path / "table.png", Scene(CAMERA, SceneTable("felt", plates=plates(300, 200)))
    cv2.imwrite(str(file), render(scene, faces_of("coup")))
    result = coyote(f"doctor --camera file:{file}")
    assert (result.code, "mm apart, not 844 x 556 -> find the table on the host's page" in result.out) == (
        1,
        True,
    )
    assert coyote(f"table calibrate {file}").code == 0
    result = coyote(f"doctor --camera file:{file}")
    assert (result.code, "+ markers: all four found; they fit within 0." in result.out) == (0, True)


def _without_disk(said: str) -> list[str]:
    return [line for line in said.splitlines() if "disk: " not in line]


def test_configuration_errors_and_missing_camera_are_reported(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    (tmp_path / "coyote.toml").write_text("sound.volume = 'x'\nbord = 1\n", encoding="utf-8")
    result = coyote(f"doctor --camera live:{tmp_path / 'nothing.bmp'}")
    assert (result.code, result.out.count("! configuration"), "! camera" in result.out) == (1, 2, True)
    # the running table ignores them, and the faulty lines are still listed
    leave_out(configuration_suspect(tmp_path / "coyote.toml"), tmp_path / "state")
    again = coyote(f"doctor --camera live:{tmp_path / 'nothing.bmp'}")
    assert _without_disk(again.out) == _without_disk(result.out)
    (tmp_path / "coyote.toml").write_text("sound.volume = 5\n", encoding="utf-8")
    leave_out(configuration_suspect(tmp_path / "coyote.toml"), tmp_path / "state")
    output = coyote("doctor").out
    assert "because the table failed to start with it -> correct it, and it is used again." in output


def test_broken_board_or_state_hides_no_other_part(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nosuch")
    os.mkfifo(tmp_path / "coyote.toml")
    (tmp_path / "state" / "journal.sqlite3").mkdir()
    (tmp_path / "state" / "chosen.json").write_bytes(b"[" * 100_000)
    result = coyote("doctor --board fab")
    assert result.code == 1
    parts = [line[2:].partition(":")[0] for line in result.out.splitlines()]
    assert set(parts) >= {"configuration", "disk", "journal", "clock", "power", "sound", "camera", "board"}
    assert "no pin can be used" in result.out
    assert "Traceback" not in result.out + result.err


def photograph_from(name: str, share: float) -> Finding:
    """Simulate a camera mounted this much too high, and photograph the bare table."""
    optics = CAMERAS[name]
    scene = scene_under(optics, USUAL_APART, share * highest(optics), 4.0, (), 5)
    return lens_finding(optics, USUAL_APART, render(scene, faces_of("coup")))


def test_height_for_known_lens_and_oversized_table() -> None:
    blind = np.zeros((1080, 1920, 3), np.uint8)
    found = lens_finding(CAMERAS["imx708"], USUAL_APART, blind)
    assert (found.state, str(found.told)) == ("well", "Camera Module 3: 92 to 101 cm above the table")
    found = lens_finding(CAMERAS["imx296"], USUAL_APART, blind)
    assert (found.state, "at most 756 x 498 mm" in str(found.told)) == ("trouble", True)
    assert str(found.remedy) == "use a Camera Module 3, or lay the plates closer together"


def test_camera_too_high_or_low_gets_correct_height() -> None:
    found = photograph_from("imx219", 1.2)
    told = "Camera Module 2: 95 cm above the table instead of 77 to 78 cm"
    assert (found.state, str(found.told)) == ("trouble", told)
    assert str(found.remedy) == "lower the camera by 18 cm."
    found = photograph_from("imx477", 0.74)
    assert (found.state, str(found.remedy).startswith("raise the camera by ")) == ("trouble", True)


def test_each_lamp_is_asked_about_and_dark_one_has_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    board, factory, asked = OWN_BOARDS["six"], MockFactory(), list[int]()
    lamps = lamps_of(board, factory)
    assert lamps is not None
    assert isinstance(board.lamps, LampLines)
    lines = (*board.lamps.green, *board.lamps.red)

    def confirm(_told: str, **_options: object) -> bool:
        asked.extend(gpio for gpio in lines if factory.pin(gpio).state)
        return asked[-1] != 11

    monkeypatch.setattr("click.confirm", confirm)
    found = list(try_lamps(board, lamps))
    lamps.close()
    assert sorted(asked) == sorted(lines)
    (dark,) = (each for each in found if each.state == "trouble")
    assert str(dark.told) == "The red lamp of seat 2"
    assert "GPIO11, pin 23 of the header" in str(dark.remedy)


def test_missing_or_unreadable_usb_boxes_have_remedy() -> None:
    here, gone = UsbBox("Box", "usb-1.1/input0"), UsbBox("Other", "usb-1.2/input0")
    buttons = (UsbButton(here, 288, 0), UsbButton(here, 289, 2), UsbButton(gone, 288, 1))
    inputs = PipedInputs()
    inputs.plug_in(here)
    found = list(usb_findings(buttons, inputs))
    assert [(each.state, str(each.told), str(each.remedy)) for each in found] == [
        ("well", "Box, seats 1, 3", ""),
        ("trouble", "Other, seats 2", "plug it in"),
    ]
    inputs.is_denied = True
    (remedy,) = {str(each.remedy) for each in usb_findings(buttons, inputs)}
    assert remedy == "add this user to the group input"
    assert list(usb_findings((), inputs)) == []


def test_disabled_spi_has_remedy(tmp_path: Path) -> None:
    (found,) = spi_findings(OWN_BOARDS["digits"], tmp_path)
    assert (found.state, str(found.told)) == ("trouble", f"{tmp_path / 'spidev0.1'} isn't there")
    assert "dtparam=spi=on" in str(found.remedy)
    (tmp_path / "spidev0.1").touch()
    assert [each.state for each in spi_findings(OWN_BOARDS["digits"], tmp_path)] == ["well"]
    assert list(spi_findings(OWN_BOARDS["six"], tmp_path)) == []


# frames lost by a camera, as logged in the journal

LOST_FRAMES_LOG = """
[0:01:02] ERROR V4L2 v4l2_videodevice.cpp:2093 /dev/video0[19:cap]: Dequeue timer of 1000000.00us has expired!
[0:01:02] ERROR RPI pipeline_base.cpp:1367 Camera frontend has timed out!
uvcvideo 1-1.2:1.1: Non-zero status (-71) in video completion handler.
"""


def journal(folder: Path, monkeypatch: pytest.MonkeyPatch, told: str, code: int = 0) -> None:
    put_programs(folder, {"journalctl": f"cat <<'END'\n{told}\nEND\nexit {code}"})
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_lost_frames_are_reported_with_remedy(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal(tmp_path, monkeypatch, LOST_FRAMES_LOG)
    result = coyote("doctor")
    assert result.code == 1
    told = "frames lost since the computer started: 3 log lines"
    remedy = "push the cable in at both ends; a flat one may be 50 cm long at most"
    assert f"! camera: {told} -> {remedy}" in result.out
    journal(tmp_path, monkeypatch, "-- No entries --", code=1)
    assert list(lost_frames()) == []
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert list(lost_frames()) == []
