"""Brokers started by a hub: Mosquitto for a café, NATS beyond it; each table is limited to its own topics."""

import getpass
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Event, Lock, Thread
from time import sleep

import msgspec
from psycopg import Error

from club import ClubError
from club.authority import ClubCertificate
from club.credentials import HUB_USER, READER_USER, password_line, users
from club.database import Pool
from club.hearing import SAID
from club.members import CHANGED
from club.news import EVERYTHING, NewsRoom
from club.programs import Program, free_port, is_listening
from firmware.integrations.club_messages import HUB, MAX_PAYLOAD, PREFIX
from firmware.storage.files import write_private
from vision.files import make_folder

LARGEST_PACKET = MAX_PAYLOAD + 8000
"""Largest packet in bytes: a payload with its topic and overhead."""
HEARS = ("ack", "note", "forget", "calls")  # subtopics of its own name that a table may read
POLL_INTERVAL = 1.0  # seconds between checks whether the broker is running
SBIN = "/usr/sbin:/usr/local/sbin"


class OwnBroker:
    """A broker in a separate process; its configuration is rewritten whenever its users change."""

    name = ""

    def __init__(self, folder: Path, port: int, host: str = "", tls: ClubCertificate | None = None) -> None:
        self._folder, self.port, self._host, self._tls = folder, port, host, tls
        make_folder(folder)
        folder.chmod(0o700)
        self.program = Program(self.name, self._command(), folder / "log")

    def start(self, keys: Mapping[str, str]) -> None:
        self._configure(keys)
        self.program.start(lambda: is_listening(self._host or "127.0.0.1", self.port))

    def renew(self, keys: Mapping[str, str]) -> None:
        """Update the users without disconnecting the others; restart the broker if it has died."""
        if not self.program.is_running():
            self.start(keys)
            return
        self._configure(keys)
        self.program.send(signal.SIGHUP)

    def close(self) -> None:
        self.program.end()

    def _command(self) -> tuple[str, ...]:
        raise NotImplementedError

    def _configure(self, keys: Mapping[str, str]) -> None:
        raise NotImplementedError

    def _write(self, name: str, lines: Iterable[str]) -> None:
        write_private(self._folder / name, "".join(f"{line}\n" for line in lines).encode())


class Mosquitto(OwnBroker):
    """Debian's broker."""

    name = "mosquitto"

    def _command(self) -> tuple[str, ...]:
        return find_mosquitto() or self.name, "-c", str(self._folder / "mosquitto.conf")

    def _configure(self, keys: Mapping[str, str]) -> None:
        self._write("passwords", (password_line(user, key) for user, key in keys.items()))
        self._write("access", _mosquitto_access())
        self._write("mosquitto.conf", self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"listener {self.port} {self._host}".strip()
        yield "allow_anonymous false"
        yield f"password_file {self._folder / 'passwords'}"
        yield f"acl_file {self._folder / 'access'}"
        # the hub's database acknowledges important messages, so nothing here must outlast the broker
        yield "persistence false"
        yield f"message_size_limit {MAX_PAYLOAD}"
        yield f"max_packet_size {LARGEST_PACKET}"
        yield "max_inflight_messages 20"
        yield "max_queued_messages 2000"
        yield "max_keepalive 120"
        # small messages must not wait for each other
        yield "set_tcp_nodelay true"
        yield f"user {getpass.getuser()}"
        yield "log_type error"
        yield "log_type warning"
        if self._tls is not None:
            yield f"cafile {self._tls.authority}"
            yield f"certfile {self._tls.certificate}"
            yield f"keyfile {self._tls.key}"
            yield "tls_version tlsv1.2"


def _mosquitto_access() -> Iterator[str]:
    yield f"user {HUB_USER}"
    yield f"topic readwrite {PREFIX}/#"
    yield "topic write homeassistant/#"
    yield f"user {READER_USER}"
    for what in ("moment", "status"):
        yield f"topic read {PREFIX}/+/{what}"
    yield "topic read homeassistant/#"
    for what in SAID:
        yield f"pattern write {PREFIX}/%u/{what}"
    for what in HEARS:
        yield f"pattern read {PREFIX}/%u/{what}"
    yield f"pattern read {HUB}"


def find_mosquitto() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path=SBIN)


class Nats(OwnBroker):
    """A nats-server with JetStream, listening for MQTT; every message is synced to its disk."""

    name = "nats-server"

    def _command(self) -> tuple[str, ...]:
        found = shutil.which(self.name)
        if found is None:
            raise ClubError("no nats")
        return found, "-c", str(self._folder / "nats.conf")

    def _configure(self, keys: Mapping[str, str]) -> None:
        port = self._folder / "port"
        if not port.exists():
            port.write_text(str(free_port()), encoding="ascii")
        mqtt: dict[str, object] = {"host": self._host or "0.0.0.0", "port": self.port}  # noqa: S104 - as asked for
        if self._tls is not None:
            mqtt["tls"] = {"cert_file": str(self._tls.certificate), "key_file": str(self._tls.key)}
        configuration = {
            "server_name": "coyote-club",
            # only programs on this machine use its own protocol
            "host": "127.0.0.1",
            "port": int(port.read_text(encoding="ascii")),
            "max_payload": LARGEST_PACKET,
            "jetstream": {"store_dir": str(self._folder / "store"), "sync_interval": "always"},
            "mqtt": mqtt,
            "authorization": {"users": [_nats_user(user, key) for user, key in keys.items()]},
        }
        self._write("nats.conf", [msgspec.json.format(msgspec.json.encode(configuration)).decode()])


def _nats_user(user: str, key: str) -> dict[str, object]:
    """Return a user's permissions; subjects have dots instead of a topic's slashes."""
    base = PREFIX.replace("/", ".")
    # used by the broker itself to deliver each message at least once
    own = ["$MQTT.sub.>", "$MQTT.>"]
    if user == HUB_USER:
        says, hears = [f"{base}.>", "homeassistant.>"], [f"{base}.>"]
    elif user == READER_USER:
        says, hears = [], [f"{base}.*.moment", f"{base}.*.status", "homeassistant", "homeassistant.>"]
    else:
        says = [f"{base}.{user}.{what}" for what in SAID]
        hears = [HUB.replace("/", "."), *(f"{base}.{user}.{what}" for what in HEARS)]
    return {"user": user, "password": key, "permissions": {"publish": says, "subscribe": [*hears, *own]}}


# access control


class Gate:
    """Updates a broker's list of users."""

    def __init__(self, broker: OwnBroker, pool: Pool, secret: bytes, room: NewsRoom) -> None:
        self._broker, self._pool, self._secret = broker, pool, secret
        self._renewing, self._is_over = Lock(), Event()
        self.renew()
        self._thread = Thread(target=self._watch, args=(room,), name="club gate", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_over.set()
        self._thread.join(2 * POLL_INTERVAL)

    def renew(self) -> None:
        # joining and its notification may be concurrent, and the newer list must be written last
        with self._renewing, self._pool.connection() as db:
            self._broker.renew(users(db, self._secret))

    def _watch(self, room: NewsRoom) -> None:
        listening = room.subscribe()
        while not self._is_over.is_set():
            news = listening.next(POLL_INTERVAL)
            try:
                if {CHANGED, EVERYTHING} & set(news) or not self._broker.program.is_running():
                    self.renew()
            except (Error, ClubError, OSError):
                # the next check tries again
                sleep(POLL_INTERVAL)
        room.unsubscribe(listening)
