"""A home's MQTT broker (a real Mosquitto): retained messages, last wills and outages."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from shutil import which
from socket import socketpair
from typing import Any

import pytest
from jinja2 import Environment
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from firmware.integrations.broker import MAX_STATE_LETTERS, SENSORS, Broker
from firmware.integrations.following import report_outlet
from firmware.integrations.mqtt_client import MAX_MESSAGE_BYTES, new_client
from firmware.language.speaking import LANGUAGE
from firmware.storage.configuration import BrokerSettings
from referee.games.catalogue import GAMES
from referee.public_moment import encode_moment
from tests.firmware.integrations.house_broker import MOSQUITTO, HouseBroker
from tests.firmware.recording_client import RecordingClient, follow
from tests.given import present
from tests.referee.tables import after_any, new_match
from tests.waiting import until

# states are plain text
ENVIRONMENT = Environment(autoescape=False)  # noqa: S701
TOPIC = "coyote-table/kitchen"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HouseBroker]:
    if MOSQUITTO is None:
        pytest.skip("no broker here: apt install mosquitto")
    each = HouseBroker(tmp_path)
    each.start()
    yield each
    each.kill()


class TopicListener:
    """Another client of the broker; records all topics and the retained messages."""

    def __init__(self, port: int, **user: str) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._client = Client(CallbackAPIVersion.VERSION2)
        if user:
            self._client.username_pw_set(**user)
        self._client.on_connect = lambda client, *_more: client.subscribe("#", 1)
        self._client.on_message = self._note
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _note(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self.heard.append((message.topic, message.payload))

    def newest(self, topic: str) -> bytes:
        return next((told for heard, told in reversed(self.heard) if heard == topic), b"")

    def moment(self) -> int:
        """Return the number of the last received moment; -1 if none."""
        told = self.newest(f"{TOPIC}/moment")
        return int(json.loads(told)["moment"]) if told else -1

    def say(self, what: str, told: str, *, retain: bool = False) -> None:
        self._client.publish(f"{TOPIC}/{what}", told, qos=1, retain=retain)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def ear(port: int, **user: str) -> Iterator[TopicListener]:
    each = TopicListener(port, **user)
    yield each
    each.close()


@contextmanager
def told_table(port: int, password: str | None = None, **settings: Any) -> Iterator[RecordingClient]:
    client, wish = RecordingClient(), BrokerSettings("127.0.0.1", port, "kitchen", **settings)
    report = partial(report_outlet, client, f"127.0.0.1:{port}")
    with follow(Broker(wish, password, report), client):
        yield client


def test_newest_moment_is_retained_but_moods_are_not(house: HouseBroker) -> None:
    rng = Random(1)
    with ear(house.port) as early, told_table(house.port) as client:
        until(lambda: early.moment() == 0)
        for _answer in range(6):
            client.tell(after_any(client.moment(), rng))
            match = client.moment()
            until(lambda match=match: early.moment() == match.number)
            # a lamp can follow whether its seat is asked
            asked = {seat for ask in match.asks for seat in ask.seats}
            states = {seat: b"ON" if seat in asked else b"OFF" for seat in range(12)}
            until(
                lambda states=states: all(
                    early.newest(f"{TOPIC}/seat/{seat + 1}/asked") == state for seat, state in states.items()
                )
            )
        assert json.loads(early.newest(f"{TOPIC}/moment")) == json.loads(
            encode_moment(client.moment(), LANGUAGE)
        )
        assert early.newest(f"{TOPIC}/status") == b"online"
        until(lambda: early.newest(f"{TOPIC}/mood"))
        with ear(house.port) as late:
            until(lambda: late.moment() == 6)
            assert late.newest(f"{TOPIC}/status") == b"online"
            # later clients don't receive an old mood
            assert late.newest(f"{TOPIC}/mood") == b""
    assert not client.wrong


def test_closing_table_goes_offline_and_vanished_one_by_last_will(house: HouseBroker) -> None:
    with ear(house.port) as house_ear:
        # of an earlier match with more players
        house_ear.say("seat/9/asked", "ON", retain=True)

        def lit() -> list[int]:
            return [seat for seat in range(1, 13) if house_ear.newest(f"{TOPIC}/seat/{seat}/asked") == b"ON"]

        until(lambda: lit() == [9])
        with told_table(house.port) as client:
            client.tell(after_any(client.moment(), Random(1)))
            until(lambda: lit() in ([1], [2], [3]))
        until(lambda: house_ear.newest(f"{TOPIC}/status") == b"offline")
        assert not lit()
        outlet = Broker(BrokerSettings("127.0.0.1", house.port, "kitchen"), None, lambda _why: None)
        until(lambda: house_ear.newest(f"{TOPIC}/status") == b"online")
        heard = len(house_ear.heard)
        present(outlet._client.socket()).shutdown(socket.SHUT_RDWR)
        until(lambda: (f"{TOPIC}/status", b"offline") in house_ear.heard[heard:])
        outlet.close()


def test_connection_lost_while_closing_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    outlet = Broker(BrokerSettings("127.0.0.1", 1, "kitchen"), None, lambda _why: None)
    monkeypatch.setattr(outlet._client, "is_connected", lambda: True)
    outlet.close()


def test_restarted_broker_gets_retained_messages_again(house: HouseBroker) -> None:
    rng, name = Random(2), ("outlet", f"127.0.0.1:{house.port}")
    with told_table(house.port) as client:
        with ear(house.port) as before:
            until(lambda: before.moment() == 0)
        house.kill()
        until(lambda: name in client.wrong)
        for _answer in range(5):
            client.tell(after_any(client.moment(), rng))
        house.start()
        with ear(house.port) as after:
            until(lambda: after.moment() == 5)
        until(lambda: not client.wrong)


def test_rejected_login_is_reported(house: HouseBroker, tmp_path: Path) -> None:
    house.kill()
    words = tmp_path / "passwords"
    subprocess.run((str(which("mosquitto_passwd")), "-b", "-c", words, "table", "s3cret"), check=True)
    house.configure("allow_anonymous false", f"password_file {words}")
    house.start()
    name = "outlet", f"127.0.0.1:{house.port}"
    with told_table(house.port, "wr0ng", user="table") as client:
        until(lambda: name in client.wrong)
        assert "authori" in str(client.wrong[name].values["why"])
    user = {"username": "table", "password": "s3cret"}
    with ear(house.port, **user) as inside, told_table(house.port, "s3cret", user="table"):
        until(lambda: inside.moment() == 0)


def test_home_assistant_discovery_is_optional(house: HouseBroker) -> None:
    with ear(house.port) as heard:
        with told_table(house.port, discovery=False):
            until(lambda: heard.moment() == 0)
            assert not [topic for topic, _told in heard.heard if topic.startswith("homeassistant/")]
        with told_table(house.port):
            until(lambda: heard.newest("homeassistant/event/coyote_kitchen/mood/config"))
        report = json.loads(heard.newest("homeassistant/sensor/coyote_kitchen/situation/config"))
        assert report["state_topic"] == f"{TOPIC}/moment"
        assert report["availability_topic"] == f"{TOPIC}/status"


@pytest.mark.parametrize("name", GAMES)
def test_home_assistant_can_read_every_moment(name: str) -> None:
    draw = {key: ENVIRONMENT.from_string(text) for key, text in SENSORS.items()}
    rng, match = Random(name), new_match(GAMES[name], next(iter(GAMES[name].rules.settings)), 3)
    for _answer in range(40):
        moment = json.loads(encode_moment(match, LANGUAGE))
        read = {key: template.render(value_json=moment) for key, template in draw.items()}
        assert all(len(value) <= MAX_STATE_LETTERS for value in read.values())
        assert read["leader"]
        if match.outcome is not None:
            break
        match = after_any(match, rng)


# without a broker

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
