"""Joining a club with the hub's address and the code that the hub shows.

The code's second half is the fingerprint of the hub's certificate. The table checks it before it sends the
first half, so that no machine in between learns the code or the key.
"""

import re
import ssl
from base64 import b32encode
from hashlib import sha256
from http.client import HTTPException, HTTPSConnection

import msgspec
from msgspec import Struct

from firmware.integrations.club_link import club_encryption
from firmware.storage.club import Membership
from vision.troubles import TroubleError

PORT = 8884  # default port on which a hub accepts tables
SECRET_LETTERS, PRINT_LETTERS = 8, 12
JOIN_TIMEOUT = 10.0
MAX_ANSWER_BYTES = 40_000
_PLACE = re.compile(r"(?:https?://)?(\[[0-9a-fA-F:]+\]|[^\s/:#\[\]]+)(?::([0-9]{1,5}))?(?:/[^#]*)?(?:#(\S*))?")


class JoinRequest(Struct, frozen=True):
    """The request of a table to join."""

    code: str


def full_code(secret: str, certificate: bytes) -> str:
    """Return a code as displayed: the secret, then the fingerprint of a certificate (DER)."""
    whole = secret + certificate_print(certificate)
    return "-".join(whole[at : at + 4] for at in range(0, len(whole), 4))


def certificate_print(certificate: bytes) -> str:
    return b32encode(sha256(certificate).digest()).decode()[:PRINT_LETTERS]


def place_in(typed: str) -> tuple[str, int, str]:
    """Parse a hub's address as (host, port, code); only links contain a code."""
    found = _PLACE.fullmatch(typed.strip())
    port = int(found[2] or PORT) if found else 0
    if found is None or not 0 < port < 65536:
        raise TroubleError("club address", typed=typed[:60])
    return found[1].strip("[]"), port, found[3] or ""


def join(typed: str, code: str) -> Membership:
    host, port, linked = place_in(typed)
    plain = re.sub(r"[^A-Z0-9]", "", (code or linked).upper())
    if len(plain) != SECRET_LETTERS + PRINT_LETTERS:
        raise TroubleError("club code", letters=SECRET_LETTERS + PRINT_LETTERS)
    try:
        answer = _ask(host, port, plain[:SECRET_LETTERS], plain[SECRET_LETTERS:])
        return _usable(msgspec.json.decode(answer, type=Membership))
    except (OSError, HTTPException, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        raise TroubleError("club not reached", host=host, port=port, why=why) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise TroubleError("club not understood", host=host) from error


def _usable(granted: Membership) -> Membership:
    """Reject a membership that can't connect; stored, it would block every later start."""
    try:
        granted.host.encode("idna")
        if granted.authority:
            club_encryption(granted.authority)
    except (OSError, ValueError) as error:
        raise TroubleError("club not understood", host=granted.host) from error
    return granted


def _ask(host: str, port: int, secret: str, fingerprint: str) -> bytes:
    # the code alone proves the hub's identity; nothing else is known at a first contact
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection(host, port, timeout=JOIN_TIMEOUT, context=context)
    try:
        connection.connect()
        there = connection.sock.getpeercert(binary_form=True) if connection.sock is not None else None
        if there is None or certificate_print(there) != fingerprint:
            raise TroubleError("club code", letters=SECRET_LETTERS + PRINT_LETTERS)
        body = msgspec.json.encode(JoinRequest(secret))
        connection.request("POST", "/join", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read(MAX_ANSWER_BYTES + 1)
        if answer.status != 200 or len(body) > MAX_ANSWER_BYTES:
            raise TroubleError("club code refused")
        return body
    finally:
        connection.close()
