"""`coyote doctor --report`: the contents of a Pi's report, its privacy, and its replay."""

import sys
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.board.outputs.drivers import lamps_of
from firmware.board_events import Edge
from firmware.services.checks import Finding
from firmware.start.board_tries import BoardTries
from firmware.start.report import Report, computer_facts, power_facts, read_report, tell_finding, write_report
from hardware.board.board import Key, keys
from tests.firmware.conftest import Coyote
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.hil.replay import camera_faults, replay
from vision.table.camera_facts import FREE_FRAMES, HELD_FRAMES, CameraFacts, camera_facts
from vision.table.device_cameras import PiCamera

SIX = OWN_BOARDS["six"]
BOUNCES = (0.0, 0.0004, 0.0011, 0.12, 0.1203, 0.121)
"""Seconds of a press's edges: down, up, down, up, down, up."""


def tried(*pressed: Key, times: tuple[float, ...] = BOUNCES) -> BoardTries:
    tries = BoardTries(clock=lambda: 50.002, factory=MockFactory(pin_class=MockPWMPin))
    tries.heard = _pressed(*pressed, times=times)
    return tries


def _pressed(*pressed: Key, times: tuple[float, ...]) -> Any:
    """Return a queue that presses buttons as they are requested; None ends each press."""
    heard: list[tuple[Edge, float] | None] = []
    for key in pressed:
        edges = (Edge(key, 50 + at, place % 2 == 0) for place, at in enumerate(times))
        heard += [*((edge, edge.at + 0.0005) for edge in edges), None]

    def get(*, timeout: float) -> tuple[Edge, float]:
        del timeout
        if (next_one := heard.pop(0) if heard else None) is None:
            raise Empty
        return next_one

    return SimpleNamespace(get=get)


class _TalkingPi:
    """The used part of picamera2, as a Module 3 with its answers."""

    camera_properties: Mapping[str, Any] = {"Model": "imx708", "UnitCellSize": (1400, 1400), "Owner": "Ana"}
    camera_controls: Mapping[str, Any] = {
        "AeEnable": (False, True, True),
        "AwbEnable": (False, True, None),
        "ExposureTime": (10, 112_015_553, 20_000),
        "AnalogueGain": (1.12, 16.0, float("nan")),
        "ColourGains": (0.0, 32.0, None),
        "AfMode": (0, 2, 0),
        "LensPosition": (0.0, 15.0, 1.0),
        "FrameDurationLimits": (17_849, 220_417_486, (33_333, 33_333)),
        "ScalerCrop": (SimpleNamespace(), SimpleNamespace(), SimpleNamespace()),
    }
    sensor_modes = ({"size": (2304, 1296), "fps": 56.03, "format": "SRGGB10_CSI2P"},)

    def __init__(self) -> None:
        self.wish: dict[str, Any] = {}
        self.stamp, self.is_held = 0, False

    def create_video_configuration(self, **wish: Any) -> dict[str, Any]:
        return wish

    def configure(self, wish: dict[str, Any]) -> None:
        self.wish = wish

    def camera_configuration(self) -> dict[str, Any]:
        main = {**self.wish["main"], "stride": 6912, "framesize": 6912 * 1296}
        return {**self.wish, "main": main, "lores": None}

    def capture_metadata(self) -> dict[str, Any]:
        self.stamp += 66_666_000
        told = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), "LensPosition": 1.0}
        return {"SensorTimestamp": self.stamp, **told, "Secret": "x"}

    def capture_arrays(self, _streams: list[str]) -> tuple[list[Any], dict[str, Any]]:
        return [np.zeros((1296, 2304, 3), np.uint8)], self.capture_metadata()

    def set_controls(self, _controls: dict[str, Any]) -> None:
        self.is_held = True

    def start(self) -> None:
        """Do nothing."""

    stop = close = start


@pytest.fixture
def facts(monkeypatch: pytest.MonkeyPatch) -> CameraFacts:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=_TalkingPi))
    camera = PiCamera()
    try:
        return camera.facts()
    finally:
        camera.close()


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)


def report_of(root: Path, tries: BoardTries, **parts: Any) -> Report:
    power = power_facts(root)
    usual = {"power": (power, power), "camera": None, "camera_trouble": "", "profile": "six", "board": SIX}
    told = {"presses": tuple(tries.presses), "checklist": tries.seen, "findings": ()}
    (root / "report.json").write_bytes(write_report(**{**computer_facts(root), **usual, **told, **parts}))
    return read_report(root / "report.json")


PI = {
    "proc/cmdline": "console=tty1 root=PARTUUID=5e3c7a1b-02 smsc95xx.macaddr=D8:3A:DD:01:02:03"
    " cgroup_disable=memory systemd.hostname=anas-pi wifi=Home:hunter2 ip=192.168.1.7 bcm2709.serial=0xfeed"
    " console=ana@home/secret",
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
    "proc/device-tree/serial-number": "10000000feedbeef",
    "proc/device-tree/system/linux,revision": bytes.fromhex("00c03115"),
    "proc/meminfo": "MemTotal:  1000 kB\nCmaFree:  300 kB\nOther:  5 kB\n",
    "etc/hostname": "anas-pi",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
    "etc/rpi-issue": "Raspberry Pi reference 2025-11-24\n",
    "sys/class/rfkill/rfkill0/type": "wlan\n",
    "sys/class/rfkill/rfkill0/soft": "1\n",
    "sys/class/rfkill/rfkill0/name": "phy-of-ana\n",
    "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n",
    "sys/class/thermal/thermal_zone0/temp": "51200\n",
    "dev/gpiochip0": "",
}


def test_pi_report_describes_machine_without_personal_data(tmp_path: Path, facts: CameraFacts) -> None:
    write(tmp_path, PI)
    (tmp_path / "dev/gpiochip4").symlink_to("gpiochip0")
    (tmp_path / "dev/gpiochip9").symlink_to("nowhere")
    names = ("folder", "network", "camera", "board", "sound", "packages")
    findings = tuple(tell_finding(Finding("trouble", "/home/ana", "ana", name)) for name in names)
    report = report_of(tmp_path, tried(), findings=findings, camera=facts)
    told = {"model": "Raspberry Pi 4 Model B Rev 1.5", "revision": "c03115", "image": "2025-11-24"}
    words = {"command_line": ("console=tty1", "cgroup_disable=memory"), "words_left_out": 7}
    assert {**report.computer, **told, **words} == report.computer
    assert report.memory == {"MemTotal": 1000, "CmaFree": 300}
    assert report.radios == ({"type": "wlan", "soft": "1", "hard": ""},)
    assert [chip["leads_to"] for chip in report.chips] == ["", "gpiochip0", "nowhere"]
    assert (report.power[0]["under_voltage"], report.power[0]["degrees"]) == ("1", 51.2)
    assert set(report.absent) - {"throttled"} == {"cgroups", "presses"}
    written = (tmp_path / "report.json").read_text(encoding="utf-8").lower()
    secrets = ("ana", "hunter2", "192.168", "5e3c", "d8:3a", "feed", "owner", "secret", "phy")
    assert [secret for secret in secrets if secret in written.replace("analoguegain", "")] == []


def test_laptop_writes_report_and_lists_missing_parts(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    result = coyote(f"doctor --report -o {file}")
    assert (result.code, "mine.json is written" in result.err) == (0, True)
    report = read_report(file)
    assert {"model", "camera", "board", "presses"} <= set(report.absent)
    assert set(report.checklist.values()) == {"not asked"}
    assert {"part", "told"} <= {field for each in report.findings for field in each.__struct_fields__}
    result = coyote(f"doctor --report -o {tmp_path / 'no' / 'mine.json'}")
    assert (result.code, result.err.count("\n"), result.out) == (1, 1, "")


def test_camera_is_described_even_without_a_picture(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=_TalkingPi))
    coyote(f"doctor --report --camera pi -o {tmp_path / 'mine.json'}")
    report = read_report(tmp_path / "mine.json")
    assert report.camera is not None
    assert (report.camera.properties["Model"], report.camera_trouble) == ("imx708", "")
    # its lens cap is on
    assert [each.state for each in report.findings if each.part == "camera"] == ["trouble"]


def test_camera_answers_match_our_requests(facts: CameraFacts) -> None:
    assert [frame.is_held for frame in facts.frames] == [False] * FREE_FRAMES + [True] * HELD_FRAMES
    assert [(each.name, each.size, each.stride) for each in facts.streams] == [("main", (2304, 1296), 6912)]
    assert facts.asked == {"FrameDurationLimits": (66_666, 100_000), "AfMode": 2}
    assert facts.held["ExposureTime"] == 20_000
    assert camera_faults(facts) == []
    # a camera with other or no answers reports the rest
    odd: Any = _TalkingPi()
    odd.wish, odd.camera_controls, odd.camera_properties = {"main": {"size": None}}, {"Odd": 1}, None
    assert camera_facts(odd, {}, facts.frames) == CameraFacts({}, {}, {}, {}, 0, (), facts.modes, facts.frames)


def test_recorded_presses_are_replayed_and_counted_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], facts: CameraFacts
) -> None:
    tries = tried(*keys(SIX))
    states = {finding.state for finding in tries.try_board(replace(SIX, lamps=None))}
    report = report_of(tmp_path, tries, camera=facts)
    assert (states, len(report.presses)) == ({"well"}, 7)
    with pytest.raises(SystemExit) as ended:
        replay(tmp_path / "report.json")
    assert ended.value.code is None
    assert "push None, 6 edges, 4 gaps of 300 to 700 µs: 1 made, 1 heard: 1 of 1" in capsys.readouterr().out


def test_bouncing_button_is_not_mistaken_for_next_one() -> None:
    tries = tried(Key("call", 0), Key("call", 1), Key("call", 3))
    found = [tries.try_button(SIX, Key("call", seat), None) for seat in range(4)]
    assert [each.state for each in found] == ["well", "well", "trouble", "trouble"]
    assert "seat 4 responded instead" in str(found[2].told)
    assert "doesn't respond" in str(found[3].told)


def test_each_press_lights_its_lamp_and_line_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = tried(Key("call", 1))
    lamps = lamps_of(SIX, tries._factory)
    assert lamps is not None
    assert tries.try_button(SIX, Key("call", 1), lamps).state == "well"
    lamps.close()
    (press,) = tries.presses
    assert press.lamp is not None
    assert (press.lamp.is_read_back, press.lamp.written) == (True, 1500)
    answers = iter("yn-yyn" + "y" * 9)
    monkeypatch.setattr("click.prompt", lambda *_asked, **_named: next(answers))
    assert list(tries.watch(SIX)) == []
    tries.remember()
    assert list(tries.seen.values())[:6] == ["yes", "no", "not seen", "yes", "yes", "no"]
    assert set(list(tries.seen.values())[6:]) == {"yes"}
