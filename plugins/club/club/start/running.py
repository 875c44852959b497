"""A club put together: database, broker, hub, the door where tables join, and pages."""

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
from webui.server.serving import EVERYWHERE, serve

RUNNING = "running.json"  # what a second program needs to know of a club that runs here
TRIES, ALL_TRIES = 20, 5000
"""Codes that may be tried in a minute, by a network and by all together: 31 to the power of 8 are possible."""
REACHED = 30.0  # seconds that the first connection to a database may take
FORGOTTEN = "forgotten.json"
"""The file beside the database, in which marks of forgotten names stay when an older backup comes back."""
KINDS: dict[str, type[OwnBroker]] = {"mosquitto": Mosquitto, "nats": Nats}


class ClubWish(Struct, frozen=True):
    """What was asked for."""

    folder: Path
    name: str = "Club"
    port: int = 8080
    broker_port: int = 8883
    joining_port: int = 8884
    own_broker: str = "mosquitto"
    broker: str = ""
    """The address of a broker that runs already: mqtt://USER:PASSWORD@HOST:PORT, or mqtts; none: an own one."""
    database: str = ""  # the address of a database that is there already; none: an own one
    https: bool = False
    host: str = EVERYWHERE


class RunningClub(Struct, frozen=True):
    """How a second program reaches a club that runs here."""

    database: str
    name: str
    joining_port: int


def code_tries() -> Callable[[str], bool]:
    """Count tries at codes by the network of the address that they come from: one silences no other."""
    limit = AttemptLimit(each=TRIES, most=ALL_TRIES)
    return lambda address: limit.may_try(network_of(address))


class ClubRun:
    """A club that runs, until it is closed."""

    def __init__(self, wish: ClubWish, at_trouble: Callable[[str, str], None]) -> None:
        """Start all of it; `at_trouble` is told which part is away later, and why; no reason: it is back."""
        self.wish, self._ends = wish, ExitStack()
        try:
            self._start(at_trouble)
        except BaseException:
            self._ends.close()
            raise

    def _start(self, at_trouble: Callable[[str, str], None]) -> None:
        folder = self.wish.folder
        _look_for_programs(self.wish)
        _look_for_ports(self.wish)
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
        # its owner alone reads it
        write_private(folder / RUNNING, encode(running))
        self._ends.callback((folder / RUNNING).unlink, missing_ok=True)

    def close(self) -> None:
        self._ends.close()

    def health(self) -> ClubHealth:
        silent, took = self.watch.health()
        return ClubHealth(took, silent, self.hub.is_connected())

    def join_here(self, title: str) -> Membership:
        """Add a table of this very machine, without a code."""
        with self.pool.connection() as db:
            table = add_table(db, title)
        return self._membership(table, key_of(self.secret, table.name), "127.0.0.1")

    def _membership(self, table: TableRow, key: str, host: str) -> Membership:
        """Say how a table comes in that has reached us at an address, once the broker knows its key."""
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
        server = serve(app, self.wish.host, self.wish.port, context)
        self._ends.callback(server.server_close)
        self._ends.callback(server.shutdown)
        return reached


def _look_for_programs(wish: ClubWish) -> None:
    """Name all packages that are missing at once, with the line that installs them."""
    needed = (
        ("postgresql", bool(wish.database) or find_postgres()),
        ("mosquitto", bool(wish.broker) or wish.own_broker != "mosquitto" or find_mosquitto()),
    )
    missing = [name for name, is_there in needed if not is_there]
    if missing:
        raise ClubError("no packages", packages=" ".join(missing))


def _look_for_ports(wish: ClubWish) -> None:
    """Name a port that another program has before anything is started, such as a club that runs already."""
    # a broker whose hub was killed may take a moment to go: it is waited for
    for port in (wish.port, wish.joining_port):
        with socket() as probe:
            probe.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError as error:
                raise ClubError("port taken", port=port, why=error.strerror or "") from error


def broker_at(said: str, tls: ClubCertificate) -> BrokerPlace:
    """Read the address of a broker that runs already; by mqtts, the club's authority has certified it."""
    parts = urlsplit(said)
    try:
        port = parts.port or (8883 if parts.scheme == "mqtts" else 1883)
    except ValueError as error:
        raise ClubError("bad broker", said=said) from error
    if parts.scheme not in {"mqtt", "mqtts"} or not parts.hostname:
        raise ClubError("bad broker", said=said)
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
    """Create the app of the club's pages; forget again first whom an older backup has brought back."""

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
