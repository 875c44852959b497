"""The hub: receives tables' messages from a broker, stores them in the database and replies.

Each table has a short queue, and tables take turns (`turns.py`). A table resends everything that isn't
acknowledged. A table that floods is cut off until the director readmits it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from secrets import token_hex
from socket import SHUT_RDWR, socket
from threading import Condition, Thread
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from psycopg import DataError, Error, IntegrityError

from club.database import Pool
from club.hearing import SAID, Heard, discoveries, keep_others, know_nobody, standing_words
from club.keeping import keep_lines, keep_names
from club.members import shut_out
from club.telling import Teller
from club.turns import Turns
from firmware.integrations.club_link import club_encryption
from firmware.integrations.club_messages import (
    HUB,
    MAX_PAYLOAD,
    PREFIX,
    ClubAck,
    ClubHub,
    ClubLines,
    ClubNames,
    ToTable,
    table_in,
    topic,
)
from firmware.integrations.mqtt_client import begin, new_client
from referee.contract.words import phrase
from referee.sentences import Language

ALIVE = 15  # seconds without a sign of life after which the broker drops the hub
LATE = 5  # longest pause between attempts to reach the broker, in seconds
POLL_INTERVAL = 1.0  # seconds between checks for pages' messages to tables
BEAT, SILENCE = 5.0, 20.0
"""Seconds between two heartbeats, and seconds without one before the session is restarted."""
FLOODED = phrase("This table sent too many messages and was cut off. Your ruling readmits it.").one


class BrokerPlace(Struct, frozen=True):
    """A broker's address and credentials."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    authority: str = ""  # certificate of the club's own authority; empty without encryption


class Pulse:
    """Heartbeat through the broker: when to send one, and when the broker has stopped delivering.

    Mosquitto 2.0.11, which Debian 12 has, stops delivering to a session permanently after too many messages
    were dropped from its queue, but still answers pings. The hub therefore sends messages to itself, and starts
    a new session if they don't arrive.
    """

    def __init__(self, now: float) -> None:
        self._beat_at, self._heard_at = now, now

    def hear(self, now: float) -> None:
        """Record a received heartbeat, or a new session."""
        self._heard_at = now

    def is_due(self, now: float) -> bool:
        """Return whether to send a heartbeat, and schedule the next one."""
        is_due = now - self._beat_at >= BEAT
        self._beat_at = now if is_due else self._beat_at
        return is_due

    def has_stopped(self, now: float) -> bool:
        return now - self._heard_at > SILENCE


class Hub:
    """Receives, stores and answers messages; its whole state is in the database."""

    def __init__(
        self,
        place: BrokerPlace,
        pool: Pool,
        language: Language,
        at_trouble: Callable[[str, str], None] = lambda _part, _why: None,
    ) -> None:
        """Start. `at_trouble` receives the failing part and the reason; "" means that it is back."""
        self._pool, self._place, self._report = pool, place, at_trouble
        self._flood_words = language.gettext(FLOODED)
        self._run_name, self._pulse = token_hex(8), Pulse(monotonic())
        self._pulse_topic = f"{PREFIX}/hub-{self._run_name}"
        self._turns, self._floods = Turns(), list[str]()
        self._given, self._is_over = Condition(), False
        self._has_news = self._is_refused = False
        client = new_client(f"coyote-club-hub-{self._run_name}", self._place.user, self._place.password, LATE)
        if self._place.authority:
            client.tls_set_context(club_encryption(self._place.authority))
        client.on_connect, client.on_message = self._greet, self._hear
        client.on_connect_fail = lambda *_: self._report("broker", "it can't be reached")
        begin(client, self._place.host, self._place.port, ALIVE)
        self._client = client
        self._teller = Teller(pool, language, self._tell_moment)
        self._threads = [
            Thread(target=self._work, name="club keeper", daemon=True),
            Thread(target=self._tell_tables, name="club notes", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Disconnect; unacknowledged messages are sent again."""
        with self._given:
            self._is_over = True
            self._given.notify_all()
        for thread in self._threads:
            thread.join(POLL_INTERVAL * 10)
        self._teller.close()
        self._client.disconnect()
        self._client.loop_stop()

    def is_connected(self) -> bool:
        return self._client.is_connected()

    # the broker's thread

    def _greet(self, client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        """Subscribe to all tables; then announce a hub, so that they send their waiting messages."""
        if reason.is_failure:
            self._report("broker", f"it doesn't let the hub in: {reason}")
            return
        self._report("broker", "")
        self._pulse.hear(monotonic())
        client.subscribe([(self._pulse_topic, 1), *((f"{PREFIX}/+/{what}", 1) for what in SAID)])
        client.publish(HUB, msgspec.json.encode(ClubHub(token_hex(8))), qos=1, retain=True)

    def _hear(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        if message.topic == self._pulse_topic:
            self._pulse.hear(monotonic())
            return
        place = table_in(message.topic)
        if place is None or len(message.payload) > MAX_PAYLOAD:
            return
        if message.retain and place[1] == "status":
            # retained from before this hub subscribed: each table sends its status again to a new hub
            return
        with self._given:
            fate = self._turns.hear(Heard(*place, bytes(message.payload)), monotonic())
            if fate == "floods":
                self._floods.append(place[0])
            if fate != "left out":
                self._has_news = True
                self._given.notify_all()

    # the storage thread

    def _work(self) -> None:
        try:
            with self._pool.connection() as db:
                know_nobody(db)
        except Error as error:
            self._report_refusal(error)
        seconds: float | None = None
        while not self._is_over:
            floods, batch, seconds = self._take(seconds)
            if floods:
                self._shut_out(floods)
            if batch:
                self._keep(batch)

    def _take(self, seconds: float | None) -> tuple[list[str], list[Heard], float | None]:
        with self._given:
            self._given.wait_for(
                lambda: self._has_news or self._is_over, POLL_INTERVAL if seconds is None else seconds
            )
            self._has_news = False
            floods, self._floods = self._floods, []
            return floods, *self._turns.take(monotonic())

    def _shut_out(self, tables: list[str]) -> None:
        try:
            with self._pool.connection() as db:
                for table in tables:
                    shut_out(db, table, self._flood_words)
        except Error as error:
            self._report_refusal(error)
            with self._given:
                self._floods += tables

    def _keep(self, batch: list[Heard]) -> None:
        """Store messages together; if the database rejects one, skip it and store the others separately."""
        try:
            self._keep_together(batch)
        except Error as error:
            self._report_refusal(error)
            # unacknowledged messages are sent again, but an invalid one must not block the others
            if isinstance(error, DataError | IntegrityError) and len(batch) > 1:
                for each in batch:
                    self._keep([each])
        else:
            if self._is_refused:
                self._is_refused = False
                self._report("database", "")

    def _report_refusal(self, error: Exception) -> None:
        """Report why the database rejects a table's messages; recovery is reported, too."""
        self._is_refused = True
        self._report("database", " ".join(str(error).split()))

    def _keep_together(self, batch: list[Heard]) -> None:
        lines = {
            each.table: content for each in batch if (content := each.read("lines", ClubLines)) is not None
        }
        with self._pool.connection() as db:
            acks = keep_lines(db, lines) if lines else {}
            for each in batch:
                if (names := each.read("names", ClubNames)) is not None:
                    acks[each.table] = ClubAck(names.epoch, [], 0, keep_names(db, each.table, names))
            keep_others(db, [each for each in batch if each.what not in {"lines", "names"}])
        # committed, and therefore ready to be acknowledged
        for table, ack in acks.items():
            self._publish(table, "ack", msgspec.json.encode(ack))
        if acks:
            self._teller.look()

    def _publish(self, table: str, what: ToTable, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(topic(table, what), payload, qos=1, retain=retain)

    def _tell_moment(self, table: str, moment: bytes) -> None:
        """Publish a moment, retained for other programs; the next one follows soon."""
        self._client.publish(topic(table, "moment"), moment, qos=0, retain=True)

    # the thread for messages to tables

    def _tell_tables(self) -> None:
        known: Mapping[tuple[str, ToTable], bytes] = {}
        while not self._is_over:
            # a broker after a disconnect has none of them
            known = self._tell_changes(known) if self._client.is_connected() else {}
            self._feel_pulse()
            with self._given:
                self._given.wait_for(lambda: self._is_over, POLL_INTERVAL)

    def _feel_pulse(self) -> None:
        """Send a heartbeat to ourselves; if none arrives any more, start a new session."""
        now, connection = monotonic(), self._client.socket()
        if not self._client.is_connected() or not isinstance(connection, socket):
            return
        if self._pulse.has_stopped(now):
            self._pulse.hear(now)
            with suppress(OSError):
                # the library's thread notices and reconnects; SSL's shutdown isn't thread-safe
                socket.shutdown(connection, SHUT_RDWR)
        elif self._pulse.is_due(now):
            self._client.publish(self._pulse_topic, b"", qos=1)

    def _tell_changes(self, known: Mapping[tuple[str, ToTable], bytes]) -> Mapping[tuple[str, ToTable], bytes]:
        try:
            with self._pool.connection() as db:
                wanted = standing_words(db)
        except (Error, msgspec.ValidationError):
            return known
        for table in {table for table, _what in wanted.keys() - known.keys()}:
            for place, payload in discoveries(table):
                self._client.publish(place, payload, qos=1, retain=True)
        for table, what in known.keys() | wanted.keys():
            # an empty payload clears a retained message
            payload = wanted.get((table, what), b"")
            if known.get((table, what)) != payload:
                self._publish(table, what, payload, retain=True)
        return wanted
