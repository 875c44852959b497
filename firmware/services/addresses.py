"""Finds the address at which phones reach this machine: the default route's, or an interface's."""

import fcntl
import re
import socket
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address
from pathlib import Path
from time import monotonic

from msgspec import Struct

from firmware.storage import access_point

DEFAULT_PORTS: Mapping[str, int] = {"http": 80, "https": 443}  # default ports, omitted from addresses
TEST_ADDRESS, TEST_ADDRESS_IPV6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Unused documentation addresses; the route to them gives the interface that phones can reach."""
FLAGS, ADDRESS = 0x8913, 0x8915
"""Linux ioctl numbers: SIOCGIFFLAGS and SIOCGIFADDR."""
UP, LOOPBACK = 0x1, 0x8
AVAHI = Path("/run/avahi-daemon/socket")
HOST_NAME = re.compile(r"[A-Za-z0-9-]+")
AVAHI_TIMEOUT, MAX_ANSWER = 1.0, 1024  # seconds for avahi to answer, and maximum bytes of its answer
NAME_CACHE_SECONDS = 30.0  # seconds for which the machine's name is cached
VIRTUAL = ("docker", "veth", "br-", "virbr")  # name prefixes of interfaces that phones can't reach


class Interface(Struct, frozen=True):
    """An interface that is up, with its IPv4 address."""

    name: str
    address: str


class TableAddress:
    """Addresses of the pages; networks may change, and the port may not be the default."""

    def __init__(self, port: int, scheme: str = "http") -> None:
        self.port, self.scheme = port, scheme
        self.secure_port: int | None = None
        """Port of the encrypted pages; None if there are none."""
        self.fingerprint = ""
        """Fingerprint of the encrypted pages' certificate; empty without one."""
        self._name, self._asks_at = "", 0.0

    def own(self) -> str:
        return address(self.port, self.scheme)

    def secure(self) -> str:
        """Return the address of the encrypted pages, which phones need as a camera; empty if there are none."""
        return "" if self.secure_port is None else address(self.secure_port, "https")

    def named(self) -> str:
        """Return the address with this machine's name if phones can resolve it; empty otherwise."""
        return f"{self.scheme}://{self._name}{port_in_address(self.port, self.scheme)}/" if self._name else ""

    def ask_name(self) -> None:
        """Refresh the machine's name if its cache has expired; pages never wait for this."""
        if monotonic() >= self._asks_at:
            self._name, self._asks_at = own_name() or "", monotonic() + NAME_CACHE_SECONDS


def address(port: int, scheme: str = "http") -> str:
    """Return the current address of the pages, by IPv4 if possible, or else by IPv6."""
    own = _routed_address(socket.AF_INET, TEST_ADDRESS) or best_address(interfaces())
    if own is None and (by_ipv6 := _routed_address(socket.AF_INET6, TEST_ADDRESS_IPV6)) is not None:
        own = f"[{by_ipv6}]"
    return f"{scheme}://{own or '127.0.0.1'}{port_in_address(port, scheme)}/"


def port_in_address(port: int, scheme: str) -> str:
    """Return a port as an address suffix; empty for the scheme's default port."""
    return "" if DEFAULT_PORTS.get(scheme) == port else f":{port}"


def own_name(avahi: Path = AVAHI) -> str | None:
    """Return this machine's mDNS name if avahi resolves it to this machine; None otherwise."""
    host = socket.gethostname().partition(".")[0]
    name = f"{host}.local"
    if not HOST_NAME.fullmatch(host) or (found := _resolved(name, avahi)) is None:
        return None
    return name if found in {each.address for each in interfaces()} else None


def _resolved(name: str, avahi: Path) -> str | None:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
            asked.settimeout(AVAHI_TIMEOUT)
            asked.connect(str(avahi))
            asked.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
            fields = asked.makefile("rb").readline(MAX_ANSWER).decode("ascii", "replace").split()
    except OSError:
        return None
    # "+ interface protocol name address", or "-" and an error
    return fields[4] if len(fields) == 5 and fields[0] == "+" else None


def best_address(found: Iterable[Interface]) -> str | None:
    """Return the most likely address for phones: Wi-Fi first, virtual interfaces never."""
    real = [each for each in found if not each.name.startswith(VIRTUAL)]
    by_wifi = sorted(real, key=lambda each: not each.name.startswith("wl"))
    return by_wifi[0].address if by_wifi else None


def interfaces() -> Iterator[Interface]:
    """Yield the interfaces that are up and have an address; none on systems other than Linux."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _number, name in socket.if_nameindex():
            with suppress(OSError):
                flags = struct.unpack_from("H", _ask(asked, FLAGS, name), 16)[0]
                if flags & UP and not flags & LOOPBACK:
                    yield Interface(name, str(IPv4Address(_ask(asked, ADDRESS, name)[20:24])))


def _ask(asked: socket.socket, what: int, name: str) -> bytes:
    return fcntl.ioctl(asked.fileno(), what, struct.pack("256s", name.encode()[:15]))


def _routed_address(family: socket.AddressFamily, far: tuple[str, int]) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(far)
            return str(probe.getsockname()[0])
    except OSError:
        return None


class OwnWifi:
    """The access point of this machine, which may be on trial."""

    def __init__(
        self,
        state: Path,
        run: Path = access_point.RUN,
        clock: Callable[[], float] = monotonic,
        found: Callable[[], Iterable[Interface]] = interfaces,
    ) -> None:
        self._state, self._run, self._clock, self._found = state, run, clock, found

    def seconds_left(self) -> int | None:
        """Return the seconds left to confirm a new Wi-Fi; None if none is on trial."""
        now = self._clock()
        pending = access_point.pending_wifi(self._run, now)
        if pending is None or access_point.is_confirmed((self._run, self._state), pending):
            return None
        return int(pending.until - now)

    def portal(self, host: str, address: str) -> str | None:
        """Return the redirect target for a captive-portal probe from the own Wi-Fi; None otherwise."""
        if not access_point.is_probed(host) or not access_point.is_in_own_wifi(address):
            return None
        return str(access_point.INTERFACE.ip) if self._is_up() else None

    def access(self) -> access_point.WifiAccess | None:
        """Return the access data of the own Wi-Fi; None while it is down."""
        return access_point.WIFI_ACCESS.read(self._state) if self._is_up() else None

    def _is_up(self) -> bool:
        return any(each.address == str(access_point.INTERFACE.ip) for each in self._found())

    def keep(self) -> bool:
        """Confirm the own Wi-Fi; returns whether that was stored."""
        pending = access_point.pending_wifi(self._run, self._clock())
        if pending is None:
            return False
        with suppress(OSError):
            access_point.confirm_wifi(self._state, pending)
            return True
        return False


PORT = 8000  # fallback port, which needs no privileges
SECURE_PORTS = range(8443, 8453)
"""Fallback ports for encrypted pages beside plain ones: another table may use the first."""
STATUS = Path("/proc/self/status")
NET_BIND_SERVICE = 10  # Linux's CAP_NET_BIND_SERVICE, for ports below 1024
PROBE_TIMEOUT = 2.0  # seconds to wait for a response from a port


def ports_to_try(wished: int | None, scheme: str, *, may_take_low: bool) -> tuple[int, ...]:
    """Return the ports to try in order; a configured port is the only one."""
    if wished is not None:
        return (wished,)
    return (DEFAULT_PORTS[scheme], PORT) if may_take_low else (PORT,)


def secure_ports_to_try(*, may_take_low: bool) -> tuple[int, ...]:
    """Return the ports to try in order for encrypted pages beside plain ones."""
    return (*((DEFAULT_PORTS["https"],) if may_take_low else ()), *SECURE_PORTS)


def own_names() -> tuple[str, ...]:
    """Return the names and addresses of this machine that phones may use, for its certificate."""
    host = socket.gethostname().partition(".")[0]
    names = (host, f"{host}.local") if HOST_NAME.fullmatch(host) else ()
    routed = _routed_address(socket.AF_INET, TEST_ADDRESS), _routed_address(socket.AF_INET6, TEST_ADDRESS_IPV6)
    found = (*(each.address for each in interfaces()), *(each for each in routed if each is not None))
    return tuple(dict.fromkeys(("localhost", *names, "127.0.0.1", "::1", *found)))


def may_take_low_ports(status: Path = STATUS) -> bool:
    """Return whether this process has CAP_NET_BIND_SERVICE as an ambient capability."""
    with suppress(OSError, ValueError):
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("CapAmb:"):
                return bool(int(line.split()[1], 16) >> NET_BIND_SERVICE & 1)
    return False


def table_port(ports: Sequence[int] = (DEFAULT_PORTS["http"], PORT)) -> int | None:
    """Return the port of a table on this machine; None if none responds."""
    return next((port for port in ports if _is_table(port)), None)


def _is_table(port: int) -> bool:
    line = HTTPConnection("127.0.0.1", port, timeout=PROBE_TIMEOUT)
    try:
        line.request("HEAD", "/static/icon.svg")
        return line.getresponse().getheader("Server") == "coyote"
    except (OSError, HTTPException):
        return False
    finally:
        line.close()
