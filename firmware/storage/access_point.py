"""The table's own Wi-Fi: how to join it, and its pending confirmation.

Root makes the switch and reverts it unless a file contains this attempt's token. Either the command or the
table writes that file; the table can only write to its own state.
"""

from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Interface, ip_address
from pathlib import Path

from msgspec import Struct

from firmware.storage.files import Kept, write_private
from vision.files import make_folder, read_small

INTERFACE = IPv4Interface("10.42.0.1/24")  # the table's address in its own Wi-Fi
RUN = Path("/run/coyote-access-point")
"""Folder of a pending attempt; it belongs to root and is deleted when the machine restarts."""
PENDING, CONFIRMED = "pending.json", "access-point-confirmed"
LARGEST = 1000
PROBED = (
    "captive.apple.com",
    "clients3.google.com",
    "connect.rom.miui.com",
    "connectivity-check.ubuntu.com",
    "connectivitycheck.android.com",
    "connectivitycheck.gstatic.com",
    "connectivitycheck.platform.hicloud.com",
    "detectportal.firefox.com",
    "nmcheck.gnome.org",
    "www.msftconnecttest.com",
    "www.msftncsi.com",
)
"""Host names by which devices detect a captive portal; nothing else uses them."""


class PendingWifi(Struct, frozen=True):
    """An access point that is reverted unless its token is written in time."""

    word: str
    until: float  # when it is reverted, in seconds of the system's monotonic clock


class WifiAccess(Struct, frozen=True):
    """Credentials for a Wi-Fi."""

    name: str
    password: str


WIFI_ACCESS = Kept[WifiAccess | None]("own-wifi.json", WifiAccess, None, largest=LARGEST)
"""Credentials of the table's Wi-Fi, for its screen and its host. Only root can read NetworkManager's file."""
PENDING_WIFI = Kept[PendingWifi | None](PENDING, PendingWifi, None, largest=LARGEST)


def pending_wifi(folder: Path, now: float) -> PendingWifi | None:
    pending = PENDING_WIFI.read(folder)
    return pending if pending is not None and now < pending.until else None


def confirm_wifi(state: Path, pending: PendingWifi) -> None:
    make_folder(state, is_private=True)
    write_private(state / CONFIRMED, f"{pending.word}\n".encode())


def is_confirmed(folders: Iterable[Path], pending: PendingWifi) -> bool:
    for folder in folders:
        with suppress(OSError):
            if read_small(folder / CONFIRMED, LARGEST).decode(errors="replace").strip() == pending.word:
                return True
    return False


def is_probed(host: str) -> bool:
    """Return whether phones use a host name, with or without a port, to detect a captive portal."""
    return host.partition(":")[0].rstrip(".").lower() in PROBED


def is_in_own_wifi(address: str) -> bool:
    try:
        return ip_address(address) in INTERFACE.network
    except ValueError:
        return False
