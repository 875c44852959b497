"""An MQTT client without a broker."""

from socket import socketpair

import pytest
from paho.mqtt.enums import MQTTErrorCode

from firmware.integrations.mqtt_client import MAX_MESSAGE_BYTES, new_client

PUBLISH = 0x30


def message_header(length: int) -> bytes:
    """Return the first bytes of a message of that length: seven bits of the length in each byte."""
    head = bytearray((PUBLISH,))
    while length > 127:
        head.append(length & 127 | 128)
        length >>= 7
    return bytes((*head, length))


@pytest.mark.parametrize(
    ("length", "read"),
    [
        (MAX_MESSAGE_BYTES, MQTTErrorCode.MQTT_ERR_SUCCESS),
        (MAX_MESSAGE_BYTES + 1, MQTTErrorCode.MQTT_ERR_CONN_LOST),
    ],
)
def test_oversized_message_closes_connection_unread(length: int, read: MQTTErrorCode) -> None:
    client, (ours, brokers) = new_client("table", None, None, 1), socketpair()
    with ours, brokers:
        ours.setblocking(False)
        client._sock = ours
        brokers.sendall(message_header(length))
        assert client.loop_read() == read
        # the library sends DISCONNECT to a socket that it owns
        client._sock = None
