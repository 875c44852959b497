"""The three links: spectators need none, a seat has a code and a token, the host a PIN and a token."""

import hmac
import secrets
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Letters of a code: none that looks like another letter or a digit."""
CODE = 4
PIN = 6
TOKEN_BYTES = 24


class SeatLink(Struct, frozen=True):
    """A seat's link: the code that people type or scan, and the token that a phone then keeps."""

    code: str
    token: str


class Links(Struct, frozen=True):
    """All secrets that let people in."""

    secret: str
    """The key for the tokens of forms."""
    pin: str
    host: str
    seats: tuple[SeatLink, ...] = ()


def new_links() -> Links:
    """Draw new links; `with_seats` adds those of the seats."""
    pin = "".join(secrets.choice("0123456789") for _digit in range(PIN))
    return Links(_token(), pin, _token())


def with_seats(links: Links, count: int) -> Links:
    """Add links until there are so many seats; existing ones stay."""
    while len(links.seats) < count:
        links = replace(links, seats=(*links.seats, _new_seat(links.seats)))
    return links


def with_new_seat(links: Links, seat: int) -> Links:
    """Draw a new link for a seat, so that the old one no longer works."""
    seats = list(links.seats)
    seats[seat] = _new_seat(links.seats)
    return replace(links, seats=tuple(seats))


def seat_with_code(links: Links, code: str) -> int | None:
    """Find the seat with a code, in any case or spacing."""
    return _place([seat.code for seat in links.seats], "".join(code.split()).upper())


def seat_with_token(links: Links, token: str) -> int | None:
    """Find the seat with a token."""
    return _place([seat.token for seat in links.seats], token)


def is_same(secret: str, said: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(secret.encode(), said.encode(errors="replace"))


def form_token(links: Links, visitor: str) -> str:
    """Make the token for the forms of one browser."""
    return hmac.new(links.secret.encode(), visitor.encode(errors="replace"), "sha256").hexdigest()


def new_visitor() -> str:
    """Draw a name for a browser without one."""
    return _token()


def _place(known: Iterable[str], said: str) -> int | None:
    """Find a secret in a list; compares with all of them, to take the same time."""
    fits = [is_same(secret, said) for secret in known]
    return fits.index(True) if True in fits else None


def _new_seat(others: Iterable[SeatLink]) -> SeatLink:
    taken = {seat.code for seat in others}
    while (code := "".join(secrets.choice(LETTERS) for _letter in range(CODE))) in taken:
        pass
    return SeatLink(code, _token())


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)
