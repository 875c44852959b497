"""Secrets: codes, the PIN, tokens of cookies and of forms."""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Letters of a code: none that looks like another letter or a digit."""
CODE, PIN, CLAIM = 7, 8, 6
"""Their lengths: a thousand guesses a day, every day, hit one of twelve codes, or the PIN, in one year of a
hundred at most (docs/dev/trust.md). A number that the table tells can be guessed at only while it tells it."""
TOKEN_BYTES = 24
ID = 10  # letters by which a page names a device; its token is on no page


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


def is_same(secret: str, said: str) -> bool:
    return hmac.compare_digest(secret.encode(), said.encode(errors="replace"))


def form_token(secret: str, visitor: str) -> str:
    return hmac.new(secret.encode(), visitor.encode(errors="replace"), "sha256").hexdigest()


def table_mark(secret: str) -> str:
    """Return a mark by which a table can be told from others, and which is no secret."""
    return form_token(secret, "cookies of the table")[:ID]


def device_id(token: str) -> str:
    """Name a device on the host's page; its token can't be told from that."""
    return sha256(token.encode()).hexdigest()[:ID]
