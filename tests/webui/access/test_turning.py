"""Another match, seated otherwise, begins in the middle of a request: no device gets another's seat."""

from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest

from firmware.language.catalogues import language
from firmware.storage.scratch import scratch
from hardware.twin.player import any_answer
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, enter
from tests.webui.access.evenings import HEADING
from tests.webui.access.turning import TurningDoor
from tests.webui.listening import events_of
from tests.webui.room import ADDRESS, Browser, Room, hidden_fields, unlimited_attempts
from tests.webui.tapping import taps
from webui.access.evening import held_seats
from webui.access.links_file import LinksFile
from webui.access.viewers import SEAT, evening_of
from webui.doors.companion import Services
from webui.server.app import create_app

ORDERS = (("Ana", "Bo", "Cleo"), ("Bo", "Cleo", "Ana"), ("Cleo", "Dora"), ("Dora", "Ana"))
HAND_OVER = "/seat/hand-over"
GAME = GAMES["coup"]


def match_with(names: tuple[str, ...], begun: str) -> Match:
    """Begin a match in which a person is asked something."""
    match = begin(Setup(GAME, GAME.house(), names, begun=begun))
    assert isinstance(match, Match)
    after = enter(match, any_answer(match.asks, match.number, Random(1)))
    assert isinstance(after, Match)
    return after


class Table:
    """A table with three phones, whose match changes in the middle of what they do."""

    def __init__(self, folder: Path) -> None:
        """Let each person in at the first order."""
        self.matches = tuple(match_with(names, f"match {number}") for number, names in enumerate(ORDERS))
        self.door, self.links = TurningDoor(self.matches[0]), LinksFile(folder / "state" / "links.json")
        spoken = {"en": language("en")}
        self.services = Services(
            self.door, self.links, spoken, "en", lambda told, _listener: str(told), lambda: ADDRESS
        )
        self.room = Room(self.door, self.links, create_app(self.services, unlimited_attempts()))
        self.phones = {name: self.room.browser().sit(seat) for seat, name in enumerate(ORDERS[0])}
        self._evening = evening_of(self.services)
        self.turns = 0

    def play(self, do: Callable[[str, Browser], None]) -> None:
        """Do something as each person, with a turn at each look that it takes."""
        for name, phone in self.phones.items():
            for after in self.matches[1:]:
                for at in count(1):
                    self.links.renew(lambda _evening: self._evening)
                    self.door.turn(self.matches[0], after, at, self._seat_people)
                    do(name, phone)
                    if not self.door.has_turned():
                        break
                    self.turns += 1

    def _seat_people(self) -> None:
        """Seat people as the doorkeeper does in a thread of its own, unless another thread keeps it waiting."""
        if not self.links._lock.locked():
            evening_of(self.services)


@pytest.fixture
def table() -> Iterator[Table]:
    with scratch() as folder:
        yield Table(folder)


def shown_names(page: str) -> set[str]:
    return set(HEADING.findall(page))


def wrong_pages(table: Table) -> list[str]:
    """Look as each person; list the pages that show another's seat."""
    wrong: list[str] = []

    def look(name: str, phone: Browser) -> None:
        wrong.extend(shown_names(phone.get("/seat").text) - {name})

    table.play(look)
    return wrong


def wrong_answers(table: Table, path: str) -> list[str]:
    """Answer as each person, by a page of the match before; list what counts for another."""
    forms = {name: taps(phone.get("/seat").text, Random(1), path) for name, phone in table.phones.items()}
    assert any(forms.values())
    wrong: list[str] = []

    def answer(name: str, phone: Browser) -> None:
        for tap in forms[name][:1]:
            phone.post(tap.path, **tap.fields)
        meant = ((match.setup.names, getattr(entry, "seat", None)) for match, entry in table.door.answered)
        wrong.extend(
            f"{name}: {seat} of {names}"
            for names, seat in meant
            if seat is not None and names[seat : seat + 1] != (name,)
        )

    table.play(answer)
    return wrong


def test_a_page_shows_its_own_persons_seat_or_none(table: Table) -> None:
    assert wrong_pages(table) == []
    assert table.turns >= 3 * 3 * 2


def test_a_stream_tells_its_own_persons_seat_or_none(table: Table) -> None:
    def listen(name: str, phone: Browser) -> None:
        heard = events_of(phone.get("/events/seat").iter_encoded())
        told = [event.get("data", "") for event in islice(heard, 2)]
        assert shown_names("".join(told)) <= {name}
        table.door.listeners.clear()

    table.play(listen)
    assert table.turns >= 3 * 3 * 2


@pytest.mark.parametrize("path", ["/seat/answer", "/seat/back"])
def test_an_answer_is_its_own_persons_or_refused(table: Table, path: str) -> None:
    assert wrong_answers(table, path) == []
    assert table.turns >= 3


def test_who_gives_a_seat_up_gives_up_no_other(table: Table) -> None:
    form = {name: hidden_fields(phone.get("/seat").text, HAND_OVER) for name, phone in table.phones.items()}
    cookies = {name: phone.client.get_cookie(SEAT) for name, phone in table.phones.items()}

    def hand_over(name: str, phone: Browser) -> None:
        cookie = cookies[name]
        assert cookie is not None
        phone.client.set_cookie(SEAT, cookie.value)
        phone.post(HAND_OVER, **form[name])
        evening = evening_of(table.services)
        assert evening.match is not None
        names = evening.match.names
        held = {names[seat] for seat in held_seats(evening)}
        assert held >= {other for other in ORDERS[0] if other != name and other in names}

    table.play(hand_over)


def test_a_page_that_took_any_seat_for_its_own_would_be_found(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.server.drawn_pages.is_seated_in", lambda viewer, _match: viewer.seat is not None)
    assert wrong_pages(table)


def test_a_table_that_heard_answers_meant_for_another_match_would_be_found(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = table.door.submit
    monkeypatch.setattr(table.door, "submit", lambda entry, _begun=None: heard(entry))
    assert wrong_answers(table, "/seat/answer")
