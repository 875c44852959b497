"""A club of real processes that can be killed one by one, and a way to the broker that may swallow."""

import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

import msgspec
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

END = "end"
"""The file whose being there ends the play of simulated tables; their links go on."""


class Processes:
    """Database, broker and hub, each in a process of its own."""

    def __init__(self, folder: Path, kind: str = "mosquitto", *, durable: bool = True) -> None:
        """Start all of it."""
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.secret = club_secret(folder)
        self.postgres = Postgres(folder / "postgres", durable=durable).start()
        self.pool: Pool = open_pool(self.postgres.address)
        with self.pool.connection() as db:
            migrate(db)
        self.broker = (Nats if kind == "nats" else Mosquitto)(folder / "broker", free_port(), "127.0.0.1")
        self.keys: dict[str, str] = {}
        self.renew_keys()
        self.broker.start(self.keys)
        self.hub: subprocess.Popen[bytes] | None = None
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
            Membership(each.name, each.title, "Club", "127.0.0.1", port, self.keys[each.name])
            for each in tables
        ]

    def start_hub(self) -> None:
        """Start the hub."""
        place = BrokerPlace("127.0.0.1", self.broker.port, HUB_USER, key_of(self.secret, HUB_USER))
        self.hub = start_process("hub", self.postgres.address, msgspec.json.encode(place).decode())

    def kill_hub(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the hub."""
        if self.hub is not None:
            self.hub.send_signal(how)
            self.hub.wait()

    def close(self) -> None:
        """End all of it."""
        self.kill_hub()
        self.broker.close()
        self.pool.close()
        self.postgres.close()


def start_process(*said: str) -> subprocess.Popen[bytes]:
    """Start a part of the club in a process of its own; see `tests/trust/club.py`."""
    return subprocess.Popen([sys.executable, "-m", "tests.trust.club", *said], stdin=subprocess.DEVNULL)


def run_hub(database: str, place: str) -> None:
    """Be a hub until the end."""
    pool = open_pool(database)
    Hub(msgspec.json.decode(place, type=BrokerPlace), pool, LANGUAGE)
    signal.pause()


def run_table(membership: str, folder: Path, seed: str, hurry: float) -> None:
    """Be a table that plays until it is told to end, and delivers what it has played."""
    table = SimulatedTable(msgspec.json.decode(membership, type=Membership), folder, seed, hurry)
    while not (folder.parent / END).exists():
        sleep(0.2)
    table.stop_playing()
    signal.pause()


class Way:
    """The way from a table to the broker: open, or swallowing whatever is said."""

    def __init__(self, port: int) -> None:
        """Open."""
        self._far, self.swallows = port, False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, name="way", daemon=True).start()

    def close(self) -> None:
        """Let nobody through any more."""
        self._listening.close()

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
                is_broken = is_broken or self.swallows
                if is_broken and not self.swallows:
                    break
                if not is_broken:
                    go.sendall(said)
        for each in (come, go):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
