"""Bots for empty seats of the twin: they say anything that is legal, lay the cards, and put them away."""

from collections.abc import Callable
from random import Random
from threading import Event, Thread

from msgspec.structs import replace

from firmware.companion.cards import shown
from firmware.companion.door import Door
from firmware.companion.world import World
from hardware.twin.player import any_answer
from referee.contract import Answer, Ask, Show
from referee.match import Match

PAUSE = 0.8
"""Seconds that a bot takes to think."""
LOOK = 0.2


def answer_of(match: Match, bots: frozenset[int], rng: Random) -> Answer | None:
    """Answer for a bot that is asked, or for the whole table if nobody else sits there."""
    everybody = len(bots) == len(match.setup.names)
    asks = tuple(mine for ask in match.asks if (mine := _asked(ask, bots, is_table=everybody)) is not None)
    return any_answer(asks, match.number, rng) if asks else None


def _asked(ask: Ask, bots: frozenset[int], *, is_table: bool) -> Ask | None:
    if isinstance(ask, Show):
        return None
    if not ask.seats:
        return ask if is_table else None
    seats = tuple(seat for seat in ask.seats if seat in bots)
    return replace(ask, seats=seats) if seats else None


class Bots:
    """Bots at their seats, in a thread of their own."""

    def __init__(self, seats: frozenset[int], door: Door, world: World, rng: Random) -> None:
        """Sit down."""
        self._seats, self._door, self._world, self._rng = seats, door, world, rng
        self._listening = door.subscribe()
        self._over = Event()
        self._thread = Thread(target=self._play, name="bots", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leave."""
        self._over.set()
        self._thread.join()
        self._listening.close()

    def _play(self) -> None:
        while not self._over.is_set():
            news = self._listening.next(LOOK)
            if isinstance(news, Match):
                self._act(news, self._over.wait)

    def _act(self, match: Match, wait: Callable[[float], object]) -> None:
        """Do what a moment asks of the bots, and of whoever lays the cards."""
        wait(PAUSE)
        if match is not self._door.moment():
            return
        ask = shown(match)
        if ask is not None:
            self._world.lay(match, ask)
            return
        self._world.sweep()
        answer = answer_of(match, self._seats, self._rng)
        if answer is not None:
            self._door.submit(answer)
