"""The table's own Wi-Fi: how pages learn by what it is joined, and that it has to be confirmed.

The switch is made and taken back by root, whose timer looks for the word of this attempt in a file: in one that
the command writes, or in one that the table writes, which may write nowhere but in its own state.
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
"""What is known of an attempt; it is root's, and gone with the next start of the machine."""
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
"""Names by which devices look whether a Wi-Fi has a page of its own to show, and of no other use."""


class PendingWifi(Struct, frozen=True):
    """An access point that goes back by itself unless its word is written down in time."""

    word: str
    until: float  # when it goes back, in seconds of the system's monotonic clock


class WifiAccess(Struct, frozen=True):
    """What it takes to join a Wi-Fi."""

    name: str
    password: str


WIFI_ACCESS = Kept[WifiAccess | None]("own-wifi.json", WifiAccess, None, largest=LARGEST)
"""How the table's Wi-Fi is joined, for its screen and its host: NetworkManager's own file is root's alone."""
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
    """Whether a host name, with or without a port, is one by which phones look for a page of the Wi-Fi."""
    return host.partition(":")[0].rstrip(".").lower() in PROBED


def is_in_own_wifi(address: str) -> bool:
    try:
        return ip_address(address) in INTERFACE.network
    except ValueError:
        return False
