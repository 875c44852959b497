"""Names of cookies. Browsers prevent unencrypted pages from replacing a secure cookie.

With one name for both, phones that have used encrypted pages would be locked out of unencrypted
pages at the same address, on this table later or on another port.
"""

ENCRYPTED = "__Secure-"
"""Prefix of cookies set by encrypted pages; browsers accept it from no other page."""


def known_cookies(sent: str) -> str:
    """Return the cookies without the secure prefix; of two with one name, the secure one comes first."""
    each = sorted(sent.split("; "), key=lambda cookie: not cookie.startswith(ENCRYPTED))
    return "; ".join(cookie.removeprefix(ENCRYPTED) for cookie in each)
