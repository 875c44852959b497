"""Origin of a request: its network, the host name it used, and the site of its form."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import gethostname
from urllib.parse import urlsplit

from flask import Request

LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal")
"""Suffixes of names that no public site can have."""
PASSED_ON = (
    *("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"),
    *("Client-IP", "CF-Connecting-IP", "Tailscale-User-Login"),
)
"""Headers in which a proxy names its clients."""
OF_PROXIES = "HTTP/1.0"  # no browser uses it any more, but some proxies without these headers do
OWN_SITE = ("", "same-origin", "none")
"""Accepted Sec-Fetch-Site values: missing in old browsers, our own site, or typed by a person."""


def plain_address(address: str) -> str:
    """Return an IPv4 address in plain form, even if it arrived as IPv6."""
    read = read_address(address)
    mapped = read.ipv4_mapped if isinstance(read, IPv6Address) else None
    return address if mapped is None else str(mapped)


def network_of(address: str) -> str:
    """Return the range one device is limited to: its IPv4 address, or its IPv6 network."""
    read = read_address(plain_address(address))
    if isinstance(read, IPv6Address):
        return str(IPv6Network((int(read) >> 64 << 64, 64)))
    return address if read is None else str(read)


def read_address(address: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address without its interface; None if invalid."""
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None


def _name_in(host: str) -> str:
    """Return the host name without its port; empty if missing or invalid."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_our_name(host: str) -> bool:
    """Return whether a host name is safe: a public name could be another site's that points here."""
    name = _name_in(host).rstrip(".")
    is_local = "." not in name or name.endswith(LOCAL)
    return read_address(name) is not None or (name != "" and is_local)


def comes_from_here(asked: Request) -> bool:
    """Return whether the request comes from this machine, under any host name."""
    address = asked.remote_addr or ""
    read = read_address(plain_address(address))
    return read is not None and read.is_loopback


def is_local(asked: Request) -> bool:
    """Return whether any user's program on this machine sent the request itself, under one of our own names.

    Another site could point its own name at this machine. An address must be that of the connection.
    """
    name, own = _name_in(asked.host), gethostname().lower()
    address = read_address(name)
    is_connected = address is not None and address == read_address(asked.environ["SERVER_NAME"])
    is_passed_on = any(name in asked.headers for name in PASSED_ON)
    is_by_proxy = is_passed_on or asked.environ.get("SERVER_PROTOCOL") == OF_PROXIES
    is_ours = is_connected or name in {"localhost", own, f"{own}.local"}
    return comes_from_here(asked) and is_ours and not is_by_proxy


def is_from_our_site(request: Request) -> bool:
    """Return whether a form is of our own site. The request's host name must be ours."""
    origin, host = request.headers.get("Origin"), request.host.lower()
    is_ours = origin is None or origin.lower() in {f"http://{host}", f"https://{host}"}
    return is_ours and request.headers.get("Sec-Fetch-Site", "") in OWN_SITE
