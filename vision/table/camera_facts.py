"""What a Pi's camera says of itself and of its frames, so that another computer can do as if it had it."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=80)]
Scalar = bool | int | float | Name | None
Plain = Scalar | Annotated[tuple[Scalar, ...], Meta(max_length=16)]
Told = Annotated[dict[Name, Plain], Meta(max_length=100)]
Bounds = tuple[Plain, Plain, Plain]  # the least, the most and the usual value of a control
Side = Annotated[int, Meta(ge=1, le=16_384)]
FREE_FRAMES, HELD_FRAMES = 30, 10
"""Frames that are noted while light and focus are free, and while they are held."""
MOST_FRAMES, MOST_MODES = 100, 50
T = TypeVar("T")

PROPERTIES = (
    "Model", "Location", "Rotation", "UnitCellSize", "PixelArraySize", "PixelArrayActiveAreas",
    "ScalerCropMaximum", "ColorFilterArrangement",
)  # fmt: skip
METADATA = (
    "SensorTimestamp", "FrameDuration", "ExposureTime", "AnalogueGain", "DigitalGain", "ColourGains",
    "ColourTemperature", "Lux", "LensPosition", "AfState", "FocusFoM", "SensorTemperature",
)  # fmt: skip
MODE = ("format", "unpacked", "bit_depth", "size", "fps", "crop_limits", "exposure_limits")


class Stream(Struct, frozen=True, forbid_unknown_fields=True):
    """A stream as it was configured: its pixels, the bytes of a row and those of a buffer."""

    name: Name
    format: Name
    size: tuple[Side, Side]
    stride: Annotated[int, Meta(ge=1, le=1 << 20)]
    bytes: Annotated[int, Meta(ge=1, le=1 << 28)]


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """A frame: when the eyes have it, in nanoseconds of the clock of sensors' stamps; what is told of it."""

    arrived: int
    told: Told
    is_held: bool = False


class CameraFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera as the table runs it."""

    properties: Told
    controls: Annotated[dict[Name, Bounds], Meta(max_length=200)]
    asked: Told
    held: Told  # what is asked of it while it runs freely, and what for holding its light
    buffers: Annotated[int, Meta(ge=0, le=64)]
    streams: Annotated[tuple[Stream, ...], Meta(max_length=4)]
    modes: Annotated[tuple[Told, ...], Meta(max_length=MOST_MODES)]
    frames: Annotated[tuple[Frame, ...], Meta(max_length=MOST_FRAMES)]


def camera_facts(device: Any, held: Mapping[str, Any], frames: Iterable[Frame]) -> CameraFacts:
    """Gather what a camera says; it is stopped for that, as picamera2 tries each mode to tell of it.

    What one camera doesn't have, or tells in another way, is left empty.
    """
    now = _or_empty(dict[str, Any], device.camera_configuration)
    controls: dict[str, Bounds] = _or_empty(
        dict,
        lambda: {
            name: (plain(least), plain(most), plain(usual))
            for name, (least, most, usual) in device.camera_controls.items()
        },
    )
    streams = _or_empty(tuple[Stream, ...], lambda: tuple(_streams(now)))
    device.stop()
    return CameraFacts(
        _or_empty(dict, lambda: _chosen(device.camera_properties, PROPERTIES)),
        controls,
        _or_empty(dict, lambda: _chosen(now["controls"])),
        _chosen(held),
        now.get("buffer_count", 0),
        streams,
        _or_empty(tuple, lambda: tuple(_chosen(mode, MODE) for mode in device.sensor_modes[:MOST_MODES])),
        tuple(frames),
    )


def _or_empty(empty: Callable[[], T], read: Callable[[], T]) -> T:
    try:
        return read()
    except Exception:  # noqa: BLE001 - what one camera lacks must not hide the rest
        return empty()


def _streams(now: Mapping[str, Any]) -> Iterator[Stream]:
    for name in ("main", "lores", "raw"):
        if told := now.get(name):
            yield Stream(name, str(told["format"]), tuple(told["size"]), told["stride"], told["framesize"])


def frames_of(device: Any, count: int, *, is_held: bool = False) -> list[Frame]:
    """Take frames as the eyes do, and note when each is there, and what is told of it."""
    frames = []
    for _number in range(count):
        _pictures, told = device.capture_arrays(["main"])
        # sensors' stamps are of the clock that counts sleep, too
        arrived = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        frames.append(Frame(arrived, _chosen(told, METADATA), is_held))
    return frames


def _chosen(told: Mapping[str, Any], names: Iterable[str] | None = None) -> Told:
    wanted = told if names is None else names
    return {name: plain(told[name]) for name in wanted if name in told}


def plain(value: Any) -> Plain:
    """Write a value of libcamera's so that JSON has it: rectangles and modes as text."""
    if isinstance(value, tuple | list) and not any(isinstance(each, tuple | list) for each in value):
        return tuple(_scalar(each) for each in value[:16])
    return _scalar(value)


def _scalar(value: Any) -> Scalar:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 1 << 63:
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return str(value)[:80]
