"""Open a camera by its name."""

import re
from pathlib import Path

from vision.table.camera import Camera, CameraTroubleError
from vision.table.device_cameras import FULL_HD, MAINS, PiCamera, UsbCamera
from vision.table.file_cameras import FolderCamera, LiveCamera
from vision.table.thrift import PLENTY, Thrift

USB = re.compile(r"(?:usb:(\d{1,3})|(/dev/[^@]+))(?:@(\d{3,4})x(\d{3,4}))?", re.ASCII)


PI = re.compile(r"pi(?::(\d))?", re.ASCII)


def is_live(name: str) -> bool:
    """Tell whether a camera of this name shows the present."""
    return not name.startswith(("folder:", "file:"))


def is_pi_camera(name: str) -> bool:
    """Tell whether a name is of one of the Pi's own cameras."""
    return PI.fullmatch(name) is not None


def open_camera(name: str, mains: int = MAINS, thrift: Thrift = PLENTY) -> Camera:
    """Open a camera by name: `pi`, `pi:1`, `usb:0`, `/dev/video0`, `folder:PATH`, `file:PATH` or `live:PATH`.

    The picture of a camera at USB may be named behind it, as in `usb:0@3840x2160`.
    """
    kind, _colon, rest = name.partition(":")
    if (pi := PI.fullmatch(name)) is not None:
        return PiCamera(mains, thrift, name, int(pi[1] or 0))
    if (usb := USB.fullmatch(name)) is not None:
        number, device, width, height = usb.groups()
        size = FULL_HD if width is None else (int(width), int(height))
        return UsbCamera(int(number) if number else device, size)
    if kind in {"folder", "file"} and rest:
        return FolderCamera(Path(rest))
    if kind == "live" and rest:
        return LiveCamera(Path(rest))
    raise CameraTroubleError("no such kind", camera=name)


def is_same_device(one: str, other: str) -> bool:
    """Tell whether two names are of one camera, which can't be opened twice."""
    return _device_of(one) == _device_of(other)


def _device_of(name: str) -> str:
    """Give the one name of a camera that has several."""
    if (pi := PI.fullmatch(name)) is not None:
        return f"pi:{pi[1] or 0}"
    if (usb := USB.fullmatch(name)) is not None:
        number, device, _width, _height = usb.groups()
        return str(device) if number is None else f"/dev/video{int(number)}"
    return name
