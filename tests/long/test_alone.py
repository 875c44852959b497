"""Bots play one short match, also with a guest who causes and fixes faults."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table.cards import show_ask
from firmware.table.client import Stop
from firmware.table.notices import Notice
from hardware.twin.player import any_answer
from tests.firmware.playing import match_at
from tests.long.alone import POLL_INTERVAL, play, play_match
from tests.long.keen_eyes import KeenEyes
from tests.long.lone_table import LoneTable
from tests.tiers import release

GUEST = 0
SOON, ANYTIME = 20.0, 200.0
"""Simulated seconds within which play resumes after a fix, and within which the faults occur."""


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decks")


@release("a whole match in rendered pictures; one is played at each commit (`firmware/twin/test_twin.py`)")
def test_bots_alone_finish_matches(tmp_path: Path, decks: Path) -> None:
    played = play_match(match_at("2026-12-24", "Ana", "Bo"), 1, "plain", (tmp_path, decks))
    assert (played.end, played.hangs, played.host, played.fault) == ("over", (), (), "")
    assert played.moments > 4


@pytest.mark.parametrize("seed", [174, 186, 27, 28, 30])
def test_bots_alone_never_stall(tmp_path: Path, seed: int) -> None:
    # the games come in turn
    played = play(seed, tmp_path, tmp_path, KeenEyes)
    assert (played.end, played.hangs, played.host, played.fault) == ("over", (), (), "")
    assert played.mischief or played.moments < 50


class Guest:
    """A guest who plays among bots, and handles the table like people do."""

    def __init__(self, table: LoneTable) -> None:
        self._table, self._client, self._rng = table, table.client, Random(1)
        self._listening = table.client.subscribe()
        self.told = list[str]()
        self.has_gone_on = False

    def make_mischief(self) -> Iterator[float]:
        """Add an extra card to counted ones, rest an arm at the next count, and fix both."""
        world = self._table.world
        yield from self._play_to_count()
        yield from self._wait_for(self._is_next())
        world.add_strange(None)
        yield from self._play_to_count()
        world.has_hand = True
        yield from self._wait_for(lambda: "too many" in self.told)
        self.told.clear()
        world.set_right()
        end, is_next = self._table.time.seconds + SOON, self._is_next()
        yield from self._wait_for(lambda: is_next() or self._table.time.seconds > end)
        self.has_gone_on = is_next()
        self._table.queue.put(Stop())

    def _is_next(self) -> Callable[[], bool]:
        """Return a function that reports whether the current moment is over."""
        stood = self._client.moment()
        return lambda: self._client.moment() is not stood

    def _play_to_count(self) -> Iterator[float]:
        """Answer each ask of this seat until cards are asked for; then lay them."""
        while (ask := show_ask(self._client.moment())) is None:
            self._say()
            yield from self._wait_for(self._is_next())
        self._table.world.lay(self._client.moment(), ask)

    def _say(self) -> None:
        match = self._client.moment()
        mine = tuple(ask for ask in match.asks if GUEST in (ask.seats or (GUEST,)))
        if mine:
            answer = any_answer(mine, match.number, self._rng)
            self._client.submit(replace(answer, seat=None if answer.seat is None else GUEST))

    def _wait_for(self, has_come: Callable[[], object]) -> Iterator[float]:
        while not has_come():
            assert self._table.time.seconds < ANYTIME, self.told
            yield POLL_INTERVAL
            while (news := self._listening.next(0)) is not None:
                self.told += [news.key] if isinstance(news, Notice) else []


@release("two rounds in rendered pictures, read by the real eyes")
def test_extra_card_or_arm_leaves_no_ghost_sighting(tmp_path: Path, decks: Path) -> None:
    table = LoneTable(
        match_at("2026-12-24", "Guest", "Ana", "Bo", "Eve"), tmp_path, decks, 1, people=frozenset({GUEST})
    )
    guest = Guest(table)
    table.run(guest.make_mischief)
    assert (guest.told, guest.has_gone_on) == ([], True)
