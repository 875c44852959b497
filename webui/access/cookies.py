"""Names of cookies. Browsers prevent unencrypted pages from replacing a secure cookie.

With one name for both, phones that have used encrypted pages would be locked out of unencrypted
pages at the same address. A table serves both on two ports, which share cookies: encrypted pages
receive the plain ones, too, so of two with one name the first one that is known counts.
"""

from collections.abc import Callable, Mapping

from werkzeug.datastructures import MultiDict

ENCRYPTED = "__Secure-"
"""Prefix of cookies set by encrypted pages; browsers accept it from no other page."""


def cookie_in(cookies: Mapping[str, str], name: str, is_known: Callable[[str], bool]) -> str:
    """Return a cookie's first known value, or its first one; empty if there is none."""
    sent = cookies.getlist(name) if isinstance(cookies, MultiDict) else [cookies.get(name, "")]
    return next(filter(is_known, sent), sent[0] if sent else "")


def known_cookies(sent: str) -> str:
    """Return the cookies without the secure prefix; of two with one name, the secure one comes first."""
    each = sorted(sent.split("; "), key=lambda cookie: not cookie.startswith(ENCRYPTED))
    return "; ".join(cookie.removeprefix(ENCRYPTED) for cookie in each)
