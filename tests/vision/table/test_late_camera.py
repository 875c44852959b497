"""The Pi's camera as libcamera has it: late controls and metadata, values within bounds, others refused."""

import sys
from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.process.eyes import EyesCamera
from vision.table.camera import WARM
from vision.table.device_cameras import MAIN, PiCamera

LATE = 4
"""Frames after which a control takes effect, and metadata tells of it."""
AIM = 110.0
"""The level that its exposure aims at."""


class LatePi:
    """The used part of picamera2, over a sensor that follows the light of a scene."""

    made: "list[LatePi]" = []  # noqa: RUF012 - one list for all of them, on purpose

    def __init__(self) -> None:
        """Look at a room in the evening."""
        self.camera_controls = {
            "AeEnable": (False, True, True),
            "ExposureTime": (100, 60_000, 20_000),
            "AnalogueGain": (1.0, 8.0, 1.0),
            "AwbEnable": (False, True, True),
            "FrameDurationLimits": (33_333, 120_000, 33_333),
        }
        self.camera_properties = {"Model": "imx219"}
        self.scene = 0.004
        """How bright a microsecond makes a picture."""
        self._is_free, self._exposure, self._gain = True, 20_000.0, 1.0
        self._coming: deque[dict[str, Any]] = deque([{}] * LATE, LATE)
        self._told: deque[dict[str, Any]] = deque([{}] * LATE, LATE)
        self._frame = 0
        LatePi.made.append(self)

    def create_video_configuration(self, **wish: Any) -> dict[str, Any]:
        """Take what is wished; a control that it hasn't is an error."""
        self._check(wish["controls"])
        return wish

    def configure(self, _wish: dict[str, Any]) -> None:
        """Be configured."""

    def start(self) -> None:
        """Start."""

    def stop(self) -> None:
        """Stop."""

    def close(self) -> None:
        """Close."""

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Take effect some frames later, within what it can."""
        self._check(controls)
        self._coming[-1] = {**self._coming[-1], **controls}

    def capture_metadata(self) -> dict[str, Any]:
        """Tell of a frame that is past."""
        self._step()
        return self._told[0]

    def capture_array(self, _stream: str) -> np.ndarray:
        """Show the scene, with the sensor's noise."""
        self._step()
        level = min(255.0, self.scene * self._exposure * self._gain)
        rng = np.random.default_rng(self._frame)
        flat = np.full((MAIN[1] // 8, MAIN[0] // 8, 3), level) + rng.normal(
            0, 1.5, (MAIN[1] // 8, MAIN[0] // 8, 1)
        )
        return np.clip(flat, 0, 255).astype(np.uint8)

    def _check(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")

    def _step(self) -> None:
        self._frame += 1
        now = self._coming.popleft()
        self._coming.append({})
        self._is_free = bool(now.get("AeEnable", self._is_free))
        if not self._is_free:
            low, high, _usual = self.camera_controls["ExposureTime"]
            self._exposure = min(max(float(now.get("ExposureTime", self._exposure)), low), high)
            self._gain = float(now.get("AnalogueGain", self._gain))
        else:
            # half of the way in each frame, as exposure control does
            wanted = AIM / self.scene
            self._exposure = min(max(self._exposure + (wanted - self._exposure) / 2, 100.0), 60_000.0)
        self._told.append({"ExposureTime": round(self._exposure), "AnalogueGain": self._gain})


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[LatePi]:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=LatePi))
    monkeypatch.setattr(LatePi, "made", [])
    return LatePi


def brightness(sight: EyesCamera, *, held: bool, frames: int) -> float:
    """Look for some frames, and tell how bright the last one was."""
    shown: Any = None
    for _frame in range(frames):
        shown = sight.picture(held=held)
    return float(np.asarray(shown).mean())


@pytest.fixture
def sight() -> EyesCamera:
    eyes = EyesCamera("pi")
    eyes._camera = PiCamera()
    return eyes


def test_the_light_that_is_held_is_the_one_that_was_right(pi: type[LatePi], sight: EyesCamera) -> None:
    assert brightness(sight, held=False, frames=WARM) == pytest.approx(AIM, abs=3)
    assert brightness(sight, held=True, frames=3 * LATE) == pytest.approx(AIM, abs=3)
    pi.made[0].scene *= 1.6
    assert brightness(sight, held=True, frames=3 * LATE) == pytest.approx(1.6 * AIM, abs=4)


def test_a_light_that_is_let_go_is_followed_and_held_anew(pi: type[LatePi], sight: EyesCamera) -> None:
    brightness(sight, held=False, frames=WARM)
    brightness(sight, held=True, frames=3 * LATE)
    pi.made[0].scene /= 2
    assert brightness(sight, held=True, frames=3 * LATE) == pytest.approx(AIM / 2, abs=3)
    assert brightness(sight, held=False, frames=3 * LATE) == pytest.approx(AIM, abs=3)
    assert brightness(sight, held=True, frames=3 * LATE) == pytest.approx(AIM, abs=3)


def test_what_the_camera_has_not_is_not_asked_of_it(pi: type[LatePi], sight: EyesCamera) -> None:
    # no autofocus, no flicker control, no colour gains: each would be an error
    brightness(sight, held=False, frames=WARM)
    brightness(sight, held=True, frames=2)
    assert len(pi.made) == 1


def test_in_the_dark_the_longest_exposure_is_held_and_no_longer_one(
    pi: type[LatePi], sight: EyesCamera
) -> None:
    brightness(sight, held=False, frames=1)
    pi.made[0].scene = 0.001
    dark = brightness(sight, held=False, frames=WARM + 3)
    assert dark == pytest.approx(60.0, abs=3)
    assert brightness(sight, held=True, frames=3 * LATE) == pytest.approx(dark, abs=3)
