"""Random evenings at a changing table, compared with an independent model of access rights.

People join by codes, sit down at the simulated table, leave seats, and ask to come back. The host admits them,
removes one or all, and starts matches with other players and orders. Hours pass, and the table restarts. After
each step every device is checked: it may have the seat of its own name, or none.
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from flask import Flask
from msgspec import Struct

from firmware.services.table import Table
from firmware.storage.people.evening import DAY, ask_back, person_device, put_everybody_out, put_out, seat_of
from firmware.storage.people.links import device_id
from firmware.storage.people.links_file import LinksFile
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.firmware.playing import match_at
from tests.referee.tables import after_any
from tests.table_in_memory import ClientInMemory
from tests.webui.room import Tap, room_table, taps, unlimited_attempts
from webui.access import joining
from webui.access.viewers import SEAT, VISITOR, cookie_name, evening_of
from webui.server.app import create_app
from webui.server.drawn_pages import match_id

NAMES = ("Ana", "Bo", "Cleo", "Dora", "Eve", "Finn", "Gus")
DEVICES, STEPS, EVERY = 6, 40, 5
GAME = GAMES["coup"]
HEADING = re.compile(r">You are (\w+)\.<")


class EveningReport(Struct):
    """The number of played steps, and the faults."""

    evenings: int = 0
    steps: int = 0
    looks: int = 0
    answers: int = 0
    wrong: list[str] = []


class ExpectedRight(Struct):
    """A device's expected rights: the name that it answers for, and since when."""

    name: str = ""
    since: float = 0.0


class EveningPlay:
    """One evening: the table, the devices with their cookies, and their expected rights."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self._app: Flask | None = None
        self._rng, self._file, self._time, self._begun = rng, folder / "links.json", 0.0, 0
        self._file.unlink(missing_ok=True)
        self.cookies = [""] * DEVICES
        self.beliefs = [ExpectedRight() for _device in range(DEVICES)]
        self.client = ClientInMemory(self._new_match(NAMES[:3]))
        self.services = self._start()

    def step(self) -> str:
        """Perform a random action; return its name."""
        act = self._rng.choice(ACTS)
        getattr(self, act)()
        return act

    def join(self) -> None:
        device, seat = self._rng.randrange(DEVICES), self._rng.randrange(len(self.names))
        code = evening_of(self.services).codes[seat]
        self._let_in(device, joining.join_by_code(self.services, self._asked(device), code), self.names[seat])

    def join_with_used_code(self) -> None:
        code = evening_of(self.services).codes[0]
        first, second = self._rng.sample(range(DEVICES), 2)
        self._let_in(first, joining.join_by_code(self.services, self._asked(first), code), self.names[0])
        self._let_in(second, joining.join_by_code(self.services, self._asked(second), code), "")

    def sit_at_twin(self) -> None:
        device, seat = self._rng.randrange(DEVICES), self._rng.randrange(len(self.names))
        is_free = all(belief.name != self.names[seat] for belief in self.beliefs)
        token = joining.join_free_seat(self.services, self._asked(device), seat)
        self._let_in(device, token, self.names[seat] if is_free else "")

    def give_up(self) -> None:
        device = self._rng.randrange(DEVICES)
        joining.give_up_seat(self.services, self.cookies[device])
        self._lose(lambda belief: belief.name == self.beliefs[device].name)

    def ask_to_come_back(self) -> None:
        """Ask the host; the request alone grants no access."""
        token = self._rng.choice(self.cookies)
        self.services.links.change(lambda evening: ask_back(evening, token))

    def host_admits(self) -> None:
        """Admit a device, sometimes at a nonexistent seat, which changes nothing."""
        device, seat = self._rng.randrange(DEVICES), self._rng.randrange(len(self.names) + 1)
        is_known = person_device(evening_of(self.services), self.cookies[device]) is not None
        if joining.let_device_in(self.services, device_id(self.cookies[device]), seat) and is_known:
            self.beliefs[device] = ExpectedRight(self.names[seat], self._time)

    def host_removes(self) -> None:
        device = self._rng.randrange(DEVICES)
        which = device_id(self.cookies[device])

        def change(evening: Any) -> Any:
            found = joining.known_device(evening, which)
            return evening if found is None else put_out(evening, found.token)

        self.services.links.change(change)
        self.beliefs[device] = ExpectedRight()

    def host_draws_code(self) -> None:
        """Renew a seat's code as the host, which removes its current device."""
        seat = self._rng.randrange(len(self.names))
        joining.empty_seat(self.services, seat)
        self._lose(lambda belief: belief.name == self.names[seat])

    def remove_everybody(self) -> None:
        if self._rng.random() < 0.3:
            self.services.links.change(put_everybody_out)
            self._lose(lambda _belief: True)

    def begin_match(self) -> None:
        names = tuple(self._rng.sample(NAMES, self._rng.randrange(2, 6)))
        self._seat(names if self._rng.random() < 0.6 else tuple(self._rng.sample(self.names, len(self.names))))

    def restart(self) -> None:
        """Restart the table, sometimes after another match was started."""
        self.services = self._start()

    def wait(self) -> None:
        self._time += self._rng.choice((600.0, 3600.0, DAY / 4, DAY / 2))
        # a whole table's doorkeeper saves the time every few minutes
        self.services.links.keep_time()
        self._lose(lambda belief: self._time - belief.since >= DAY)

    @property
    def names(self) -> tuple[str, ...]:
        return self.client.match.setup.names

    def _new_match(self, names: tuple[str, ...]) -> Match:
        self._begun += 1
        # ask a player by name
        return after_any(match_at(f"match {self._begun}", *names, game=GAME), self._rng)

    def _seat(self, names: tuple[str, ...]) -> None:
        self.client.match = self._new_match(names)
        # a whole table's doorkeeper receives each match
        evening_of(self.services)
        self._lose(lambda belief: belief.name not in names)

    def _start(self) -> Table:
        clock = SimpleNamespace(base=self._time)
        links = LinksFile(self._file, self.client.moment, lambda: self._time - clock.base)
        services = room_table(self._file.parent, self.client, links=links)
        self._app = None
        return services

    def _asked(self, device: int) -> Any:
        name = cookie_name(evening_of(self.services), SEAT)
        return SimpleNamespace(cookies={name: self.cookies[device]}, headers={})

    def _let_in(self, device: int, token: str | None, name: str) -> None:
        if token is not None:
            self.cookies[device] = token
            self.beliefs[device] = ExpectedRight(name, self._time)

    def _lose(self, is_lost: Callable[[ExpectedRight], bool]) -> None:
        self.beliefs = [ExpectedRight() if is_lost(belief) else belief for belief in self.beliefs]

    @property
    def app(self) -> Flask:
        self._app = self._app or create_app(self.services, unlimited_attempts)
        return self._app

    def expected_seat(self, device: int) -> int | None:
        name = self.beliefs[device].name
        return self.names.index(name) if name in self.names else None


ACTS = (
    *("join", "join", "join", "join", "join_with_used_code", "sit_at_twin", "give_up", "ask_to_come_back"),
    *("host_admits", "host_admits", "host_removes", "host_draws_code", "remove_everybody"),
    *("begin_match", "begin_match", "begin_match", "restart", "wait"),
)


def play_evening(folder: Path, seed: str, report: EveningReport, *, with_pages: bool = False) -> None:
    """Play an evening; `with_pages` also reads each device's page and sends its answers."""
    play, done = EveningPlay(folder, Random(seed)), list[str]()
    for _step in range(STEPS):
        done.append(play.step())
        report.steps += 1
        evening = evening_of(play.services)
        for device in range(DEVICES):
            report.looks += 1
            seen, wanted = seat_of(evening, play.cookies[device]), play.expected_seat(device)
            if seen != wanted:
                report.wrong.append(f"{seed}: device {device} has {seen}, not {wanted}, after {done}")
                return
        if with_pages and not len(done) % EVERY:
            look_at_pages(play, report, f"{seed} after {done}")
    report.evenings += 1


def look_at_pages(play: EveningPlay, report: EveningReport, where: str) -> None:
    """Read each device's page; send everything its forms allow, or for a device without a seat, any form."""
    for device in range(DEVICES):
        phone, seat = play.app.test_client(), play.expected_seat(device)
        phone.set_cookie(cookie_name(evening_of(play.services), SEAT), play.cookies[device])
        phone.set_cookie(VISITOR, "v")
        page = phone.get("/seat").text
        found = HEADING.search(page)
        if (found[1] if found else None) != (None if seat is None else play.names[seat]):
            report.wrong.append(f"{where}: device {device} is shown {found and found[1]}, not seat {seat}")
        report.looks += 1
        stood = play.client.match
        for tap in taps(page, Random(where)) or _invalid_taps(page, stood):
            before = len(play.client.entries)
            phone.post(tap.path, data=tap.fields)
            for entry in play.client.entries[before:]:
                report.answers += 1
                if seat is None or getattr(entry, "seat", None) not in (None, seat):
                    report.wrong.append(f"{where}: device {device} answered {entry}")
            play.client.match = stood


def _invalid_taps(page: str, match: Match) -> list[Tap]:
    form = next(
        (tap for path in ("/seat/take", "/seat/hand-over") for tap in taps(page, Random(0), path)), None
    )
    known = {"match": match_id(match), "moment": str(match.number), "option": "{}"}
    if form is None:
        return []
    return [Tap("/seat/answer", {**form.fields, **known, "ask": ask.key}) for ask in match.asks]
