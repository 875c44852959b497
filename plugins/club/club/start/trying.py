"""Simulated tables in a club: they play matches of all games in sequence, each with its own journal."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

from firmware.integrations.club_link import ClubLink
from firmware.language import wall_clock as wall
from firmware.storage.club import Membership
from firmware.storage.journal import Journal, enter, open_journal
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from referee.contract import Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin

NAMES = (
    *("Ana", "Bo", "Chloé", "Dov", "Emi", "Finn", "Gül", "Hana"),
    *("Ivo", "Jun", "Kai", "Lou", "Mia", "Noé", "Oya"),
)
BETWEEN, AFTER = (0.4, 3.0), 4.0
"""Shortest and longest pause between two answers, and pause between two matches, in seconds."""


class SimulatedTable:
    """A table that plays by itself in a club."""

    def __init__(self, membership: Membership, folder: Path, seed: str, hurry: float = 1.0) -> None:
        """Start playing; a hurry below 1 is faster."""
        self.path, self._rng, self._hurry = folder / "journal.sqlite3", Random(seed), hurry  # noqa: S311 - a game
        self._is_over, self._ends = Event(), ExitStack()
        folder.mkdir(parents=True, exist_ok=True)
        self._journal = self._ends.enter_context(open_journal(self.path)).journal
        self.link = ClubLink(membership, self.path, self._journal.forget)
        self._thread = Thread(target=self._play, name=f"simulated {membership.table}", daemon=True)
        self._thread.start()

    def stop_playing(self) -> None:
        self._is_over.set()
        self._thread.join()

    def close(self) -> None:
        self.stop_playing()
        self.link.close()
        self._ends.close()

    def _play(self) -> None:
        for _number in count():
            match = any_new_match(self._rng)
            for _moment in play(self._journal, match, self._rng):
                self.link.look()
                if self._is_over.wait(self._rng.uniform(*BETWEEN) * self._hurry):
                    return
            if self._is_over.wait(AFTER * self._hurry):
                return


def any_new_match(rng: Random) -> Match:
    while True:
        game = rng.choice(list(GAMES.values()))
        house = rng.choice(list(game.rules.settings.values()))
        can = game.rules.seats(house)
        seats = rng.randrange(can.start, min(can.stop, 7))
        names = tuple(rng.sample(NAMES, seats))
        match = begin(Setup(game, house, names, begun=wall.exact_timestamp()))
        if isinstance(match, Match):
            return match


def play(journal: Journal, match: Match, rng: Random) -> Iterator[Match]:
    """Play a match to its end with dealt cards, and store each answer."""
    dealt, number = deal_match(match, rng), journal.begin(match)
    yield match
    while dealt.match.asks:
        after = enter(journal, number, dealt.match, answer_of(dealt, rng))
        if isinstance(after, Refusal):
            return
        dealt = DealtMatch(after, follow_rulings(dealt.truth, after, rng))
        yield after


def simulated_tables(
    number: int, join: Callable[[str], Membership], folder: Path, title: str, hurry: float = 1.0
) -> Iterator[SimulatedTable]:
    for each in range(1, number + 1):
        membership = join(title.format(number=each))
        yield SimulatedTable(membership, folder / f"table-{each}", f"{each}", hurry)
