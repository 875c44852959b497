"""A club of real processes that can be killed, and network paths that can drop data."""

import multiprocessing
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from math import inf
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from msgspec.structs import replace

from club.credentials import HUB_USER, club_secret, key_of, users
from club.database import Pool, migrate, open_pool
from club.hub import BrokerPlace, Hub
from club.members import add_table
from club.postgres import Postgres
from club.start.trying import SimulatedTable
from firmware.language.speaking import LANGUAGE
from firmware.storage.club import Membership
from plugins.club.tests.clubs import BROKERS
from plugins.club.tests.speaking import can_connect
from tests.firmware.start.whole_table import free_port
from tests.waiting import came, until

END = "end"  # simulated tables stop playing once this file exists; their links stay open


class Processes:
    """Database, broker and hub in separate processes; the hub's network path may drop data."""

    def __init__(self, folder: Path, kind: str = "mosquitto", *, has_hub_way: bool = False) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.secret = club_secret(folder)
        self.keys: dict[str, str] = {}
        self.hub: BaseProcess | None = None
        with ExitStack() as ends:
            self.postgres = Postgres(folder / "postgres")
            ends.callback(self.postgres.close)
            self.postgres.start()
            self.pool: Pool = open_pool(self.postgres.address)
            ends.callback(self.pool.close)
            with self.pool.connection() as db:
                migrate(db)
            self.broker = BROKERS[kind](folder / "broker", free_port(), "127.0.0.1")
            ends.callback(self.broker.close)
            self.renew_keys()
            self.broker.start(self.keys)
            self.hub_way = NetworkPath(self.broker.port) if has_hub_way else None
            ends.callback(self.kill_hub)
            self.start_hub()
            self._ends = ends.pop_all()

    def renew_keys(self) -> None:
        with self.pool.connection() as db:
            self.keys = users(db, self.secret)

    def join(self, *titles: str) -> list[Membership]:
        with self.pool.connection() as db:
            tables = [add_table(db, title) for title in titles]
        self.renew_keys()
        self.broker.renew(self.keys)
        port = self.broker.port
        memberships = [
            Membership(each.name, each.title, "Club", "127.0.0.1", port, self.keys[each.name])
            for each in tables
        ]
        # the broker reloads its whole list after a delay
        until(lambda: can_connect(memberships[-1]))
        return memberships

    def start_hub(self) -> None:
        port = self.broker.port if self.hub_way is None else self.hub_way.port
        place = BrokerPlace("127.0.0.1", port, HUB_USER, key_of(self.secret, HUB_USER))
        self.hub = start_process(run_hub, self.postgres.address, place)

    def kill_hub(self) -> None:
        if self.hub is not None:
            kill_process(self.hub)

    def close(self) -> None:
        self._ends.close()


def start_process(work: Callable[..., None], *said: object) -> BaseProcess:
    """Fork a part of the club, so that all modules are already loaded."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=work, args=said, daemon=True)
    process.start()
    return process


def kill_process(process: BaseProcess) -> None:
    process.kill()
    process.join()


def run_hub(database: str, place: BrokerPlace) -> None:
    Hub(place, open_pool(database), LANGUAGE)
    signal.pause()


def run_table(membership: Membership, folder: Path, seed: str, hurry: float) -> None:
    """Play as a table until stopped, and deliver the played lines."""
    table = SimulatedTable(membership, folder, seed, hurry)
    came((folder.parent / END).exists, seconds=inf)
    table.stop_playing()
    signal.pause()


class NetworkPath:
    """A network path to the broker that can drop data in one or both directions."""

    kinds = ("cut", "deaf", "mute")
    """Directions in which data is dropped: both, from the broker, or to the broker."""

    def __init__(self, port: int) -> None:
        self._far, self._broken = port, ""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, name="way", daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def break_path(self, kind: str) -> None:
        self._broken = kind

    def repair_path(self) -> None:
        """Open the path to new connections; connections that lost data are closed."""
        self._broken = ""

    def leading(self, membership: Membership) -> Membership:
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
        Thread(target=self._carry, args=(far, near, {"cut", "deaf"}), daemon=True).start()
        self._carry(near, far, {"cut", "mute"})

    def _carry(self, come: socket.socket, go: socket.socket, swallowing: set[str]) -> None:
        """Forward bytes in one direction; if data is dropped meanwhile, the connection closes."""
        is_broken = False
        with suppress(OSError):
            while said := come.recv(65536):
                is_broken = is_broken or self._broken in swallowing
                if is_broken and self._broken not in swallowing:
                    break
                if not is_broken:
                    go.sendall(said)
        for each in (come, go):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
