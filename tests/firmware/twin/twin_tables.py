"""Simulated tables for the twin's client: without eyes, and with bots only on request."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.storage.found_table import seat_zones
from firmware.table.client import TableClient
from firmware.twin.bot_seats import Bots
from firmware.twin.simulated_board import BoardMonitor, Fingers, WatchedPin
from firmware.twin.simulated_camera import PLAIN
from firmware.twin.simulated_table import SimulatedTable
from firmware.twin.world import World
from hardware.twin.rendering.scene import SceneCamera
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear
from tests.given import allowed
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.referee.tables import NAMES
from tests.table_in_memory import ClientInMemory
from vision.table.framing import USUAL_APART


class QuickClient(TableClient):
    """A client without eyes whose answers come as fast as possible."""

    def __init__(self, match: Match) -> None:
        super().__init__(lambda _errand: None, match)
        self.said: list[object] = []

    def submit(self, entry: object, begun: str | None = None) -> Any:  # noqa: ARG002 - as the client's
        self.said.append(entry)

    def picture(self) -> "Future[Any]":
        future = Future[Any]()
        future.cancel()
        return future

    def hear(self, *answers: Answer) -> None:
        for answer in answers:
            self.tell(allowed(hear(self.moment(), answer)))


class SteppedBots(Bots):
    """Bots without a thread."""

    def _play(self) -> None:
        pass


class NoBots:
    """Bots for no seat that count their checks."""

    looks = 0

    def __init__(self, *seats: int) -> None:
        self.seats = frozenset(seats)

    def leave(self, seat: int) -> None: ...

    def is_showing(self, _match: Match) -> bool:
        return False

    def note_watching(self) -> None: ...

    def look_again(self) -> None:
        self.looks += 1


def begun_match(game: str, begun: str = "2026-12-24", players: int = 3) -> Match:
    plays = GAMES[game]
    return allowed(begin(Setup(plays, plays.rules.house(), NAMES[:players], begun=begun)))


@contextmanager
def world_of(
    match: Match, folder: Path, camera: SceneCamera = PLAIN, begin: Event | None = None
) -> Iterator[World]:
    file = folder / "camera.bmp"
    world = World(match, lambda seats: seat_zones(seats, *USUAL_APART), file, camera, begin=begin)
    try:
        yield world
    finally:
        world.close()


def simulated(client: ClientInMemory | QuickClient, world: World, bots: NoBots | Bots) -> SimulatedTable:
    board, factory = OWN_BOARDS["full"], MockFactory(pin_class=WatchedPin)
    return SimulatedTable(client, world, Fingers(board, factory), bots, BoardMonitor(board, factory))  # type: ignore[arg-type]


@contextmanager
def quick_table(
    match: Match, folder: Path, *seats: int
) -> Iterator[tuple[QuickClient, World, Bots, SimulatedTable]]:
    client = QuickClient(match)
    with world_of(match, folder) as world:
        bots = Bots(frozenset(seats), client, world, Random(1))  # type: ignore[arg-type]
        try:
            yield client, world, bots, simulated(client, world, bots)
        finally:
            bots.close()
