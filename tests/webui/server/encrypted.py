"""A server with a certificate of its own, and phones that trust it and no other."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware.storage.certificate import encryption
from tests.webui.room import Room
from webui.server.serving import Server, serve

HERE = "127.0.0.1"


class EncryptedRoom:
    """A room whose pages are encrypted, by a server that runs."""

    def __init__(self, server: Server, certificate: Path) -> None:
        """Take the server and its certificate."""
        self.server, self._certificate = server, certificate

    def connect(self, home: str = HERE) -> socket.socket:
        """Connect, in the clear so far."""
        return socket.create_connection((HERE, self.server.port), timeout=60, source_address=(home, 0))

    def encrypt(self, home: str = HERE) -> ssl.SSLSocket:
        """Connect as a browser does that has taken this certificate for right."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(self._certificate)
        return context.wrap_socket(self.connect(home))

    def get(self, address: str = "/", head: str = "", home: str = HERE) -> bytes:
        """Get a page, encrypted."""
        with self.encrypt(home) as phone:
            phone.sendall(f"GET {address} HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
            return read_all(phone)


def read_all(phone: socket.socket) -> bytes:
    """Read until the server closes; it says no word of farewell."""
    heard = b""
    with suppress(ssl.SSLEOFError, ConnectionError):
        while more := phone.recv(65536):
            heard += more
    return heard


@contextmanager
def serve_encrypted(room: Room, certificate: Path) -> Iterator[EncryptedRoom]:
    """Serve a room's pages, encrypted and not."""
    server = serve(room.app, HERE, 0, encryption(certificate))
    try:
        yield EncryptedRoom(server, certificate)
    finally:
        server.shutdown()
        server.server_close()
