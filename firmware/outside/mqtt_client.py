"""Opening a client of an MQTT broker, as the table's broker, its club and the club's hub all need it."""

from contextlib import suppress
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

SOON = 1
"""Seconds until a broker that can't be reached is tried again, at first."""


def new_client(name: str, user: str | None, password: str | None, latest: int) -> Client:
    """Make a client that tries to reach its broker again within so many seconds, at the latest."""
    client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTProtocolVersion.MQTTv311)
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
