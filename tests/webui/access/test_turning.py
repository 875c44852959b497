"""If a reseated match begins during a request, no device gets another's seat.

It begins at the k-th read of the table, for each k: this plays every order of racing threads.
"""

from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.storage.people.evening import Evening
from referee.games.catalogue import GAMES
from referee.match import Entry, Match
from tests.firmware.playing import match_at
from tests.referee.tables import after_any
from tests.table_in_memory import ClientInMemory
from tests.webui.access.evenings import HEADING
from tests.webui.room import Browser, room_with, taps

ORDERS = (("Ana", "Bo", "Cleo"), ("Bo", "Cleo", "Ana"), ("Cleo", "Dora"), ("Dora", "Ana"))
GAME = GAMES["coup"]


class ChangingClient(ClientInMemory):
    """A client whose match changes at a read, and which records the answers to the current one."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self._after, self._looks, self._at_turn = match, 0, lambda: None
        self.answered: list[tuple[Match, Entry]] = []

    def turn(self, before: Match, after: Match, at: int, at_turn: Callable[[], None]) -> None:
        """Set the match before and after the n-th read; then other threads may read it, too."""
        self.match, self._after, self._looks, self._at_turn = before, after, at, at_turn
        self.answered.clear()

    def has_changed(self) -> bool:
        return self.match is self._after

    def moment(self) -> Match:
        """Return the current moment; the match may change after this read."""
        stood = self.match
        self._looks -= 1
        if self._looks == 0:
            self.match = self._after
            self._at_turn()
        return stood

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Any]":
        if begun in {None, self.match.setup.begun}:
            self.answered.append((self.match, entry))
        return super().submit(entry, begun)


class Table:
    """A table with three phones, whose match changes during their requests."""

    def __init__(self, folder: Path) -> None:
        self.matches = tuple(
            after_any(match_at(f"match {number}", *names, game=GAME), Random(1))
            for number, names in enumerate(ORDERS)
        )
        self.client = ChangingClient(self.matches[0])
        room = room_with(self.matches[0], folder, client=self.client)
        self.links = room.links_file
        self.phones = {name: room.browser().sit(seat) for seat, name in enumerate(ORDERS[0])}
        self._evening = self.evening()
        self.turns = 0

    def evening(self) -> Evening:
        return self.links.evening()

    def play(self, do: Callable[[str, Browser], None]) -> None:
        """Perform a request as each person, with a change at each read that it makes."""
        for name, phone in self.phones.items():
            for after in self.matches[1:]:
                for at in count(1):
                    self.links.renew(lambda _evening: self._evening)
                    self.client.turn(self.matches[0], after, at, self._seat_people)
                    do(name, phone)
                    if not self.client.has_changed():
                        break
                    self.turns += 1

    def _seat_people(self) -> None:
        """Seat people like the doorkeeper's own thread, unless another thread delays it."""
        if not self.links._lock.locked():
            self.evening()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def wrong_pages(table: Table) -> list[str]:
    wrong: list[str] = []

    def look(name: str, phone: Browser) -> None:
        wrong.extend(set(HEADING.findall(phone.get("/seat").text)) - {name})

    table.play(look)
    return wrong


def wrong_answers(table: Table, path: str) -> list[str]:
    forms = {name: taps(phone.get("/seat").text, Random(1), path) for name, phone in table.phones.items()}
    assert any(forms.values())
    wrong: list[str] = []

    def answer(name: str, phone: Browser) -> None:
        for tap in forms[name][:1]:
            phone.post(tap.path, **tap.fields)
        meant = ((match.setup.names, getattr(entry, "seat", None)) for match, entry in table.client.answered)
        wrong.extend(
            f"{name}: {seat} of {names}"
            for names, seat in meant
            if seat is not None and names[seat : seat + 1] != (name,)
        )

    table.play(answer)
    return wrong


def test_page_shows_only_its_own_seat(table: Table) -> None:
    assert wrong_pages(table) == []
    assert table.turns >= 3 * 3 * 2


@pytest.mark.parametrize("path", ["/seat/answer", "/seat/back"])
def test_rejects_answer_of_another_person(table: Table, path: str) -> None:
    assert wrong_answers(table, path) == []
    assert table.turns >= 3
