"""Open a camera by its name."""

from pathlib import Path

from vision.table.camera import Camera, CameraTroubleError
from vision.table.device_cameras import PiCamera, UsbCamera
from vision.table.file_cameras import FolderCamera, LiveCamera


def is_live(name: str) -> bool:
    """Tell whether a camera of this name shows the present."""
    return not name.startswith(("folder:", "file:"))


def open_camera(name: str) -> Camera:
    """Open a camera by name: `pi`, `usb:0`, `/dev/video0`, `folder:PATH`, `file:PATH` or `live:PATH`."""
    kind, _colon, rest = name.partition(":")
    if name == "pi":
        return PiCamera()
    if kind == "usb" and rest.isdecimal():
        return UsbCamera(int(rest))
    if name.startswith("/dev/"):
        return UsbCamera(name)
    if kind in {"folder", "file"} and rest:
        return FolderCamera(Path(rest))
    if kind == "live" and rest:
        return LiveCamera(Path(rest))
    raise CameraTroubleError("no such kind", camera=name)
