"""A running club: database, broker, hub, joining server and pages."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from urllib.parse import urlsplit

from flask import Flask
from msgspec import Struct
from msgspec.json import encode
from psycopg import Error

from club import ClubError, members
from club.authority import ClubCertificate, club_certificate
from club.brokers import Gate, Mosquitto, Nats, OwnBroker, find_mosquitto
from club.credentials import HUB_USER, KeyRow, change_pin, club_secret, ensure_keys, key_of
from club.database import Pool, migrate, open_pool, reach_database
from club.database_watch import DatabaseWatch
from club.history import ClubMatches
from club.hub import BrokerPlace, Hub
from club.joining import JoiningDoor
from club.members import Invitations, TableRow, add_table, join_table
from club.news import EVERYTHING, NewsRoom
from club.people import ClubPeople, forget_again, remember_forgotten
from club.postgres import Postgres, find_postgres
from club.tables import ClubTables
from club.tournaments import Tournaments
from club.web.app import create_club_app
from club.web.services import ClubHealth, ClubServices
from firmware.language import catalogues
from firmware.services.addresses import address
from firmware.services.attempt_limits import AttemptLimit
from firmware.services.looks import Looks
from firmware.storage.club import Membership
from firmware.storage.files import write_private
from firmware.storage.own_secrets import encryption
from firmware.storage.people.links import draw_pin, draw_token
from vision.files import make_folder, read_json
from webui.access.guess_limits import GuessLimit
from webui.access.origins import network_of
from webui.server.serving import EVERYWHERE, Server

RUNNING = "running.json"  # the data with which a second program reaches a club running here
TRIES, ALL_TRIES = 20, 5000
"""Codes that may be tried per minute, by one network and in total; there are 31 to the power of 8."""
REACHED = 30.0  # seconds allowed for the first connection to a database
FORGOTTEN = "forgotten.json"
"""File beside the database with hashes of forgotten names, in case an older backup is restored."""
KINDS: dict[str, type[OwnBroker]] = {"mosquitto": Mosquitto, "nats": Nats}


class ClubWish(Struct, frozen=True):
    """The options of a club."""

    folder: Path
    name: str = "Club"
    port: int = 8080
    broker_port: int = 8883
    joining_port: int = 8884
    own_broker: str = "mosquitto"
    broker: str = ""
    """Address of an existing broker: mqtt://USER:PASSWORD@HOST:PORT, or mqtts; empty starts one."""
    database: str = ""  # address of an existing database; empty starts one
    https: bool = False
    host: str = EVERYWHERE


class RunningClub(Struct, frozen=True):
    """The data with which a second program reaches a club running here."""

    database: str
    name: str
    joining_port: int


def code_tries() -> Callable[[str], bool]:
    """Limit attempts at codes per network, so that no network blocks another."""
    limit = AttemptLimit(each=TRIES, most=ALL_TRIES)
    return lambda address: limit.may_try(network_of(address))


class ClubRun:
    """A club that runs until it is closed."""

    def __init__(self, wish: ClubWish, at_trouble: Callable[[str, str], None]) -> None:
        """Start everything. `at_trouble` receives a part that fails later and the reason; "" if it is back."""
        self.wish, self._ends = wish, ExitStack()
        try:
            self._start(at_trouble)
        except BaseException:
            self._ends.close()
            raise

    def _start(self, at_trouble: Callable[[str, str], None]) -> None:
        folder = self.wish.folder
        # list all missing packages at once
        needed = (
            ("postgresql", bool(self.wish.database) or find_postgres()),
            ("mosquitto", bool(self.wish.broker) or self.wish.own_broker != "mosquitto" or find_mosquitto()),
        )
        missing = [name for name, is_there in needed if not is_there]
        if missing:
            raise ClubError("no packages", packages=" ".join(missing))
        # another program may use a port, for example another club
        # a broker whose hub was killed may need a moment to stop, so this waits for it
        for port in (self.wish.port, self.wish.joining_port):
            with socket() as probe:
                probe.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
                try:
                    probe.bind(("", port))
                except OSError as error:
                    raise ClubError("port taken", port=port, why=error.strerror or "") from error
        make_folder(folder)
        self.secret, self.tls = club_secret(folder), club_certificate(folder / "tls")
        self.server = self._find_database()
        room = NewsRoom(self.database)
        self._ends.callback(room.close)
        self.pool = self._ends.enter_context(open_pool(self.database))
        self.pool.wait(REACHED)
        with self.pool.connection() as db:
            migrate(db)

        def tell(why: str) -> None:
            room.tell(EVERYTHING)
            at_trouble("database", why)

        self.watch = DatabaseWatch(self.database, self.server, tell)
        self._ends.callback(self.watch.close)
        self.broker, self._gate = None, None
        if not self.wish.broker:
            kind = KINDS[self.wish.own_broker]
            self.broker = kind(folder / "broker", self.wish.broker_port, "", self.tls)
            self._ends.callback(self.broker.close)
            self._gate = Gate(self.broker, self.pool, self.secret, room)
            self._ends.callback(self._gate.close)
        place = self._broker_place()
        self._language = catalogues.preferred_language()
        self.hub = Hub(place, self.pool, catalogues.language(self._language), at_trouble)
        self._ends.callback(self.hub.close)
        self._joining = JoiningDoor(self.wish.joining_port, self.tls, self._let_in, code_tries())
        self._ends.callback(self._joining.close)
        self.address = self._serve(room)
        running = RunningClub(self.database, self.wish.name, self._joining.port)
        # readable by its owner only
        write_private(folder / RUNNING, encode(running))
        self._ends.callback((folder / RUNNING).unlink, missing_ok=True)

    def close(self) -> None:
        self._ends.close()

    def health(self) -> ClubHealth:
        silent, took = self.watch.health()
        return ClubHealth(took, silent, self.hub.is_connected())

    def join_here(self, title: str) -> Membership:
        """Add a table of this machine, without a code."""
        with self.pool.connection() as db:
            table = add_table(db, title)
        return self._membership(table, key_of(self.secret, table.name), "127.0.0.1")

    def _membership(self, table: TableRow, key: str, host: str) -> Membership:
        """Return the membership of a table that reached us at `host`, once the broker has its key."""
        if self._gate is not None:
            self._gate.renew()
        place = self._broker_place()
        here = place.host if self.broker is None else host
        return Membership(table.name, table.title, self.wish.name, here, place.port, key, place.authority)

    def _find_database(self) -> Postgres | None:
        self.database = self.wish.database
        if self.database:
            reach_database(self.database)
            return None
        server = Postgres(self.wish.folder / "postgres")
        self._ends.callback(server.close)
        self.database = server.start().address
        return server

    def _broker_place(self) -> BrokerPlace:
        if self.broker is None:
            return broker_at(self.wish.broker, self.tls)
        key = key_of(self.secret, HUB_USER)
        return BrokerPlace("127.0.0.1", self.broker.port, HUB_USER, key, self.tls.authority_text)

    def _let_in(self, code: str, host: str) -> Membership | None:
        try:
            with self.pool.connection() as db:
                joined = join_table(db, self.secret, code)
            return None if joined is None else self._membership(*joined, host)
        except (Error, OSError):
            return None

    def _serve(self, room: NewsRoom) -> str:
        scheme = "https" if self.wish.https else "http"
        reached = address(self.wish.port, scheme)
        inviting = Invitations(self.pool, self.wish.folder, self._joining.port)
        app = club_app(self.pool, room, inviting, self._language, address=reached, health=self.health)
        context = encryption(self.tls.certificate, self.tls.key) if self.wish.https else None
        self._ends.callback(Server(app, self.wish.host, self.wish.port, context).close)
        return reached


def broker_at(address: str, tls: ClubCertificate) -> BrokerPlace:
    """Parse an existing broker's address; with mqtts, the club's authority must have certified it."""
    parts = urlsplit(address)
    try:
        port = parts.port or (8883 if parts.scheme == "mqtts" else 1883)
    except ValueError as error:
        raise ClubError("bad broker", said=address) from error
    if parts.scheme not in {"mqtt", "mqtts"} or not parts.hostname:
        raise ClubError("bad broker", said=address)
    authority = tls.authority_text if parts.scheme == "mqtts" else ""
    return BrokerPlace(parts.hostname, port, parts.username or "", parts.password or "", authority)


def invite(folder: Path, title: str) -> str:
    running = _running_at(folder)
    with open_pool(running.database, 1) as pool, pool.connection() as db:
        table = add_table(db, title)
        return members.invite(db, folder, running.joining_port, table).link


def renew_pin(folder: Path) -> str:
    pin = draw_pin()
    with open_pool(_running_at(folder).database, 1) as pool, pool.connection() as db:
        ensure_keys(db, pin, draw_token())
        change_pin(db, pin)
    return pin


def pin_of(folder: Path) -> str:
    with open_pool(_running_at(folder).database, 1) as pool, pool.connection() as db:
        return ensure_keys(db, draw_pin(), draw_token()).pin


def _running_at(folder: Path) -> RunningClub:
    try:
        return read_json(folder / RUNNING, RunningClub)
    except OSError as error:
        raise ClubError("no club here", folder=str(folder)) from error


# the pages


def club_app(
    pool: Pool,
    room: NewsRoom,
    inviting: Invitations,
    language: str,
    *,
    address: str = "",
    health: Callable[[], ClubHealth] = ClubHealth,
) -> Flask:
    """Create the app of the club's pages, after forgetting again the people that an older backup restored."""

    def keys() -> KeyRow:
        with pool.connection() as db:
            return ensure_keys(db, draw_pin(), draw_token())

    secret, forgotten = keys().secret, inviting.folder / FORGOTTEN
    with pool.connection() as db:
        forget_again(db, forgotten, secret)
        remember_forgotten(db, forgotten)

    services = ClubServices(
        tables=ClubTables(pool),
        inviting=inviting,
        tournaments=Tournaments(pool),
        people=ClubPeople(pool, secret, forgotten),
        history=ClubMatches(pool),
        looks=Looks(),
        news=room,
        keys=keys,
        languages={code: catalogues.language(code) for code in catalogues.languages()},
        language=language,
        address=address,
        health=health,
    )
    return create_club_app(services, GuessLimit())
