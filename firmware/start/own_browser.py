"""Addresses for browsers on this computer; with a token that only the table's user can read, one is its own."""

from pathlib import Path

from firmware.services.addresses import port_in_address
from firmware.storage.files import write_private
from firmware.storage.people.links import computer_token

FORWARDS = """<!doctype html>
<meta charset="utf-8">
<title>Coyote Table</title>
<meta http-equiv="refresh" content="0; url={address}">
<a href="{address}">Coyote Table</a>
"""


def local_address(port: int, page: str) -> str:
    return f"http://localhost{port_in_address(port, 'http')}{page}"


def own_address(port: int, secret: str, page: str = "/here") -> str:
    """Return the address that makes a browser this computer's own; browsers don't send its fragment."""
    return f"{local_address(port, page)}#{computer_token(secret)}"


def write_forwarding(file: Path, address: str) -> str:
    """Write a private file that forwards a browser, and return its address.

    Other users can read a program's arguments.
    """
    write_private(file, FORWARDS.format(address=address).encode())
    return file.absolute().as_uri()
