"""By which address phones reach this machine: the way into the world, or where there is none, an interface.

A table that makes a Wi-Fi of its own has no way into the world, and phones come by that Wi-Fi.
"""

import socket
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address

from msgspec import Struct

FAR, FAR_BY_IPV6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Addresses that are never in use: the interface that leads there is the one by which phones reach us."""
FLAGS, ADDRESS = 0x8913, 0x8915
"""Linux's numbers of what is asked of an interface: SIOCGIFFLAGS and SIOCGIFADDR."""
UP, LOOPBACK = 0x1, 0x8
VIRTUAL = ("docker", "veth", "br-", "virbr")
"""How interfaces begin by which no phone comes."""


class Interface(Struct, frozen=True):
    """An interface that is up, with its IPv4 address."""

    name: str
    address: str


def address(port: int, scheme: str = "http") -> str:
    """Find where phones reach this machine now: by IPv4, or where there is only IPv6 by that."""
    own = _routed_address(socket.AF_INET, FAR) or best_address(interfaces())
    if own is None and (by_ipv6 := _routed_address(socket.AF_INET6, FAR_BY_IPV6)) is not None:
        own = f"[{by_ipv6}]"
    return f"{scheme}://{own or '127.0.0.1'}:{port}/"


def best_address(found: Iterable[Interface]) -> str | None:
    """Choose the interface by which phones come most likely: a Wi-Fi first; none that only programs use."""
    real = [each for each in found if not each.name.startswith(VIRTUAL)]
    by_wifi = sorted(real, key=lambda each: not each.name.startswith("wl"))
    return by_wifi[0].address if by_wifi else None


def interfaces() -> Iterator[Interface]:
    """List the interfaces that are up and have an address; on other systems than Linux there are none."""
    with suppress(ImportError, OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _number, name in socket.if_nameindex():
            with suppress(OSError):
                flags = struct.unpack_from("H", _ask(asked, FLAGS, name), 16)[0]
                if flags & UP and not flags & LOOPBACK:
                    yield Interface(name, str(IPv4Address(_ask(asked, ADDRESS, name)[20:24])))


def _ask(asked: socket.socket, what: int, name: str) -> bytes:
    import fcntl  # noqa: PLC0415 - Windows doesn't have it

    return fcntl.ioctl(asked.fileno(), what, struct.pack("256s", name.encode()[:15]))


def _routed_address(family: socket.AddressFamily, far: tuple[str, int]) -> str | None:
    """Ask which address of ours leads to a far one; nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(far)
            return str(probe.getsockname()[0])
    except OSError:
        return None
