"""Open a camera by its name."""

import re
from pathlib import Path

from vision.table.camera import Camera, CameraTroubleError
from vision.table.device_cameras import FULL_HD, MAINS, PiCamera, UsbCamera
from vision.table.file_cameras import FolderCamera, LiveCamera
from vision.table.thrift import PLENTY, Thrift

USB = re.compile(r"(?:usb:(\d{1,3})|(/dev/[^@]+))(?:@(\d{3,4})x(\d{3,4}))?", re.ASCII)


def is_live(name: str) -> bool:
    """Tell whether a camera of this name shows the present."""
    return not name.startswith(("folder:", "file:"))


def open_camera(name: str, mains: int = MAINS, thrift: Thrift = PLENTY) -> Camera:
    """Open a camera by name: `pi`, `usb:0`, `/dev/video0`, `folder:PATH`, `file:PATH` or `live:PATH`.

    The picture of a camera at USB may be named behind it, as in `usb:0@3840x2160`.
    """
    kind, _colon, rest = name.partition(":")
    if name == "pi":
        return PiCamera(mains, thrift)
    if (usb := USB.fullmatch(name)) is not None:
        number, device, width, height = usb.groups()
        size = FULL_HD if width is None else (int(width), int(height))
        return UsbCamera(int(number) if number else device, size)
    if kind in {"folder", "file"} and rest:
        return FolderCamera(Path(rest))
    if kind == "live" and rest:
        return LiveCamera(Path(rest))
    raise CameraTroubleError("no such kind", camera=name)
