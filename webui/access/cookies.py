"""Names of cookies: browsers let no page in the clear replace a cookie that an encrypted page has set.

With one name for both, phones that knew encrypted pages would be locked out of pages in the clear at the same
address: of this table later, or of another one's port.
"""

ENCRYPTED = "__Secure-"
"""With this begin the names of cookies that encrypted pages set; browsers take them from no other page."""


def known_cookies(sent: str) -> str:
    """Name all as if they came in the clear; of two, what an encrypted page gave comes first, and counts."""
    each = sorted(sent.split("; "), key=lambda cookie: not cookie.startswith(ENCRYPTED))
    return "; ".join(cookie.removeprefix(ENCRYPTED) for cookie in each)
