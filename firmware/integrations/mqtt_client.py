"""Opening a client of an MQTT broker, as the table's broker, its club and the club's hub all need it."""

from contextlib import suppress
from hashlib import sha256
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

LARGEST = 200_000
"""Bytes of a message that is taken in: the largest of a club has less, and a broker may be given any."""
SOON = 1


class BoundedClient(Client):
    """A client that leaves a broker sooner than it takes a giant into memory."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > LARGEST:
            # to the library this is a lost connection: it tells of that, and tries again later
            raise ConnectionError("a message is too large")
        return super()._sock_recv(bufsize)


def new_client(name: str, user: str | None, password: str | None, latest: int) -> BoundedClient:
    """Make a client that tries to reach its broker again within so many seconds, at the latest."""
    # a broker puts out who is there under the same name: with a password, no other client can make up ours
    own = f"{name}-{sha256(password.encode()).hexdigest()[:16]}" if password else name
    client = BoundedClient(CallbackAPIVersion.VERSION2, client_id=own, protocol=MQTTProtocolVersion.MQTTv311)
    if user:
        client.username_pw_set(user, password)
    client.reconnect_delay_set(SOON, latest)
    client.on_socket_open = send_at_once
    # whatever a broker sends, the thread that hears it lives on
    client.suppress_exceptions = True
    return client


def send_at_once(_client: Client, _data: Any, connection: Any) -> None:
    """Let small messages go out at once: otherwise the second waits until the first is acknowledged."""
    with suppress(OSError, AttributeError):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


def begin(client: Client, host: str, port: int, alive: int) -> None:
    """Begin to reach the broker; after so many seconds without a sign of life it takes the client for gone."""
    client.connect_async(host, port, alive)
    client.loop_start()
