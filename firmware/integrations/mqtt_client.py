"""MQTT clients for the table's broker, its club and the club's hub."""

from contextlib import suppress
from hashlib import sha256
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

MAX_MESSAGE_BYTES = 200_000
"""Maximum bytes of an incoming message; those of a club are smaller."""
MIN_RECONNECT_DELAY = 1


class BoundedClient(Client):
    """A client that disconnects rather than load a huge message into memory."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > MAX_MESSAGE_BYTES:
            # paho handles this as a lost connection, reports it and reconnects later
            raise ConnectionError("a message is too large")
        return super()._sock_recv(bufsize)


def new_client(name: str, user: str | None, password: str | None, latest: int) -> BoundedClient:
    """Return a client that reconnects after at most `latest` seconds."""
    # brokers disconnect clients with the same id; without the password, nobody can guess ours
    own = f"{name}-{sha256(password.encode()).hexdigest()[:16]}" if password else name
    client = BoundedClient(CallbackAPIVersion.VERSION2, client_id=own, protocol=MQTTProtocolVersion.MQTTv311)
    if user:
        client.username_pw_set(user, password)
    client.reconnect_delay_set(MIN_RECONNECT_DELAY, latest)
    client.on_socket_open = send_at_once
    # the receiving thread survives any message
    client.suppress_exceptions = True
    return client


def send_at_once(_client: Client, _data: Any, connection: Any) -> None:
    """Disable Nagle's algorithm; otherwise a second small message waits for an acknowledgement."""
    with suppress(OSError, AttributeError):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


def begin(client: Client, host: str, port: int, alive: int) -> None:
    """Start connecting; `alive` is the keep-alive interval in seconds."""
    client.connect_async(host, port, alive)
    client.loop_start()
