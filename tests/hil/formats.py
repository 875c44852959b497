"""Check the camera settings with the real picamera2, on libcamera's virtual pipeline."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.hil.figures import end, print_count, print_figure
from tests.hil.game import SURROUNDINGS
from vision.table.device_cameras import MAINS, _configuration
from vision.table.optics import CAMERAS
from vision.table.thrift import PLENTY

VIRTUAL = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
PI = tuple(name for name in CAMERAS if not name.startswith("usb"))
CAMERA = """
"Virtual{number}":
  supported_formats:
  - {{width: {width}, height: {height}, frame_rates: [30, 30]}}
  test_pattern: "lines"
  location: "CameraLocationBack"
  model: "{name}"
"""
WANTED = ("AeEnable", "AwbEnable", "AfMode", "AeFlickerMode", "AeFlickerPeriod", "FrameDurationLimits")
"""Settings of cameras that support them."""


def describe_cameras() -> None:
    modes = [(name, *CAMERAS[name].mode) for name in PI]
    cameras = [CAMERA.format(number=n, name=name, width=w, height=h) for n, (name, w, h) in enumerate(modes)]
    VIRTUAL.write_text("%YAML 1.1\n---" + "".join(cameras), encoding="utf-8")


def try_camera(device: Any) -> None:
    name = device.camera_properties["Model"]
    mode = CAMERAS[name].mode
    device.configure(device.create_video_configuration(**_configuration(device, name, MAINS, PLENTY)))
    given = device.camera_configuration()["main"]
    device.start()
    shape = device.capture_array("main").shape
    device.stop()
    size = f"{mode[0]} x {mode[1]}"
    print_count(f"{CAMERAS[name].name}: {size} are given as wished for", tuple(given["size"]) == mode, 1)
    print_count(f"{CAMERAS[name].name}: a picture of as many pixels", shape == (mode[1], mode[0], 3), 1)


def try_cameras() -> None:
    describe_cameras()
    maker = import_module("picamera2").Picamera2
    found = [each["Model"] for each in maker.global_camera_info()]
    print_count("cameras that are found by their sensors' names", len(set(found) & set(PI)), len(PI))
    missing = set(WANTED)
    for number in range(len(found)):
        device = maker(number)
        missing -= set(device.camera_controls)
        try_camera(device)
        device.close()
    without = ("raw streams", "sensor modes", "crops", "lenses", *(name for name in WANTED if name in missing))
    print_figure("not tried, as libcamera's virtual cameras have none", ", ".join(without), "-")
    end()


if __name__ == "__main__":
    if "BENCH_FRAMES" not in os.environ:
        # restart with the patch of the virtual camera, which Python loads itself
        command = [sys.executable, "-m", "tests.hil.formats"]
        raise SystemExit(subprocess.run(command, env={**os.environ, **SURROUNDINGS}, check=False).returncode)
    try_cameras()
