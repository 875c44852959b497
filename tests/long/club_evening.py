"""A Swiss evening of a whole club: `python -m tests.long.club_evening --seed N`.

The hub runs as `./run club` runs it, with its own PostgreSQL and Mosquitto. Eight tables run as `./run` runs
them, each a twin at which bots play; the director and the hosts are phones that open pages and send forms. Each
table comes to the broker by a way that breaks at random. Two tables are away from the middle of round 2 until
the others have played round 3; one table is killed and started again, and so are broker and database. At last
the database must equal the tables' journals, and the standings what is worked out from these alone.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fractions import Fraction
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from club.database import open_pool
from club.start.running import RUNNING, RunningClub, invite
from firmware.outside.club_joining import join
from firmware.start.games import hand_in_games
from firmware.storage.club import MEMBERSHIP
from firmware.storage.errors import JournalError
from firmware.storage.people.links_file import read_links
from referee.match import Match
from referee.record import read_record
from tests.club.clubs import club_bodies, journal_lines
from tests.club.databases import passable_folder, values
from tests.club.processes import Way
from tests.firmware.start.browsing import Phone
from tests.firmware.start.whole_table import WholeTable, World, free_port
from tests.given import present
from tests.record.forms import form_fields
from tests.trust.telling import say
from tests.waiting import came, until
from vision.files import read_json

POINTS, BYE = (6, 4, 2), 3


class Played(Struct, frozen=True):
    """A match that is over: who played, and the place of each."""

    names: tuple[str, ...]
    places: tuple[int, ...]


class Stands(Struct, frozen=True):
    """How a person stands; who has more of the first that differs stands higher."""

    points: Fraction
    won: int
    met: Fraction


def played_at(journal: Iterable[list[str]], people: frozenset[str]) -> Iterator[Played]:
    """Give the finished matches of a journal that these people have played, the first of the same people."""
    seen = set[frozenset[str]]()
    for lines in journal:
        match = read_record(lines).match
        if match is None or match.outcome is None or not people.issuperset(match.setup.names):
            continue
        if (who := frozenset(match.setup.names)) not in seen:
            seen.add(who)
            yield Played(match.setup.names, _places(match))


def _places(match: Match) -> tuple[int, ...]:
    found = {each.seat: each.place for each in match.setup.game.rules.standings(match.state)}
    return tuple(1 + sum(other < found[seat] for other in found.values()) for seat in sorted(found))


def stand(people: Iterable[str], played: Sequence[Played], rounds: int) -> dict[str, Stands]:
    """Add up points: who shares places shares their points, and who sat a round out has some for that."""
    count, won, points = Counter[str](), Counter[str](), defaultdict[str, Fraction](Fraction)
    for match in played:
        for name, place in zip(match.names, match.places, strict=True):
            count[name] += 1
            won[name] += place == 1
            points[name] += _points_of(place, match.places.count(place))
    total = {name: points[name] + BYE * (rounds - count[name]) for name in people}
    return {name: Stands(total[name], won[name], _met(name, played, total)) for name in total}


def _points_of(place: int, sharing: int) -> Fraction:
    return Fraction(sum(POINTS[place - 1 : place - 1 + sharing]), sharing)


def _met(name: str, played: Sequence[Played], total: dict[str, Fraction]) -> Fraction:
    others = (other for match in played if name in match.names for other in match.names if other != name)
    return sum((total[other] for other in others), Fraction(0))


def place_of(name: str, stands: dict[str, Stands]) -> int:
    """Count who stands higher."""
    own = stands[name]
    return 1 + sum(
        (each.points, each.won, each.met) > (own.points, own.won, own.met) for each in stands.values()
    )


ROUNDS, BACK = 4, 3
NEW = {"title": "Evening", "movement": "swiss", "rounds": str(ROUNDS), "size": "3"}
BROKEN, BETWEEN = (0.5, 8.0), (1.0, 5.0)
"""Seconds for which a way is broken, and between two of them."""
LIMIT, LOOK = 3600.0, 0.5
DONE = 303
HUB = """
import sys
from pathlib import Path
from club.start import command
from club.start.running import ClubWish
from firmware.start.games import hand_in_games
hand_in_games()
folder, *ports = sys.argv[1:]
command._run(ClubWish(Path(folder), "Club", *map(int, ports), host="127.0.0.1"), 0)
"""


def people_at(tables: int) -> tuple[str, ...]:
    """Name three for each table, and one more: one table seats four."""
    return tuple(f"Player {chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(3 * tables + 1))


class Hub:
    """The hub's process, and the director's phone."""

    def __init__(self, folder: Path) -> None:
        """Start it, and come in as the director."""
        self.folder, ports = folder / "club", [free_port() for _each in range(3)]
        self.port, self.log = ports[0], folder / "hub"
        self._phone = Phone()
        with self.log.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-c", HUB, str(self.folder), *map(str, ports)], stdout=said, stderr=said
            )
        until(lambda: "PIN" in self.said() or self.process.poll() is not None)
        pin = present(re.search(r"PIN\D*(\d+)", self.said()))
        self.database = read_json(self.folder / RUNNING, RunningClub).database
        self.send("/director/enter", "/director", pin=pin[1])

    def said(self) -> str:
        """Give all that it has said."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def send(self, action: str, page: str, **said: str) -> None:
        """Send a form of a page as the director, once the page comes: the database may be away."""
        until(lambda: self._phone.ask(self.port, page)[0] == 200)
        preset = form_fields(self._phone.get(self.port, page), action)
        code = self._phone.post(self.port, action, {**preset, **said})
        assert code == DONE, f"{action}: {code}"

    def tournament(self) -> dict[str, Any]:
        """Give what the hub says of the tournament; nothing while it can't."""
        with suppress(OSError, HTTPException):
            code, text = self._phone.ask(self.port, "/tournament.json")
            return dict(json.loads(text)) if code == 200 else {}
        return {}

    def kill(self, program: str) -> None:
        """Kill a program that the hub has started."""
        [found] = [pid for pid in _children(self.process.pid) if _name(pid) == program]
        os.kill(found, signal.SIGKILL)

    def close(self) -> None:
        """End it as people do."""
        self.process.terminate()
        self.process.wait()


def _children(parent: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdecimal() and int(_stat(entry).rpartition(")")[2].split()[1]) == parent:
                yield int(entry.name)


def _name(pid: int) -> str:
    return _stat(Path(f"/proc/{pid}")).partition("(")[2].rpartition(")")[0]


def _stat(entry: Path) -> str:
    return (entry / "stat").read_text(encoding="utf-8", errors="replace")


class Table:
    """A table of the club: its process, its way to the broker, its host's phone."""

    def __init__(self, hub: Hub, folder: Path, number: int, game: str) -> None:
        """Join by the link that the hub gives, and start."""
        mine = join(invite(hub.folder, f"Table {number}"), "")
        self.way = Way(mine.port)
        self.name, self._game, self._folder, self._port = mine.table, game, folder / mine.table, free_port()
        self._folder.mkdir()
        (self._folder / "state").mkdir()
        MEMBERSHIP.keep(self._folder / "state", replace(self.way.leading(mine), host="127.0.0.1"))
        self._host, self.is_away = Phone(), False
        self.start()

    def start(self) -> None:
        """Start it, with all that it keeps."""
        world = World(options=("--twin", "--bots", "20"))
        self.process = WholeTable(self._folder, self._port, self._game, with_supervisor=True, world=world)

    def enter(self) -> None:
        """Let the host's phone in."""
        self.process.page()
        evening = present(read_links(self._folder / "state" / "links.json"))
        preset = form_fields(self._host.get(self._port, "/host/enter"), "/host/enter")
        assert self._host.post(self._port, "/host/enter", {**preset, "pin": evening.pin}) == DONE

    def kill(self) -> None:
        self.process.destroy()

    def close(self) -> None:
        self.process.destroy()
        self.way.close()

    def journal(self) -> dict[int, list[str]]:
        """Give its lines; none while there is no journal."""
        with suppress(JournalError):
            return journal_lines(self._folder / "state" / "journal.sqlite3")
        return {}

    def has_begun(self, names: list[str]) -> bool:
        """Tell whether these people's match stands in its journal."""
        return any(json.loads(lines[0])["names"] == names for lines in self.journal().values() if lines)

    def look_after(self, names: list[str]) -> None:
        """Seat these people once the club asks for them, and have the bots play without a pause."""
        with suppress(OSError, HTTPException):
            if not self.has_begun(names):
                code, page = self._host.ask(self._port, "/host/new")
                preset = form_fields(page, "/host/new") if code == 200 else {}
                offered = [preset[field] for field in sorted(preset) if field.startswith("seat-")]
                if [name for name in offered if name] == names:
                    self._host.post(self._port, "/host/new", {**preset, "me": "", "bots": "on"})
            self._host.post(self._port, "/twin/hurry", {"quiet": "1"})


class Network:
    """Breaks the tables' ways at random, but those of tables that are away as it is."""

    def __init__(self, tables: list[Table], seed: int) -> None:
        self._tables, self._rng, self._over, self.broken = tables, Random(f"network {seed}"), Event(), 0
        self._thread = Thread(target=self._break, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _break(self) -> None:
        while not self._over.wait(self._rng.uniform(*BETWEEN)):
            table = self._rng.choice(self._tables)
            if not table.is_away:
                table.way.break_way(self._rng.choice(table.way.kinds))
                self.broken += 1
                self._over.wait(self._rng.uniform(*BROKEN))
                if not table.is_away:
                    table.way.mend_way()


class Evening:
    """The rounds, and what goes wrong in them."""

    def __init__(self, hub: Hub, tables: list[Table], rng: Random, game: str) -> None:
        self._hub, self._tables, self._rng = hub, tables, rng
        self._killed, *self._leaving = rng.sample(tables, 3)
        self._left, self.away = 0.0, 0.0
        hub.send("/director/new", "/director/new", **NEW, **{f"game-{table.name}": game for table in tables})
        hub.send("/director/people/add", "/director/people", names="\n".join(people_at(len(tables))))

    def play(self) -> None:
        for number in range(1, ROUNDS + 1):
            began = monotonic()
            self._play_round(number)
            say(f"  round {number}: {monotonic() - began:.0f} s")

    def _play_round(self, number: int) -> None:
        """Draw and send a round; when all have begun, do harm, and wait for the results."""
        self._hub.send("/director/round/draw", "/director/round")
        self._hub.send("/director/round/send", "/director/round")
        seats = self._seats(number)
        self._await(seats, lambda table: table.has_begun(seats[table.name]), "began")
        for harm in self._harms(number):
            Event().wait(self._rng.uniform(1, 5))
            harm()
        self._await(seats, lambda table: self._is_known(number, table), "had a result")
        if number == BACK:
            self._let_back()
            self._await(seats, lambda table: all(self._is_known(each, table) for each in (2, 3)), "came back")

    def _harms(self, number: int) -> tuple[Callable[[], object], ...]:
        kill_broker, kill_database = partial(self._hub.kill, "mosquitto"), partial(self._hub.kill, "postgres")
        harms: dict[int, tuple[Callable[[], object], ...]] = {
            1: (kill_broker, self._kill_table),
            2: (self._cut_off, kill_database),
            4: (kill_database, kill_broker),
        }
        return harms.get(number, ())

    def _seats(self, number: int) -> dict[str, list[str]]:
        until(self._hub.tournament)
        tables = self._hub.tournament()["rounds"][number - 1]["tables"]
        return {each["table"]: [who["name"] for who in each["people"]] for each in tables}

    def _await(self, seats: dict[str, list[str]], is_so: Callable[[Table], bool], what: str) -> None:
        """Look after all tables until something is so of each that is here."""

        def are_so() -> bool:
            for table in self._tables:
                table.look_after(seats[table.name])
            return all(is_so(table) for table in self._tables if not table.is_away)

        if not came(are_so, seconds=LIMIT, look=LOOK):
            here = [table for table in self._tables if not table.is_away]
            raise TimeoutError(f"never {what}: {[each.name for each in here if not is_so(each)]}")

    def _is_known(self, number: int, table: Table) -> bool:
        rounds = self._hub.tournament().get("rounds", [])[number - 1 : number]
        return any(each["table"] == table.name and each["places"] for the in rounds for each in the["tables"])

    def _kill_table(self) -> None:
        self._killed.kill()
        self._killed.start()

    def _cut_off(self) -> None:
        self._left = monotonic()
        for table in self._leaving:
            table.is_away = True
            table.way.break_way("cut")

    def _let_back(self) -> None:
        self.away = monotonic() - self._left
        for table in self._leaving:
            table.is_away = False
            table.way.mend_way()


class Compared(Struct, frozen=True):
    """What the database has of the lines of all journals."""

    lines: int
    lost: int
    doubled: int
    doubted: int


def compare(database: str, tables: list[Table]) -> Compared:
    """Wait until all lines are there, and hold them against the journals."""
    with open_pool(database) as pool:
        here = {table.name: table.journal() for table in tables}
        came(
            lambda: all(club_bodies(pool, name) == own for name, own in here.items()), seconds=LIMIT, look=LOOK
        )
        there = {name: club_bodies(pool, name) for name in here}
        [every] = values(pool, "SELECT count(*) FROM lines")
        [doubted] = values(pool, "SELECT count(*) FROM quarantine")
    written = [
        line in there[name].get(match, [])
        for name, own in here.items()
        for match, lines in own.items()
        for line in lines
    ]
    return Compared(len(written), written.count(False), every - sum(written), doubted)


def wrong_standings(told: dict[str, Any], tables: list[Table]) -> list[str]:
    """List the people whose standing at the club differs from that by the journals."""
    people = frozenset(people_at(len(tables)))
    played = [match for table in tables for match in played_at(table.journal().values(), people)]
    stands = stand(people, played, ROUNDS)
    assert len(played) == len(tables) * ROUNDS, len(played)
    own = {
        name: (place_of(name, stands), float(each.points), each.won, float(each.met))
        for name, each in stands.items()
    }
    club = {
        each["name"]: (each["place"], each["points"], each["won"], each["met"]) for each in told["standings"]
    }
    return sorted(name for name in own.keys() | club.keys() if own.get(name) != club.get(name))


@contextmanager
def opened(seed: int, game: str, count: int) -> Iterator[tuple[Hub, list[Table], Network]]:
    """Open the club with its tables, and leave nothing of it."""
    with passable_folder() as folder, ExitStack() as ends:
        hub = Hub(folder)
        ends.callback(hub.close)
        tables = list[Table]()
        for number in range(1, count + 1):
            tables.append(Table(hub, folder, number, game))
            ends.callback(tables[-1].close)
        for table in tables:
            table.enter()
        network = Network(tables, seed)
        ends.callback(network.close)
        yield hub, tables, network


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--tables", type=int, default=8)
    asked.add_argument("--game", default="coyote")
    wish = asked.parse_args()
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("ended from outside"))
    hand_in_games()
    began = monotonic()
    with opened(wish.seed, wish.game, wish.tables) as (hub, tables, network):
        say(f"{wish.tables} twins are at the club after {monotonic() - began:.0f} s")
        evening = Evening(hub, tables, Random(wish.seed), wish.game)
        evening.play()
        network.close()
        found, wrong = compare(hub.database, tables), wrong_standings(hub.tournament(), tables)
    say(f"club evening: seed {wish.seed}, {wish.tables} tables, {ROUNDS} rounds, {monotonic() - began:.0f} s")
    say(
        f"  2 tables away for {evening.away:.0f} s, 1 killed, broker and database killed twice each,"
        f" {network.broken} ways broken"
    )
    say(f"  {found.lines} lines: {found.lost} lost, {found.doubled} doubled, {found.doubted} in quarantine")
    count = len(people_at(wish.tables))
    say(f"  standings of {count} people as worked out from the journals: {wrong or 'the same'}")
    return int(any((found.lost, found.doubled, found.doubted, wrong)))


if __name__ == "__main__":
    sys.exit(main())
