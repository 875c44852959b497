"""Secrets: codes, the PIN, and tokens of cookies and forms."""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Letters of a code, without those that look like another letter or a digit."""
CODE, PIN, CLAIM = 7, 8, 6
"""Lengths of a code, the PIN and a claim number.

A thousand guesses every day for a year hit one of twelve codes, or the PIN, with a chance of one percent at
most (docs/dev/trust.md). A claim number is valid only while the table shows it.
"""
TOKEN_BYTES = 24
ID = 10  # letters of a device's id on pages; its token is on no page


def draw_pin() -> str:
    return "".join(secrets.choice("0123456789") for _digit in range(PIN))


def draw_claim_code() -> str:
    return "".join(secrets.choice("0123456789") for _digit in range(CLAIM))


def draw_codes(count: int, taken: Iterable[str] = ()) -> tuple[str, ...]:
    drawn = dict.fromkeys(taken)
    before = len(drawn)
    while len(drawn) < before + count:
        drawn["".join(secrets.choice(LETTERS) for _letter in range(CODE))] = None
    return tuple(drawn)[before:]


def draw_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_same(secret: str, other: str) -> bool:
    return hmac.compare_digest(secret.encode(), other.encode(errors="replace"))


def form_token(secret: str, visitor: str) -> str:
    return hmac.new(secret.encode(), visitor.encode(errors="replace"), "sha256").hexdigest()


def computer_token(secret: str) -> str:
    """Return the token of this computer's own browsers; not with the key of form tokens, which pages show."""
    return form_token(f"computer {secret}", "")


def table_mark(secret: str) -> str:
    """Return a public id that distinguishes tables."""
    return form_token(secret, "cookies of the table")[:ID]


def device_id(token: str) -> str:
    """Return a device's id for the host's page; it doesn't reveal the token."""
    return sha256(token.encode()).hexdigest()[:ID]
