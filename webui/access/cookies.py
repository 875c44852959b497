"""Names of cookies: a browser lets nobody who speaks in the clear replace what an encrypted page has given.

With one name for both, phones that knew encrypted pages would be locked out of pages in the clear at the same
address: of this table later, or of another one's port.
"""

ENCRYPTED = "__Secure-"
"""How the names begin of what encrypted pages give; browsers take such from nobody else."""


def known_cookies(sent: str) -> str:
    """Name all as if they came in the clear; of two, what an encrypted page gave comes first, and counts."""
    each = sorted(sent.split("; "), key=lambda cookie: not cookie.startswith(ENCRYPTED))
    return "; ".join(cookie.removeprefix(ENCRYPTED) for cookie in each)
