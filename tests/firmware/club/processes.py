"""A club of real processes that can be killed one by one, and a way to the broker that may swallow."""

import multiprocessing
import os
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import sleep

from msgspec.structs import replace

from firmware.club.brokers import Mosquitto, Nats
from firmware.club.credentials import HUB_USER, club_secret, key_of, users
from firmware.club.database import Pool, migrate, open_pool
from firmware.club.hub import BrokerPlace, Hub
from firmware.club.members import add_table
from firmware.club.postgres import Postgres
from firmware.club.programs import free_port
from firmware.language.speaking import LANGUAGE
from firmware.start.club.trying import SimulatedTable
from firmware.storage.club_membership import Membership
from tests.firmware.club.networks import House, enter_house

END = "end"
"""The file whose being there ends the play of simulated tables; their links go on."""


class Processes:
    """Database, broker and hub, each in a process of its own."""

    def __init__(
        self, folder: Path, kind: str = "mosquitto", *, host: str = "127.0.0.1", hub_house: House | None = None
    ) -> None:
        """Start all of it; the broker listens at an address, and the hub may live in a house of its own."""
        self.folder, self._ends = folder, ExitStack()
        self._hub_house, self._address = hub_house, host
        folder.mkdir(parents=True, exist_ok=True)
        self.secret = club_secret(folder)
        self.keys: dict[str, str] = {}
        self.hub: BaseProcess | None = None
        try:
            self._start(kind)
        except BaseException:
            self._ends.close()
            raise

    def _start(self, kind: str) -> None:
        self.postgres = Postgres(self.folder / "postgres")
        self._ends.callback(self.postgres.close)
        self.postgres.start()
        self.pool: Pool = open_pool(self.postgres.address)
        self._ends.callback(self.pool.close)
        with self.pool.connection() as db:
            migrate(db)
        self.broker = (Nats if kind == "nats" else Mosquitto)(
            self.folder / "broker", free_port(), self._address
        )
        self._ends.callback(self.broker.close)
        self.renew_keys()
        self.broker.start(self.keys)
        self._ends.callback(self.kill_hub)
        self.start_hub()

    def renew_keys(self) -> None:
        """Read again who may come in."""
        with self.pool.connection() as db:
            self.keys = users(db, self.secret)

    def join(self, *titles: str) -> list[Membership]:
        """Add tables, and let them in."""
        with self.pool.connection() as db:
            tables = [add_table(db, self.secret, title) for title in titles]
        self.renew_keys()
        self.broker.renew(self.keys)
        # the broker reads them in its own time
        sleep(1)
        port = self.broker.port
        return [
            Membership(each.name, each.title, "Club", self._address, port, self.keys[each.name])
            for each in tables
        ]

    def start_hub(self) -> None:
        """Start the hub."""
        place = BrokerPlace(self._address, self.broker.port, HUB_USER, key_of(self.secret, HUB_USER))
        door = "" if self._hub_house is None else self._hub_house.door
        self.hub = start_process(run_hub, self.postgres.address, place, door)

    def kill_hub(self) -> None:
        """Kill the hub."""
        if self.hub is not None:
            kill_process(self.hub)

    def close(self) -> None:
        """End all of it."""
        self._ends.close()


def start_process(work: Callable[..., None], *said: object) -> BaseProcess:
    """Start a part of the club in a process of its own, which finds all modules loaded."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=work, args=said, daemon=True)
    process.start()
    return process


def kill_process(process: BaseProcess) -> None:
    """Kill a process."""
    process.kill()
    process.join()


def send_process(process: BaseProcess | None, what: signal.Signals) -> None:
    """Send a process a signal."""
    if process is not None and process.pid is not None:
        os.kill(process.pid, what)


def run_hub(database: str, place: BrokerPlace, door: str = "") -> None:
    """Be a hub until the end, in a house or here."""
    if door:
        enter_house(door)
    Hub(place, open_pool(database), LANGUAGE)
    signal.pause()


def run_table(membership: Membership, folder: Path, seed: str, hurry: float, door: str = "") -> None:
    """Be a table that plays until it is told to end, and delivers what it has played."""
    if door:
        enter_house(door)
    table = SimulatedTable(membership, folder, seed, hurry)
    while not (folder.parent / END).exists():
        sleep(0.2)
    table.stop_playing()
    signal.pause()


class Way:
    """The way from a table to the broker: open, or swallowing whatever is said."""

    kinds = ("swallow",)

    def __init__(self, port: int) -> None:
        """Open."""
        self._far, self._swallows = port, False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, name="way", daemon=True).start()

    def close(self) -> None:
        """Let nobody through any more."""
        self._listening.close()

    def break_way(self, _kind: str) -> None:
        """Swallow."""
        self._swallows = True

    def mend_way(self) -> None:
        """Let new connections through; those that were swallowed break."""
        self._swallows = False

    def leading(self, membership: Membership) -> Membership:
        """Let a table come this way."""
        return replace(membership, port=self.port)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._listening.accept()
                Thread(target=self._open, args=(near,), daemon=True).start()

    def _open(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(("127.0.0.1", self._far), 5)
            far.settimeout(None)
        except OSError:
            near.close()
            return
        Thread(target=self._carry, args=(far, near), daemon=True).start()
        self._carry(near, far)

    def _carry(self, come: socket.socket, go: socket.socket) -> None:
        """Carry bytes one way; what comes while the way swallows is gone, and the connection breaks then."""
        is_broken = False
        with suppress(OSError):
            while said := come.recv(65536):
                is_broken = is_broken or self._swallows
                if is_broken and not self._swallows:
                    break
                if not is_broken:
                    go.sendall(said)
        for each in (come, go):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
