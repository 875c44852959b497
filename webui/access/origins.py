"""Where a request comes from: the network of its address, the name it used for us, and the site of its form."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import gethostname
from urllib.parse import urlsplit

from flask import Request

LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal")
"""Ends of names that no public site can have."""
PASSED_ON = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")
"""Heads by which a proxy names those for whom it asks."""
OF_PROXIES = "HTTP/1.0"  # what no browser speaks any more, but proxies do that add no such head
OWN_SITE = ("", "same-origin", "none")
"""What a browser may say of the site of a form: nothing, if it is old; ours; or that a person typed it."""


def plain_address(address: str) -> str:
    """Write an IPv4 address as such, also where it came by IPv6."""
    read = read_address(address)
    mapped = read.ipv4_mapped if isinstance(read, IPv6Address) else None
    return address if mapped is None else str(mapped)


def network_of(address: str) -> str:
    """Name what one device can't leave: its IPv4 address, or the network of its IPv6 addresses."""
    read = read_address(plain_address(address))
    if isinstance(read, IPv6Address):
        return str(IPv6Network((int(read) >> 64 << 64, 64)))
    return address if read is None else str(read)


def read_address(address: str) -> IPv4Address | IPv6Address | None:
    """Read an address, without the interface behind it; None if it is none."""
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None


def _is_loopback(address: str) -> bool:
    read = read_address(plain_address(address))
    return read is not None and read.is_loopback


def _name_in(host: str) -> str:
    """Read the name without the port; empty where there is none, or none that can be read."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_our_name(host: str) -> bool:
    """Return whether a host name can only be ours: another site's could be made to lead to this machine."""
    name = _name_in(host).rstrip(".")
    is_local = "." not in name or name.endswith(LOCAL)
    return read_address(name) is not None or (name != "" and is_local)


def comes_from_here(asked: Request) -> bool:
    """Return whether this machine itself asks, by whatever name."""
    return _is_loopback(asked.remote_addr or "")


def _is_own(asked: Request) -> bool:
    """Return whether this machine asks for itself: of what a proxy passed on, the address is the proxy's."""
    is_passed_on = any(name in asked.headers for name in PASSED_ON)
    is_by_proxy = is_passed_on or asked.environ.get("SERVER_PROTOCOL") == OF_PROXIES
    return comes_from_here(asked) and not is_by_proxy


def is_of_this_machine(asked: Request) -> bool:
    """Return whether a browser of this machine asks by a name that other machines can't use for it."""
    name = _name_in(asked.host)
    return (name == "localhost" or _is_loopback(name)) and _is_own(asked)


def is_here(asked: Request) -> bool:
    """Return whether a browser of this machine asks by a name of ours.

    Another site's name could be made to lead to this machine.
    """
    name, own = _name_in(asked.host), gethostname().lower()
    return (name in {"localhost", own, f"{own}.local"} or read_address(name) is not None) and _is_own(asked)


def is_from_our_site(request: Request) -> bool:
    origin, host = request.headers.get("Origin"), request.host.lower()
    is_ours = origin is None or (host != "" and origin.lower() in {f"http://{host}", f"https://{host}"})
    return is_ours and request.headers.get("Sec-Fetch-Site", "") in OWN_SITE
