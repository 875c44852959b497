"""The table's link to its club: sends the journal and receives the club's messages.

The link has its own thread and its own journal connection, so the table never waits for it. One message of
lines is in transit at a time.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from ssl import CERT_REQUIRED, PROTOCOL_TLS_CLIENT, SSLContext, VerifyFlags
from threading import Lock, Thread
from time import monotonic
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo

from firmware.integrations import club_messages as messages
from firmware.integrations.club_delivery import Delivery, LongLineError
from firmware.integrations.club_messages import CallAnswer, ClubCall, ClubNote, FromTable, topic
from firmware.integrations.mqtt_client import begin, new_client
from firmware.storage.club import MOST_CALLS, Membership, WaitingCall
from firmware.storage.journal import open_readonly
from vision.troubles import TroubleError

MAX_RECONNECT_DELAY = 30  # maximum seconds between connection attempts
KEEP_ALIVE = 20  # keep-alive in seconds; after that the broker publishes the table as offline
POLL_INTERVAL = 1.0
STATUS_INTERVAL = 60.0  # seconds between status messages
CALL_INTERVAL = 5.0  # seconds before a call for the director is sent again
MOST_QUEUED = 32
NO_CHECK_TIME = VerifyFlags(0x200000)
"""X509_V_FLAG_NO_CHECK_TIME: a Pi has no battery-backed clock, and keys alone decide access."""
TO_TABLE: tuple[messages.ToTable, ...] = ("ack", "note", "forget", "calls")
RECEIVED_TOPICS = frozenset({"hub", *TO_TABLE})
STOP = "over", b""  # ends the link's thread; queued by `close` only
LinkState = Literal["connecting", "refused", "connected"]


class ClubLink:
    """Delivers the journal, calls the director, and receives the club's messages."""

    def __init__(
        self, membership: Membership, journal: Path, forget: Callable[[str], object] = lambda _name: None
    ) -> None:
        """Start the link; `forget` removes a name from this table, and raises if it can't."""
        self._membership, self._path = membership, journal.resolve()
        self._forget = forget
        self._heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._new_calls, self._calling = list[ClubCall](), Lock()
        self.state: LinkState = "connecting"
        # reason of a refusal or failure, and number of lines not yet in the club's database
        self.why, self.waiting = "", 0
        self.note, self.calls = ClubNote(), tuple[CallAnswer, ...]()
        self._kept_names: Sequence[str] = ()
        """Names to be forgotten later, such as those of people who are playing."""
        self._delivery = Delivery(self._path, monotonic)
        self._told_at = self._called_at = self._counted_at = float("-inf")
        self.look()
        mine = self._membership
        client = new_client(f"coyote-club-{mine.table}", mine.table, mine.key, MAX_RECONNECT_DELAY)
        if mine.authority:
            client.tls_set_context(club_encryption(mine.authority))
        client.will_set(topic(mine.table, "status"), _status(is_online=False), qos=1, retain=True)
        client.max_queued_messages_set(MOST_QUEUED)
        client.on_connect, client.on_message = self._greet, self._hear
        client.on_connect_fail, client.on_disconnect = self._miss, self._lose
        begin(client, mine.host, mine.port, KEEP_ALIVE)
        self._client = client
        self._thread = Thread(target=self._run, name="club link", daemon=True)
        self._thread.start()

    # called from other threads

    def look(self) -> None:
        """Check for lines to deliver now."""
        if self._heard.empty():
            self._heard.put(("look", b""))

    def call(self, call: ClubCall) -> bool:
        """Call the director; False if too many calls are waiting."""
        with self._calling:
            if self.unheard() >= MOST_CALLS:
                return False
            self._new_calls.append(call)
        self.look()
        return True

    def close(self) -> None:
        """Disconnect; undelivered lines are delivered after the next start."""
        self._heard.put(STOP)
        self._thread.join(2 * POLL_INTERVAL)
        if self._client.is_connected():
            with suppress(ValueError, RuntimeError):
                self._put("status", _status(is_online=False), retain=True).wait_for_publish(POLL_INTERVAL)
        self._client.disconnect()
        self._client.loop_stop()

    def unheard(self) -> int:
        return len(self._delivery.outbox.calls) + len(self._new_calls)

    # called in paho's thread

    def _greet(self, client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self.state, self.why = "refused", str(reason)
            return
        client.subscribe([(messages.HUB, 1), *((topic(self._membership.table, what), 1) for what in TO_TABLE)])
        self.state, self.why = "connected", ""
        self._heard.put(("connection", b""))

    def _miss(self, _client: Client, _data: Any) -> None:
        self.state, self.why = "connecting", ""

    def _lose(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        # a refused client is then disconnected; the first reason says more
        if self.state == "connected":
            self.state, self.why = "connecting", str(reason) if reason.is_failure else ""

    def _hear(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        place = ("", "hub") if message.topic == messages.HUB else messages.table_in(message.topic)
        if place is not None and place[1] in RECEIVED_TOPICS and self._heard.qsize() < MOST_QUEUED:
            self._heard.put((place[1], bytes(message.payload)))

    # run in the link's own thread

    def _run(self) -> None:
        received = list[tuple[str, bytes]]()
        while STOP not in received:
            received = self._wait()
            try:
                for what, payload in received:
                    self._take(what, payload)
                self._work()
                self._delivery.keep(at_once=STOP in received)
            except (TroubleError, OSError, LongLineError) as error:
                # a disk error may be gone at the next attempt
                self.why = str(error)

    def _wait(self) -> list[tuple[str, bytes]]:
        received = list[tuple[str, bytes]]()
        with suppress(Empty):
            received.append(self._heard.get(timeout=POLL_INTERVAL))
            while True:
                received.append(self._heard.get_nowait())
        return received

    def _work(self) -> None:
        with self._calling:
            new, self._new_calls = self._new_calls, []
            waiting = tuple(WaitingCall(call.id, msgspec.json.encode(call).decode()) for call in new)
            outbox = self._delivery.outbox
            self._delivery.outbox = replace(outbox, calls=(*outbox.calls, *waiting))
        if waiting:
            self._called_at = float("-inf")
        with open_readonly(self._path) as journal:
            # a long backlog isn't counted with every message
            if self.waiting < messages.MAX_LINES or monotonic() - self._counted_at > POLL_INTERVAL:
                self._counted_at = monotonic()
                self.waiting = self._delivery.waiting(journal)
            if self.state == "connected":
                if monotonic() - self._told_at > STATUS_INTERVAL:
                    self._told_at = monotonic()
                    self._put("status", _status(is_online=True), retain=True)
                    self._forget_names(self._kept_names)
                message = self._delivery.next_message(journal)
                if message is not None:
                    self._put(*message)
        if self.state == "connected":
            calls = self._delivery.outbox.calls
            if calls and monotonic() - self._called_at > CALL_INTERVAL:
                self._called_at = monotonic()
                for call in calls:
                    self._put("call", call.said.encode())

    def _take(self, what: str, payload: bytes) -> None:
        if what in {"hub", "connection"}:
            self._delivery.send_again()
            self._told_at = self._called_at = float("-inf")
        elif what == "ack" and (ack := messages.understood(payload, messages.ClubAck)) is not None:
            self._delivery.take(ack)
        elif what == "note":
            self.note = messages.understood(payload, ClubNote) or ClubNote()
        elif what == "calls" and (answers := messages.understood(payload, messages.ClubCalls)) is not None:
            self.calls = tuple(answers.calls)
            known, outbox = {each.id for each in answers.calls}, self._delivery.outbox
            self._delivery.outbox = replace(outbox, calls=tuple(c for c in outbox.calls if c.id not in known))
        elif what == "forget" and (wish := messages.understood(payload, messages.ClubForget)) is not None:
            self._forget_names(wish.names)

    def _forget_names(self, names: Sequence[str]) -> None:
        """Forget names at this table; only successes are reported, failures are retried."""
        done, why = [], ""
        for name in names:
            try:
                self._forget(name)
            except Exception as error:  # noqa: BLE001 - the host's page tells why
                why = str(error)
            else:
                done.append(name)
        self.why = why if names else self.why
        self._kept_names = [name for name in names if name not in done]
        if done:
            self._put("forgotten", msgspec.json.encode(messages.ClubForget(done)))

    def _put(self, what: FromTable, payload: bytes, *, retain: bool = False) -> MQTTMessageInfo:
        return self._client.publish(topic(self._membership.table, what), payload, qos=1, retain=retain)


def _status(*, is_online: bool) -> bytes:
    return msgspec.json.encode(messages.ClubStatus(is_online))


def club_encryption(authority: str) -> SSLContext:
    """Return a context that trusts any server certified by the club's own authority.

    The host name isn't checked, because a broker's address may change each evening. The authority certifies
    only the club's own machines.
    """
    context = SSLContext(PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, CERT_REQUIRED
    context.verify_flags |= NO_CHECK_TIME
    context.load_verify_locations(cadata=authority)
    return context
