"""The page of a simulated table during honestly played matches, without eyes or bots."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

from msgspec import Struct

from firmware.services.looks import Looks
from firmware.table.cards import show_ask
from firmware.twin.simulated_table import SimulatedTable
from hardware.twin.dealer import DealtMatch, answer_of
from referee.contract import Choice, Game, Show
from referee.match import Match, Setup, begin, hear
from tests.browser.phone_states import NAMES
from tests.firmware.twin.twin_tables import NoBots, simulated, world_of
from tests.given import allowed
from tests.table_in_memory import ClientInMemory
from tests.webui.room import Room, room_with

VIEWER = 0
MANY = 0x7FFFFFFF  # more cards than are ever laid
FEW = 9  # most options of a short list
LONGEST = 400  # maximum answers of a match; later questions have occurred before


class DealtTable(Struct, frozen=True):
    """A simulated table at which everybody else lays their cards at once."""

    client: ClientInMemory
    twin: SimulatedTable
    room: Room

    @property
    def match(self) -> Match:
        return self.client.match

    def play(self, rng: Random) -> Iterator[Match]:
        """Play honestly at random; yields each moment, with the cards of the others on the table."""
        world, others = self.twin.world, frozenset(range(len(self.match.setup.names))) - {VIEWER}
        while True:
            match = self.match
            ask = show_ask(match)
            if ask is not None:
                world.lay_due(match, ask, others)
            yield match
            if not match.asks or match.number > LONGEST:
                return
            answer = answer_of(DealtMatch(match, world.truth(match)), rng)
            if ask is not None and answer.ask == ask.key:
                world.lay(match, ask)
            self.client.match = allowed(hear(match, answer))
            world.mark(self.match)
            world.tidy(self.match, MANY)


@contextmanager
def dealt_table(game: Game, seats: int, folder: Path) -> Iterator[DealtTable]:
    setup = Setup(game, game.rules.house(), NAMES[:seats], begun="2026-01-02T20:00:00+01:00")
    client = ClientInMemory(allowed(begin(setup)))
    with world_of(client.match, folder, begin=Event()) as world:
        twin = simulated(client, world, NoBots(*range(1, seats)))
        yield DealtTable(client, twin, room_with(client.match, folder, client=client, twin=twin, looks=Looks()))


def kind_of(match: Match) -> str:
    """Return what a moment asks of the viewer, with few or many answers; empty if it asks nothing."""
    asked = (ask for ask in match.asks if not ask.seats or VIEWER in ask.seats)
    return ", ".join(
        f"lay {ask.key}"
        if isinstance(ask, Show)
        else ask.key + " of many" * (isinstance(ask, Choice) and len(ask.options) > FEW)
        for ask in asked
    )
