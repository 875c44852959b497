"""A companion on simulated pins in this process, with the real eyes on the twin's camera, for benchmarks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from msgspec import Struct

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.hands import Hands
from firmware.board.voices.speech import Sound
from firmware.board.voices.voices import Voices
from firmware.cli.terminal import listener_of
from firmware.storage.database import connected_for_a_thread
from firmware.storage.eyes_settings import deck_folder
from firmware.storage.found_table import parting_of
from firmware.storage.journal import open_journal
from firmware.storage.table_zones import seat_zones
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.parts import Item, Parts, Stop
from firmware.table.protocols import JournalWriter
from firmware.table.watcher import Watcher
from firmware.table.writer import Writer
from firmware.twin.world import World
from hardware.board.board import Board, our_boards
from referee.contract import Refusal
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin
from vision.process.eyes import run_eyes
from vision.process.messages import EyesSettings, settings_after
from vision.process.supervision import SupervisedEyes

BOARD = "six"
APART = (844.0, 556.0)
"""Millimetres between the middles of the table's markers, across and down."""
LIMIT = 60.0
"""Seconds that the first frame may take."""
NOTICED = 3.0
"""Seconds after which the eyes are at rest without a camera."""

SILENT = Sound(volume=0)

Disk = Callable[[Writer, "SimpleQueue[Item]"], JournalWriter]
"""Puts something between the loop and its writer: a slow disk."""


class SimulatedCompanion(Struct, frozen=True, eq=False):
    """A companion on simulated pins, and what surrounds it."""

    board: Board
    factory: Any
    hands: Hands
    companion: Companion
    world: World
    eyes: list[SupervisedEyes]
    """Once they are open."""


def coyote_match(names: tuple[str, ...]) -> Match:
    """Begin a match of Coyote, by the rules as printed."""
    match = begin(Setup(COYOTE, House(), names))
    if isinstance(match, Refusal):
        raise RuntimeError(match)  # noqa: TRY004 - it can't be
    return match


def unplug_camera(sat: SimulatedCompanion) -> None:
    """Take the twin's camera away until the eyes are at rest: a Pi renders no table."""
    sat.world.fault = "unplugged"
    sleep(NOTICED)


def _write_at_once(writer: Writer, _queue: "SimpleQueue[Item]") -> JournalWriter:
    return writer


@contextmanager
def open_companion(
    match: Match, folder: Path, disk: Disk = _write_at_once, sound: Sound = SILENT
) -> Iterator[SimulatedCompanion]:
    """Let a companion run in a thread, with eyes on the twin's camera."""
    folder.mkdir()
    board, factory, queue = our_boards()[BOARD], MockFactory(pin_class=MockPWMPin), SimpleQueue[Item]()
    frames, eyes = folder / "camera.bmp", list[SupervisedEyes]()
    world = World(match, lambda parting: seat_zones(parting, *APART), frames)
    deck, hands = match.setup.game.table.deck(match.setup.house), Hands(board)
    zones = seat_zones(parting_of(match), *APART)
    settings = EyesSettings(
        f"live:{frames}",
        str(deck_folder(deck.name, folder)),
        deck.counts,
        zones=zones,
        evidence=str(folder / "evidence"),
    )

    def open_eyes() -> SupervisedEyes:
        world.shown.wait(LIMIT)
        eyes.append(SupervisedEyes(run_eyes, settings, remembered=settings_after))
        return eyes[0]

    with open_journal(folder / "journal.sqlite3", connected_for_a_thread) as opened:
        parts = Parts(
            queue,
            hands,
            Buttons(board, queue.put, factory),
            Voices(board, sound, factory),
            disk(Writer(opened.journal, queue.put), queue),
            Watcher(open_eyes, queue.put),
            Logbook(folder / "log.jsonl"),
            listener_of,
        )
        table = SimulatedCompanion(board, factory, hands, Companion(parts, match, None), world, eyes)
        thread = Thread(target=table.companion.run)
        thread.start()
        try:
            yield table
        finally:
            queue.put(Stop())
            thread.join()
            world.close()
    factory.reset()
