"""A table on simulated pins with served pages, and requests of listening phones."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec import Struct

from firmware.board.inputs.buttons import Buttons
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.storage.journal import open_journal
from firmware.storage.people.evening import Device, join_seat
from firmware.storage.people.links import draw_codes
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableClient
from firmware.twin.simulated_board import WatchedPin
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin
from referee.sentences import Listener
from tests.firmware.table.tables import SIX, journal_disk, open_bench
from tests.given import allowed
from tests.table_in_memory import table_in_memory
from tests.webui.room import serving
from webui.access.viewers import SEAT, cookie_name
from webui.server.app import create_app
from webui.server.events import event_id

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")


class ServedTable(Struct, frozen=True, eq=False):
    """A table with served pages, and its published moments."""

    client: TableClient
    port: int
    seats: tuple[str, ...]  # cookies of the seated phones
    told: list[tuple[str, float]]  # each moment's name and time


class StampedVoices(Voices):
    """Outputs that record each moment's time: phones are notified right after them."""

    def __init__(self, told: list[tuple[str, float]], factory: MockFactory) -> None:
        super().__init__(SIX, Sound(volume=0), factory)
        self._told = told

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        self._told.append((event_id(match), monotonic()))
        super().tell(match, listener, is_in_trouble=is_in_trouble)


@contextmanager
def serve_table(folder: Path) -> Iterator[ServedTable]:
    """Run a companion on simulated pins and serve its pages; without eyes, cards are tapped in."""
    factory, told = MockFactory(pin_class=WatchedPin), list[tuple[str, float]]()
    match = allowed(begin(Setup(COYOTE, COYOTE.rules.house(), NAMES)))
    with (
        open_journal(folder / "journal.sqlite3") as opened,
        open_bench(
            match,
            folder,
            number=None,
            disk=journal_disk(opened.journal),
            pins=lambda put: Buttons(SIX, put, factory),
            voices=StampedVoices(told, factory),
        ) as bench,
    ):
        client = bench.companion.client
        table = table_in_memory(folder, client)
        with serving(create_app(table)) as server:
            yield ServedTable(client, server.port, _seat_phones(table.links), told)
    factory.reset()


def _seat_phones(links_file: LinksFile) -> tuple[str, ...]:
    """Seat a phone at each seat; return their cookies."""
    tokens = tuple(f"phone-{seat}" for seat in range(len(NAMES)))
    for seat, (token, code) in enumerate(zip(tokens, draw_codes(len(NAMES)), strict=True)):
        links_file.change(partial(join_seat, seat=seat, device=Device(token), fresh=code))
    name = cookie_name(links_file.evening(), SEAT)
    return tuple(f"{name}={token}" for token in tokens)
