"""A broker of the house: the newest moment stands in a topic, and the broker tells when the table is gone."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Timer
from time import monotonic
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo

from firmware.board_events import Edge
from firmware.outside.following import OutletError
from firmware.outside.mqtt_client import begin, new_client
from firmware.storage.configuration import BrokerSettings
from hardware.board.board import Key
from referee.contract import Mood
from referee.public_moment import PublicMoment

# Buttons that come by the broker: what they say becomes edges, as those of a wire.
#
# A radio takes its time, and not always the same: of two who press together, the shorter way was first.

HELD, HELD_LONG, BETWEEN = 0.08, 0.75, 0.08
"""Seconds for which a press that comes as a word is held: short and long; and between two of a double one."""
GESTURES: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("press", "short", "single", "click"), (0.0, HELD)),
    **dict.fromkeys(("long", "hold"), (0.0, HELD_LONG)),
    "double": (0.0, HELD, HELD + BETWEEN, 2 * HELD + BETWEEN),
}
"""When the button goes down and up by turns, for words that Zigbee and quiz buttons say."""
STATES = {"on": True, "down": True, "pressed": True, "off": False, "up": False, "released": False}
"""What those say that tell each change, such as ESPHome's."""
LONGEST = 16
REST = 0.02
"""Seconds between two changes of a button that are heard: no finger is faster, a storm of messages is."""
LATE = 60  # seconds between two tries to reach the broker, at most
SEATS = 12  # as many as play at a table
ALIVE = 30  # seconds without a sign of life after which the broker tells that the table is gone
GIANT = "what lies at the topic of a button is too large: remove it there"


def wireless_keys(seats: int) -> tuple[Key, ...]:
    return tuple(Key("call", seat) for seat in range(seats))


class WirelessButtons:
    """Makes edges of messages."""

    def __init__(
        self,
        seats: int,
        put: Callable[[Edge], None],
        clock: Callable[[], float] = monotonic,
        later: Callable[[float, Callable[[], None]], None] | None = None,
    ) -> None:
        self._keys = wireless_keys(seats)
        self._put, self._clock, self._later = put, clock, later or _call_later
        self._busy = dict.fromkeys(self._keys, float("-inf"))
        """Until when a button is held by a word, or rests after a change."""

    def hear(self, seat: int, told: bytes) -> None:
        """Hear what a seat's button says; what isn't understood is no press."""
        word = told[: LONGEST + 1].decode("ascii", "replace").strip().lower()
        if not 0 <= seat < len(self._keys):
            return
        key, now = self._keys[seat], self._clock()
        if now < self._busy[key]:
            return
        if word in STATES:
            self._busy[key] = now + REST
            self._put(Edge(key, now, STATES[word]))
        elif word in GESTURES:
            self._busy[key] = now + GESTURES[word][-1] + REST
            self._play(key, GESTURES[word])

    def _play(self, key: Key, times: Sequence[float]) -> None:
        for place, wait in enumerate(times):
            is_down = place % 2 == 0

            def change(is_down: bool = is_down) -> None:
                self._put(Edge(key, self._clock(), is_down))

            if wait:
                self._later(wait, change)
            else:
                change()


def _call_later(seconds: float, what: Callable[[], None]) -> None:
    timer = Timer(seconds, what)
    timer.daemon = True
    timer.start()


PREFIX = "homeassistant"
MOST = 250  # letters of a state; Home Assistant takes 255
SENSORS = {
    "situation": f"{{{{ value_json.situation[:{MOST}] }}}}",
    "headline": "{{ value_json.headline.text if value_json.headline else '' }}",
    "question": f"{{{{ (value_json.questions | join(' '))[:{MOST}] }}}}",
    "ruling": f"{{{{ (value_json.rulings | map(attribute='text') | join(' '))[:{MOST}] }}}}",
    "leader": "{{ value_json.players | selectattr('place', 'eq', 1) | map(attribute='name') | join(', ') }}",
}
OVER = "{{ 'ON' if value_json.is_over else 'OFF' }}"
"""What it reads from a moment, as templates of its own."""


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
    yield entity("binary_sensor", "over", {"value_template": OVER, **moment})
    moods = {"event_types": [mood.value for mood in Mood], "state_topic": f"{topic}/mood"}
    yield entity("event", "mood", moods)


class Broker:
    """A broker that is told each moment while it can be reached; nothing waits for it meanwhile."""

    def __init__(
        self,
        settings: BrokerSettings,
        password: str | None,
        report: Callable[[str | None], None],
        buttons: WirelessButtons | None = None,
    ) -> None:
        """Begin to reach the broker; `report` is told why it can't be reached, and None when it is."""
        self._buttons = buttons
        self.name = f"{settings.host}:{settings.port}"
        self._topic, self._table = f"coyote-table/{settings.name}", settings.name
        self._report, self._has_discovery = report, settings.discovery
        self._newest = b""
        self._why: str | None = None
        self._greeting = 0
        self._client = new_client(f"coyote-table-{settings.name}", settings.user, password, LATE)
        if settings.tls:
            self._client.tls_set()
        self._client.will_set(f"{self._topic}/status", "offline", qos=1, retain=True)
        self._client.on_connect = self._greet
        self._client.on_connect_fail = self._miss
        self._client.on_disconnect = self._lose
        self._client.on_message = self._hear
        self._client.on_publish = self._see_taken
        begin(self._client, settings.host, settings.port, ALIVE)

    def tell(self, told: bytes) -> None:
        """Let a moment stand; one that the broker doesn't get is told when it can be reached again."""
        self._newest = told
        if self._client.is_connected():
            self._put_moment(told)
            # each mood once: a retained one would be felt again
            for ruling in msgspec.json.decode(told, type=PublicMoment).rulings:
                if ruling.mood is not None:
                    event = {"event_type": ruling.mood, "ruling": ruling.key, "text": ruling.text}
                    self._put("mood", msgspec.json.encode(event), retain=False)
        if self._why is not None:
            raise OutletError(self._why)

    def close(self) -> None:
        if self._client.is_connected():
            self._light(set())
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
        if self._buttons is not None:
            self._client.subscribe(f"{self._topic}/seat/+/press", qos=1)
        self._greeting = self._put("status", b"online", retain=True).mid
        if self._newest:
            self._put_moment(self._newest)

    def _see_taken(self, _client: Client, _data: Any, number: int, _reason: Any, _more: Any) -> None:
        """See that all is well: what the broker has kept for us came before it took what we say."""
        if number == self._greeting:
            self._note(None)

    def _miss(self, _client: Client, _data: Any) -> None:
        self._note("no connection")

    def _lose(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        # who wasn't let in is cut off afterwards: the first reason says more
        if reason.is_failure and self._why is None:
            self._note(GIANT if self._client.met_giant else str(reason))

    def _note(self, why: str | None) -> None:
        self._why = why
        self._report(why)

    def _hear(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        with suppress(UnicodeDecodeError, IndexError):
            seat = message.topic.split("/")[-2]
            if self._buttons is not None and not message.retain and seat.isascii() and seat.isdecimal():
                self._buttons.hear(int(seat[:3]) - 1, bytes(message.payload))

    def _put_moment(self, told: bytes) -> None:
        """Let a moment stand, and of each seat whether it is asked: a lamp can follow that by itself."""
        self._put("moment", told, retain=True)
        self._light({p.seat for p in msgspec.json.decode(told, type=PublicMoment).players if p.is_asked})

    def _light(self, asked: set[int]) -> None:
        # otherwise a lamp would stay lit whose seat has no player in this match, or since this start
        for seat in range(SEATS):
            self._put(f"seat/{seat + 1}/asked", b"ON" if seat in asked else b"OFF", retain=True)

    def _put(self, what: str, told: bytes, *, retain: bool) -> MQTTMessageInfo:
        return self._client.publish(f"{self._topic}/{what}", told, qos=1 if retain else 0, retain=retain)
