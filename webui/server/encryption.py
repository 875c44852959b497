"""Connections that are encrypted: the handshake and the head of the request, without ever waiting for them."""

import socket
import ssl

HELLO = b"\x16"
"""What an encrypted connection begins with, and no request in the clear."""
LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""What says that a socket would have to wait."""
PIECE = 16 * 1024


class EncryptedGuest:
    """A connection that is being encrypted, and what has come of its request's head."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext) -> None:
        connection.setblocking(False)
        self.connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self._is_encrypted, self._head = False, bytearray()
        self.is_over = False

    def hear(self, longest: int) -> bytes:
        """Go on with the handshake, then read what has come, so many bytes at most."""
        try:
            if not self._is_encrypted:
                self.connection.do_handshake()
                self._is_encrypted = True
            while len(self._head) < longest:
                piece = self.connection.recv(min(PIECE, longest - len(self._head)))
                if not piece:
                    self.is_over = True
                    break
                self._head += piece
        except LATER:
            pass
        except (OSError, ValueError):
            # not a handshake, or one that was broken off
            self.is_over = True
        return bytes(self._head)
