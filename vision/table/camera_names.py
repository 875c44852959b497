"""Names of cameras: devices, network addresses, a browser; an address is shown without its secrets."""

import re
from urllib.parse import urlsplit

PHONE = "phone"
"""Name of a browser as the camera: of this computer or of a phone."""
PHONE_FRAMES = "phone.jpg"
"""The file of a browser's pictures: the pages replace it, and the eyes open it as `live:FOLDER/phone.jpg`."""
USB = re.compile(r"(?:usb:(\d{1,3})|(/dev/video\d{1,3}))(?:@(\d{3,4})x(\d{3,4}))?", re.ASCII)
PI = re.compile(r"pi(?::(\d))?", re.ASCII)
NETWORK = re.compile(r"(https?|rtsp)://(.+)", re.ASCII | re.IGNORECASE | re.DOTALL)
BARE = re.compile(r"(?:[^/@\s]+@)?(?:(?:[\w-]+\.)+[\w-]+(?::\d{1,5})?|[\w-]+:\d{2,5})(?:/.*)?", re.ASCII)
"""An address without its scheme: a host with a dot or a port, perhaps with a login."""
PRINTED = re.compile(r"[!-~]+", re.ASCII)
FILES = ("folder:", "file:", "live:")
MAX_ADDRESS_LETTERS = 500


def is_live(name: str) -> bool:
    return not name.startswith(("folder:", "file:"))


def is_device_name(name: str) -> bool:
    """Return whether a name is that of a connected camera, not of a file or folder."""
    return is_pi_camera(name) or USB.fullmatch(name) is not None


def is_pi_camera(name: str) -> bool:
    return PI.fullmatch(name) is not None


def is_network(name: str) -> bool:
    """Return whether a name is meant as a network address; `is_address` checks it."""
    return NETWORK.fullmatch(name) is not None


def with_scheme(name: str) -> str:
    """Return an address that was typed without its scheme with `http://`; any other name unchanged."""
    return f"http://{name}" if BARE.fullmatch(name) and not is_device_name(name) else name


def is_address(name: str) -> bool:
    """Return whether a network camera can be opened by this address."""
    if not is_network(name) or len(name) > MAX_ADDRESS_LETTERS or not PRINTED.fullmatch(name):
        return False
    try:
        parts = urlsplit(name)
        # reading the port checks it
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_camera_name(name: str) -> bool:
    """Return whether a real camera can have this name."""
    return name == PHONE or is_device_name(name) or is_address(name) or name.startswith(FILES)


def shown_name(name: str) -> str:
    """Return a camera's name for people and logs: an address without login, path and query.

    Cameras take passwords and tokens in path and query, too.
    """
    if name.startswith("live:") and name.endswith(f"/{PHONE_FRAMES}"):
        return PHONE
    found = NETWORK.fullmatch(name)
    if found is None:
        return name
    place, *rest = re.split(r"[/?#]", found[2], maxsplit=1)
    if any("@" in each for each in rest):
        # a login with a slash: no part is surely the host
        return f"{found[1].lower()}://…"
    return f"{found[1].lower()}://{place.rpartition('@')[2]}{'/…' if any(rest) else ''}"
