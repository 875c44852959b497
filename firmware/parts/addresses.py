"""By which address phones reach this machine: the way into the world, or where there is none, an interface.

A table that makes a Wi-Fi of its own has no way into the world, and phones come by that Wi-Fi.
"""

import re
import socket
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path
from time import monotonic

from msgspec import Struct

UNSAID: Mapping[str, int] = {"http": 80, "https": 443}
"""The ports that no address has to name."""
FAR, FAR_BY_IPV6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Addresses that are never in use: the interface that leads there is the one by which phones reach us."""
FLAGS, ADDRESS = 0x8913, 0x8915
"""Linux's numbers of what is asked of an interface: SIOCGIFFLAGS and SIOCGIFADDR."""
UP, LOOPBACK = 0x1, 0x8
AVAHI = Path("/run/avahi-daemon/socket")
HOST_NAME = re.compile(r"[A-Za-z0-9-]+")
PATIENCE, LONGEST = 1.0, 1024
"""Seconds that avahi has to answer, and most bytes of it."""
NAMED = 30.0
"""Seconds for which the name of this machine isn't asked for again."""
VIRTUAL = ("docker", "veth", "br-", "virbr")
"""How interfaces begin by which no phone comes."""


class Interface(Struct, frozen=True):
    """An interface that is up, with its IPv4 address."""

    name: str
    address: str


class TableAddress:
    """By which addresses phones reach the pages: networks come and go, and a port may be another program's."""

    def __init__(self, port: int, scheme: str = "http") -> None:
        """Begin with the port that is tried first."""
        self.port, self.scheme = port, scheme
        self.fingerprint = ""
        """The fingerprint of the pages' certificate; empty if they aren't encrypted."""
        self._name, self._asks_at = "", 0.0

    def own(self) -> str:
        """Give the pages' address now."""
        return address(self.port, self.scheme)

    def named(self) -> str:
        """Give the address with this machine's name, if phones find it by that; else nothing."""
        return named_address(self._name, self.port, self.scheme)

    def ask_name(self) -> None:
        """Ask once in a while by which name phones find this machine: no page waits for that."""
        if monotonic() >= self._asks_at:
            self._name, self._asks_at = own_name() or "", monotonic() + NAMED


def address(port: int, scheme: str = "http") -> str:
    """Find where phones reach this machine now: by IPv4, or where there is only IPv6 by that."""
    own = _routed_address(socket.AF_INET, FAR) or best_address(interfaces())
    if own is None and (by_ipv6 := _routed_address(socket.AF_INET6, FAR_BY_IPV6)) is not None:
        own = f"[{by_ipv6}]"
    return f"{scheme}://{own or '127.0.0.1'}{port_in_address(port, scheme)}/"


def port_in_address(port: int, scheme: str) -> str:
    """Write a port as an address has it: not at all if a browser takes it by itself."""
    return "" if UNSAID.get(scheme) == port else f":{port}"


def named_address(name: str, port: int, scheme: str) -> str:
    """Write the address with this machine's name; nothing if it has none."""
    return f"{scheme}://{name}{port_in_address(port, scheme)}/" if name else ""


def own_name(avahi: Path = AVAHI) -> str | None:
    """Give the name by which phones find this machine, if avahi is there and finds us by it, not another."""
    host = socket.gethostname().partition(".")[0]
    name = f"{host}.local"
    if not HOST_NAME.fullmatch(host) or (found := _resolved(name, avahi)) is None:
        return None
    return name if found in {each.address for each in interfaces()} else None


def _resolved(name: str, avahi: Path) -> str | None:
    """Ask avahi for the IPv4 address of a name, as the system's own look-up does."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
            asked.settimeout(PATIENCE)
            asked.connect(str(avahi))
            asked.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
            said = asked.makefile("rb").readline(LONGEST).decode("ascii", "replace").split()
    except OSError:
        return None
    # "+ interface protocol name address"; what begins with a minus says why not
    return said[4] if len(said) == 5 and said[0] == "+" else None


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
