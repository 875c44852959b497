"""`coyote doctor`: what is wrong has its remedy, what isn't there is absent."""

import sys
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import cv2
import msgspec
import numpy as np
import pytest
from click import Abort, ClickException
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.voices.drivers import lamps_of
from firmware.board.voices.loudspeakers import Kind, Loudspeaker, UsedLoudspeaker
from firmware.start import doctor, machine
from firmware.start.board_tries import try_lamps
from firmware.start.machine import Finding
from hardware.board.board import LampLines, our_boards
from hardware.board.usb_box import UsbBox, UsbButton
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable
from tests.firmware.board.senses.piped_inputs import PipedInputs
from tests.firmware.conftest import Coyote
from tests.vision.rendered_tables import scene_under
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, highest
from vision.table.plates import Picture

CAMERA = SceneCamera(resolution=(1664, 1248), focal=1280.0, jpeg=0)


@cache
def table() -> Picture:
    return render(Scene(CAMERA, SceneTable("felt")), faces_of("coup")).picture


@pytest.fixture(autouse=True)
def _packages(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Load no package in another process but where that is the matter."""
    if "laptop" not in request.node.name:
        monkeypatch.setattr(machine, "_import_trouble", lambda _name: "")


def test_a_laptop_is_well_and_says_what_it_lacks(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    said = coyote("doctor")
    assert said.code == 0
    assert "- camera: no Raspberry Pi here" in said.out
    assert "- board: no Raspberry Pi here" in said.out
    assert all(line[0] in "+-" for line in said.out.splitlines())


def test_a_picture_of_the_markers_is_judged_and_a_hidden_one_has_its_remedy(
    coyote: Coyote, tmp_path: Path
) -> None:
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), table())
    said = coyote(f"doctor --camera file:{file}")
    assert (said.code, "+ markers: all four" in said.out) == (0, True)
    hidden = table().copy()
    hidden[900:, :500] = 90
    cv2.imwrite(str(file), hidden)
    said = coyote(f"doctor --json --camera file:{file}")
    assert said.code == 1
    found = msgspec.json.decode(said.out, type=dict[str, list[Finding]])["findings"]
    (trouble,) = [each for each in found if each.state == "trouble"]
    assert (trouble.part, "marker 3" in trouble.told, bool(trouble.remedy)) == ("markers", True, True)


def test_mistakes_in_the_configuration_and_a_camera_that_is_not_there_are_told(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    (tmp_path / "coyote.toml").write_text("sound.volume = 'x'\nbord = 1\n", encoding="utf-8")
    said = coyote(f"doctor --camera live:{tmp_path / 'nothing.bmp'}")
    assert (said.code, said.out.count("! configuration"), "! camera" in said.out) == (1, 2, True)


@pytest.mark.parametrize(
    ("finding", "state"),
    [
        (machine.clock(1970), "trouble"),
        (machine.clock(2030), "well"),
        (machine.warmth(85.0), "trouble"),
        (machine.warmth(50.0), "well"),
        (machine.supply(0x1), "trouble"),
        (machine.supply(0x50000), "trouble"),
        (machine.supply(0x20000), "well"),
    ],
)
def test_clock_warmth_and_supply(finding: Finding, state: str) -> None:
    assert (finding.state, bool(finding.remedy)) == (state, state == "trouble")


def test_a_package_that_does_not_load_has_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_import_trouble", lambda name: "it has changed" * (name == "simplejpeg"))
    states = {finding.told.split(":")[0]: finding.state for finding in machine.packages()}
    assert (states["simplejpeg"], list(states.values())) == ("trouble", ["well", "trouble"])


def _used(kind: Kind, *, is_chosen: bool = False) -> UsedLoudspeaker:
    return UsedLoudspeaker(Loudspeaker("card", "Its name", kind), "device", is_chosen)


@pytest.mark.parametrize(
    ("used", "volume", "is_table", "state"),
    [
        (None, 80, True, "trouble"),
        (None, 0, True, "absent"),
        (None, 80, False, "absent"),
        (_used("usb"), 80, True, "well"),
        (_used("screen"), 80, True, "well"),
        (_used("socket"), 80, True, "absent"),
        (_used("socket", is_chosen=True), 80, True, "well"),
    ],
)
def test_a_table_needs_a_loudspeaker_that_can_be_heard_unless_it_is_silent(
    used: UsedLoudspeaker | None, volume: int, state: str, monkeypatch: pytest.MonkeyPatch, *, is_table: bool
) -> None:
    monkeypatch.setattr(machine, "espeak_trouble", lambda: None)
    found = machine.sound(used, volume, is_table=is_table)
    assert found.state == state
    assert ("Its name" in found.told) == (used is not None)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied", "/state"), "/state: Permission denied"),
        (ClickException("there is no profile x"), "there is no profile x"),
        (RuntimeError("nothing\nforesaw this"), "nothing foresaw this"),
        (RecursionError(), "RecursionError"),
    ],
)
def test_whatever_goes_wrong_with_a_part_is_one_line(error: Exception, told: str) -> None:
    (finding,) = doctor.part_findings("board", Mock(side_effect=error))
    assert (finding.part, finding.state, finding.told) == ("board", "trouble", told)
    assert finding.remedy


def test_who_interrupts_is_asked_no_more() -> None:
    with pytest.raises(Abort):
        list(doctor.part_findings("board", Mock(side_effect=Abort)))


@pytest.mark.parametrize("kind", ["folder", "too deep"])
def test_a_broken_board_or_state_hides_no_other_part(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nosuch")
    file, state = tmp_path / "coyote.toml", tmp_path / "state"
    for each in (file, state / "journal.sqlite3", state / "chosen.json"):
        if kind == "folder":
            each.mkdir()
        else:
            each.write_bytes(b"[" * 100_000)
    said = coyote("doctor --board six")
    assert said.code == 1
    parts = [line[2:].partition(":")[0] for line in said.out.splitlines()]
    assert set(parts) >= {"configuration", "disk", "journal", "clock", "power", "sound", "camera", "board"}
    assert "no pin can be used" in said.out
    assert "Traceback" not in said.out + said.err


def seen_by(name: str, share: float) -> Finding:
    """Hang a camera so much higher than it belongs, and look at the bare table."""
    optics = CAMERAS[name]
    scene = scene_under(optics, USUAL_APART, share * highest(optics), 4.0, (), 5)
    return doctor.lens(optics, USUAL_APART, render(scene, faces_of("coup")).picture)


def test_the_height_of_a_known_lens_is_said_and_a_table_that_is_too_large_for_it() -> None:
    blind = np.zeros((1080, 1920, 3), np.uint8)
    found = doctor.lens(CAMERAS["imx708"], USUAL_APART, blind)
    assert (found.state, found.told) == ("well", "Camera Module 3: 92 to 101 cm above the table")
    found = doctor.lens(CAMERAS["imx296"], USUAL_APART, blind)
    assert (found.state, "at most 756 x 498 mm" in found.told) == ("trouble", True)
    assert found.remedy == "take a Camera Module 3, or lay the plates closer together"


def test_a_lens_that_hangs_too_high_or_too_low_is_told_how_high_it_is() -> None:
    assert seen_by("imx219", 0.99).state == "well"
    found = seen_by("imx219", 1.2)
    told = "Camera Module 2: it hangs 95 cm high; above 82 cm cards are too small to be read"
    assert (found.state, found.told) == ("trouble", told)
    assert found.remedy == "hang it 77 to 78 cm above the table"
    found = seen_by("imx477", 0.74)
    assert (found.state, "below 84 cm not all markers are seen" in found.told) == ("trouble", True)


def test_each_lamp_is_asked_about_and_a_dark_one_has_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    board, factory, asked = our_boards()["six"], MockFactory(), list[int]()
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
    assert (dark.told, "GPIO11, pin 23 of the header" in dark.remedy) == ("The red lamp of seat 2", True)


def test_usb_boxes_that_are_missing_or_may_not_be_read_have_their_remedy() -> None:
    here, gone = UsbBox("Box", "usb-1.1/input0"), UsbBox("Other", "usb-1.2/input0")
    buttons = (UsbButton(here, 288, 0), UsbButton(here, 289, 2), UsbButton(gone, 288, 1))
    inputs = PipedInputs()
    inputs.plug_in(here)
    found = list(doctor.usb_findings(buttons, inputs))
    assert [(each.state, each.told, each.remedy) for each in found] == [
        ("well", "Box, seats 1, 3", ""),
        ("trouble", "Other, seats 2", "plug it in"),
    ]
    inputs.is_denied = True
    (remedy,) = {each.remedy for each in doctor.usb_findings(buttons, inputs)}
    assert remedy == "let this user into the group input"
    assert list(doctor.usb_findings((), inputs)) == []


def test_spi_that_is_off_has_its_remedy(tmp_path: Path) -> None:
    ring = our_boards()["ring"]
    (tmp_path / "spidev0.0").touch()
    found = list(doctor.spi_findings(ring, tmp_path))
    assert [each.state for each in found] == ["well", "trouble"]
    assert found[1].told == f"{tmp_path / 'spidev0.1'} isn't there"
    assert "dtparam=spi=on" in found[1].remedy
    assert list(doctor.spi_findings(our_boards()["six"], tmp_path)) == []


# packages of the system or of the environment


def _install(folder: Path, name: str, version: str) -> None:
    about = folder / f"{name}-{version}.dist-info"
    for place in (folder / name, about):
        place.mkdir()
    (folder / name / "__init__.py").touch()
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(said, encoding="utf-8")


def test_the_environments_own_packages_come_before_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, system = (tmp_path / "venv/lib", tmp_path / "usr/lib")
    for place in (own, system):
        place.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(own), str(system)])
    for name in machine.NEEDED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    _install(system, "picamera2", "0.3.31")
    camera, pins = machine.pi_packages(tmp_path / "venv")
    found = camera.source, camera.version, camera.place, pins.source
    assert found == ("system", "0.3.31", str(system), "none")
    well, trouble = machine.of_the_pi((camera, pins))
    assert well.told.startswith(f"picamera2 0.3.31 of the system ({system}), as this")
    told = "lgpio isn't installed, neither in the system nor in this environment"
    assert (well.state, trouble.state, trouble.told, bool(trouble.remedy)) == ("well", "trouble", told, True)
    (system / "lgpio.py").touch()
    _install(own, "picamera2", "0.3.38")
    camera, pins = machine.pi_packages(tmp_path / "venv")
    assert (camera.source, camera.version) == ("environment", "0.3.38")
    assert (pins.source, pins.version, pins.place) == ("system", "?", str(system))


def test_a_kernel_that_does_not_count_memory_has_its_remedy(tmp_path: Path) -> None:
    controllers = tmp_path / "cgroup.controllers"
    assert machine.bounds(controllers).state == "absent"
    controllers.write_text("cpuset cpu io pids\n", encoding="ascii")
    found = machine.bounds(controllers)
    assert (found.state, "cgroup_enable=memory" in found.remedy) == ("trouble", True)
    controllers.write_text("cpuset cpu io memory pids\n", encoding="ascii")
    assert machine.bounds(controllers).state == "well"


@pytest.mark.parametrize(
    ("kind", "soft", "hard", "state", "has_remedy"),
    [
        ("wlan", "0", "0", "well", False),
        ("wlan", "1", "0", "absent", True),
        ("wlan", "0", "1", "absent", True),
        ("bluetooth", "1", "0", "absent", False),
    ],
)
def test_a_radio_that_is_switched_off_has_its_remedy(
    kind: str, soft: str, hard: str, state: str, tmp_path: Path, *, has_remedy: bool
) -> None:
    (tmp_path / "rfkill3").mkdir()
    for name, text in (("type", kind), ("soft", soft), ("hard", hard)):
        (tmp_path / "rfkill3" / name).write_text(f"{text}\n", encoding="ascii")
    found = machine.radio(tmp_path)
    assert (found.state, bool(found.remedy)) == (state, has_remedy)


def test_the_chip_of_the_pins_is_the_one_that_gpiozero_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.pins("Raspberry Pi 4 Model B", tmp_path).state == "trouble"
    for name in ("gpiochip0", "gpiochip4"):
        (tmp_path / name).touch()
    assert machine.pins("Raspberry Pi 4 Model B", tmp_path).told.endswith("gpiochip0")
    assert machine.pins("Raspberry Pi 5 Model B", tmp_path).told.endswith("gpiochip4")
    monkeypatch.setattr("os.access", lambda *_asked: False)
    found = machine.pins("Raspberry Pi 4 Model B", tmp_path)
    assert (found.state, "gpio" in found.remedy) == ("trouble", True)
