"""Connections that wait for their request, or for a place."""

import socket
import ssl
from contextlib import suppress
from time import monotonic

from webui.access.origins import network_of

HEAD = 64 * 1024  # largest request head in bytes
WHOLE = b"\r\n\r\n"
HELLO = b"\x16"  # first byte of a TLS handshake, and of no plain request
LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""Errors of a socket that would have to wait."""


class PendingConnection:
    """A connection without a complete request or without a place."""

    def __init__(self, connection: socket.socket, address: tuple[str, int], seconds: float) -> None:
        """Allow some seconds until the request has begun."""
        connection.setblocking(False)
        self.connection, self.address, self.until = connection, address, monotonic() + seconds
        # encryption replaces the socket object, and a failed one closes it
        self.number, self.network = connection.fileno(), network_of(address[0])
        self.head, self.is_complete = b"", False
        self.device: str | None = None
        """Token of a known device, if there is one."""
        self.is_taken = False
        """Whether the connection is detached, and stays open after its request."""

    def receive(self, context: ssl.SSLContext | None) -> bool:
        """Read more of the request head; return whether it is complete.

        With a context, the connection may be encrypted. Raises OSError or ValueError if the rest can't arrive.
        """
        with suppress(*LATER):
            if isinstance(self.connection, ssl.SSLSocket):
                self.connection.do_handshake()
            elif context and not self.head and self.connection.recv(1, socket.MSG_PEEK) == HELLO:
                self.connection = context.wrap_socket(
                    self.connection, server_side=True, do_handshake_on_connect=False
                )
                self.connection.do_handshake()
            while WHOLE not in self.head:
                piece = self.connection.recv(HEAD - len(self.head))
                if not piece:
                    raise ConnectionResetError
                self.head += piece
            return True
        return False

    def close(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
        self.connection.close()
