"""A report of a Pi camera's properties and frames, from which another computer can simulate it."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=80)]
Scalar = bool | int | float | Name | None
Plain = Scalar | Annotated[tuple[Scalar, ...], Meta(max_length=16)]
Told = Annotated[dict[Name, Plain], Meta(max_length=100)]
Bounds = tuple[Plain, Plain, Plain]  # least, largest and default value of a control
Side = Annotated[int, Meta(ge=1, le=16_384)]
FREE_FRAMES, HELD_FRAMES = 30, 10
"""Number of reported frames with unlocked and with locked light and focus."""
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
    """A configured stream: size in pixels, bytes per row (`stride`) and per buffer."""

    name: Name
    format: Name
    size: tuple[Side, Side]
    stride: Annotated[int, Meta(ge=1, le=1 << 20)]
    bytes: Annotated[int, Meta(ge=1, le=1 << 28)]


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """A frame's arrival time and metadata."""

    arrived: int  # nanoseconds of the boot-time clock, as sensor timestamps
    told: Told
    is_held: bool = False


class CameraFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera in the table's configuration."""

    properties: Told
    controls: Annotated[dict[Name, Bounds], Meta(max_length=200)]
    asked: Told
    held: Told  # controls set for locked light; `asked` has those for unlocked light
    buffers: Annotated[int, Meta(ge=0, le=64)]
    streams: Annotated[tuple[Stream, ...], Meta(max_length=4)]
    modes: Annotated[tuple[Told, ...], Meta(max_length=MOST_MODES)]
    frames: Annotated[tuple[Frame, ...], Meta(max_length=MOST_FRAMES)]


def camera_facts(device: Any, held: Mapping[str, Any], frames: Iterable[Frame]) -> CameraFacts:
    """Return a camera's report, and stop the camera: picamera2 tries each sensor mode to describe it.

    Facts that a camera lacks, or reports in another form, are left empty.
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
    except Exception:  # noqa: BLE001 - one missing fact must not hide the rest
        return empty()


def _streams(now: Mapping[str, Any]) -> Iterator[Stream]:
    for name in ("main", "lores", "raw"):
        if found := now.get(name):
            yield Stream(name, str(found["format"]), tuple(found["size"]), found["stride"], found["framesize"])


def frames_of(device: Any, count: int, *, is_held: bool = False) -> list[Frame]:
    """Take frames as the eyes do; return their arrival times and metadata."""
    frames = []
    for _number in range(count):
        _pictures, told = device.capture_arrays(["main"])
        # sensor timestamps use this clock, which includes suspend time
        arrived = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        frames.append(Frame(arrived, _chosen(told, METADATA), is_held))
    return frames


def _chosen(told: Mapping[str, Any], names: Iterable[str] | None = None) -> Told:
    wanted = told if names is None else names
    return {name: plain(told[name]) for name in wanted if name in told}


def plain(value: Any) -> Plain:
    """Convert a libcamera value for JSON: rectangles and modes become text."""
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
