"""An MQTT broker at home: publishes the newest moment and the table's online status."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessageInfo

from firmware.integrations.following import OutletError
from firmware.integrations.mqtt_client import begin, new_client
from firmware.storage.configuration import BrokerSettings
from referee.contract import Mood
from referee.public_moment import PublicMoment

MAX_RECONNECT_DELAY = 60  # maximum seconds between connection attempts
SEATS = 12  # seats with a topic; no game has more players
KEEP_ALIVE = 30  # keep-alive in seconds; after that the broker publishes the table as offline
PREFIX = "homeassistant"
MAX_STATE_LETTERS = 250  # characters of a state; Home Assistant accepts 255
SENSORS = {
    "situation": f"{{{{ value_json.situation[:{MAX_STATE_LETTERS}] }}}}",
    "headline": "{{ value_json.headline.text if value_json.headline else '' }}",
    "question": f"{{{{ (value_json.questions | join(' '))[:{MAX_STATE_LETTERS}] }}}}",
    "ruling": f"{{{{ (value_json.rulings | map(attribute='text') | join(' '))[:{MAX_STATE_LETTERS}] }}}}",
    "leader": "{{ value_json.players | selectattr('place', 'eq', 1) | map(attribute='name') | join(', ') }}",
}
OVER_TEMPLATE = "{{ 'ON' if value_json.is_over else 'OFF' }}"
"""Templates by which Home Assistant reads its sensors from a moment."""


def discovery(name: str, topic: str) -> Iterator[tuple[str, dict[str, Any]]]:
    table, moment = f"coyote_{name}", {"state_topic": f"{topic}/moment"}
    device = {"identifiers": [table], "name": f"Coyote Table {name}", "manufacturer": "Coyote Table"}
    common = {"device": device, "availability_topic": f"{topic}/status"}

    def entity(kind: str, key: str, own: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        told = {"name": key.capitalize(), "unique_id": f"{table}_{key}", **own, **common}
        return f"{PREFIX}/{kind}/{table}/{key}/config", told

    for key, template in SENSORS.items():
        more = {"json_attributes_topic": f"{topic}/moment"} if key == "situation" else {}
        yield entity("sensor", key, {"value_template": template, **moment, **more})
    yield entity("binary_sensor", "over", {"value_template": OVER_TEMPLATE, **moment})
    moods = {"event_types": [mood.value for mood in Mood], "state_topic": f"{topic}/mood"}
    yield entity("event", "mood", moods)


class Broker:
    """Publishes each moment while the broker is connected, without blocking."""

    def __init__(
        self, settings: BrokerSettings, password: str | None, report: Callable[[str | None], None]
    ) -> None:
        """Start connecting; `report` receives the reason of a failure, and None once connected."""
        self.name = f"{settings.host}:{settings.port}"
        self._topic, self._table = f"coyote-table/{settings.name}", settings.name
        self._report, self._has_discovery = report, settings.discovery
        self._newest = b""
        self._why: str | None = None
        self._greeting = 0
        self._client = new_client(f"coyote-table-{settings.name}", settings.user, password, MAX_RECONNECT_DELAY)
        if settings.tls:
            self._client.tls_set()
        self._client.will_set(f"{self._topic}/status", "offline", qos=1, retain=True)
        self._client.on_connect = self._greet
        self._client.on_connect_fail = self._miss
        self._client.on_disconnect = self._lose
        self._client.on_publish = self._see_taken
        begin(self._client, settings.host, settings.port, KEEP_ALIVE)

    def tell(self, told: bytes) -> None:
        """Publish a moment; while disconnected, it is published after the next connection."""
        self._newest = told
        if self._client.is_connected():
            self._put_moment(told)
            # moods are events: a retained one would be handled again
            for ruling in msgspec.json.decode(told, type=PublicMoment).rulings:
                if ruling.mood is not None:
                    event = {"event_type": ruling.mood, "ruling": ruling.key, "text": ruling.text}
                    self._put("mood", msgspec.json.encode(event), retain=False)
        if self._why is not None:
            raise OutletError(self._why)

    def close(self) -> None:
        if self._client.is_connected():
            self._light(set())
            # a connection lost meanwhile has left the last will, which says the same
            with suppress(RuntimeError):
                self._put("status", b"offline", retain=True).wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()

    def _greet(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self._note(str(reason))
            return
        if self._has_discovery:
            for topic, told in discovery(self._table, self._topic):
                self._client.publish(topic, msgspec.json.encode(told), qos=1, retain=True)
        self._greeting = self._put("status", b"online", retain=True).mid
        if self._newest:
            self._put_moment(self._newest)

    def _see_taken(self, _client: Client, _data: Any, number: int, _reason: Any, _more: Any) -> None:
        """Report success once the broker has acknowledged the first message."""
        if number == self._greeting:
            self._note(None)

    def _miss(self, _client: Client, _data: Any) -> None:
        self._note("no connection")

    def _lose(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        # a refused client is then disconnected; the first reason says more
        if reason.is_failure and self._why is None:
            self._note(str(reason))

    def _note(self, why: str | None) -> None:
        self._why = why
        self._report(why)

    def _put_moment(self, told: bytes) -> None:
        """Publish a moment, and for each seat whether it is asked, so that lamps can follow directly."""
        self._put("moment", told, retain=True)
        self._light({p.seat for p in msgspec.json.decode(told, type=PublicMoment).players if p.is_asked})

    def _light(self, asked: set[int]) -> None:
        # clear seats without a player, too, or their lamps would stay lit from an earlier match
        for seat in range(SEATS):
            self._put(f"seat/{seat + 1}/asked", b"ON" if seat in asked else b"OFF", retain=True)

    def _put(self, what: str, told: bytes, *, retain: bool) -> MQTTMessageInfo:
        return self._client.publish(f"{self._topic}/{what}", told, qos=1 if retain else 0, retain=retain)
