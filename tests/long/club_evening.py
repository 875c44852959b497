"""A club's evening: `python -m tests.long.club_evening`. Eight simulated tables with bots play three rounds.

Real parts throughout: each table is a companion on the twin, whose eyes read every card, with its journal and
its link; a Mosquitto with keys and TLS, a hub, a PostgreSQL, the director's forms. Two tables are cut off in
the middle of a match of round 2: their connections end and no new one comes through. They play on, round 3 is
drawn without their results, and they play that, too. Then they are let through again.

Printed are the standings. It fails if they aren't those that the tables' own journals give, if the hub's
database isn't what stands in the journals line by line, or if a result is missing. Twins need
a while; with `--together 0` matches are played by the rules alone, and all else is the same.
"""

import argparse
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Lock, Semaphore, Thread
from time import monotonic, sleep

from flask.testing import FlaskClient
from msgspec.structs import replace

from firmware.club import tournaments
from firmware.club.database import plain_rows
from firmware.club.news import NewsRoom
from firmware.club.postgres import Postgres
from firmware.club.tournament.results import PlayedMatch, results_of, seat_names
from firmware.club.tournament.standings import Standing, standings_of
from firmware.club.tournament.values import Seating, Tournament
from firmware.language.catalogues import language, languages
from firmware.outside.club_link import ClubLink
from firmware.start.club.club_pages import club_app
from firmware.start.club.inviting_door import Invitations
from firmware.start.games import hand_in_games
from firmware.storage.club_membership import Membership
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal, open_readonly
from firmware.twin import bot_seats
from firmware.twin.bot_seats import Bots
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.record import read_record
from referee.summaries import summary_of
from tests.firmware.club.clubs import Club, club_bodies, journal_lines
from tests.firmware.core.tables import Twin
from tests.firmware.playing import play_lines

TABLES, ROUNDS, PEOPLE = 8, 3, 33
CUT_ROUND, CUT_TABLES, CUT_AT = 2, ("table-3", "table-6"), 8
"""When tables are cut off, which, and after how many answers of their match."""
PAUSE = 0.3
LONG = 3600.0
HOST = {"Host": "club.local"}
FORM = {
    "title": "Evening of eight tables",
    "movement": "swiss",
    "rounds": str(ROUNDS),
    "size": "4",
    "minutes": "40",
    "points": "6, 4, 2",
    "bye": "3",
    "advance": "2",
}


class Wire:
    """The wire between a table and the broker, which can be cut."""

    def __init__(self, to: int) -> None:
        """Lead from a port of its own to the broker's."""
        self._to, self._lock, self._ends = to, Lock(), list[socket.socket]()
        self._is_cut = False
        self._entry = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._entry.getsockname()[1])
        Thread(target=self._let_in, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and let none through."""
        with self._lock:
            self._is_cut = True
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        """Take the wire away."""
        self.cut()
        self._entry.close()

    def _let_in(self) -> None:
        while True:
            try:
                near, _address = self._entry.accept()
            except OSError:
                return
            self._join(near)

    def _join(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            near.close()
            return
        with self._lock:
            is_cut = self._is_cut
            self._ends += [] if is_cut else [near, far]
        for one, other in ((near, far), (far, near)):
            if is_cut:
                one.close()
            else:
                Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    """Carry what comes from one end to the other."""
    with suppress(OSError):
        while piece := one.recv(65536):
            other.sendall(piece)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class EveningTable:
    """A table of the evening: its folder, its wire and its link; it plays a match at a time."""

    def __init__(self, membership: Membership, folder: Path) -> None:
        """Link the table to the club."""
        self.name, self.folder = membership.table, folder
        folder.mkdir()
        self.journal = folder / "journal.sqlite3"
        self.wire = Wire(membership.port)
        self.link = ClubLink(replace(membership, port=self.wire.port), self.journal)
        self.answers = 0

    def play(self, names: Sequence[str], game: str, seed: int, at: Callable[[int], None]) -> None:
        """Play a match with bots; after each moment, `at` is told its number."""
        match = new_match(names, game)
        table = Twin(match, self.folder)
        door = table.companion.door
        listening = door.subscribe()
        bots = Bots(frozenset(range(len(names))), door, table.world, Random(seed))
        end = monotonic() + LONG
        try:
            while door.moment().outcome is None and monotonic() < end:
                listening.next(1.0)
                self.link.look()
                at(door.moment().number)
        finally:
            bots.close()
            table.close()
        self.answers += door.moment().number
        self.link.look()

    def play_by_rules(self, names: Sequence[str], game: str, seed: int, at: Callable[[int], None]) -> None:
        """Play a match by the rules alone: no cards lie anywhere, and the journal is written as ever."""
        match, chance = new_match(names, game), Random(seed)
        with open_journal(self.journal, connected_for_a_thread) as opened:
            number = opened.journal.begin(match)
            while match.outcome is None:
                match = play_lines(opened.journal, number, match, 1, chance)
                self.link.look()
                at(match.number)
        self.answers += match.number
        self.link.look()

    def close(self) -> None:
        """Take leave."""
        self.link.close()
        self.wire.close()


def new_match(names: Sequence[str], game: str) -> Match:
    """Begin a match."""
    kind = GAMES[game]
    match = begin(Setup(kind, kind.house(), tuple(names), begun=datetime.now(UTC).isoformat()))
    assert isinstance(match, Match)
    return match


class Director:
    """The director's phone: acts by the forms of the pages."""

    def __init__(self, client: FlaskClient, pin: str) -> None:
        """Come in by the PIN."""
        self._client, self._token = client, ""
        self.get("/director")
        self.send("/director/enter", pin=pin)

    def get(self, address: str) -> str:
        """Open a page."""
        answer = self._client.get(address, headers=HOST)
        assert answer.status_code == 200, f"{address}: {answer.status}"
        found = re.search('name="form" value="([0-9a-f]+)"', answer.text)
        self._token = found[1] if found else self._token
        return answer.text

    def send(self, address: str, **form: str) -> None:
        """Send a form."""
        answer = self._client.post(address, data={"form": self._token, **form}, headers=HOST)
        assert answer.status_code == 303, f"{address}: {answer.status} {answer.text}"


class Evening:
    """The whole club, and what has happened so far."""

    def __init__(
        self, club: Club, tables: Sequence[EveningTable], director: Director, game: str, together: int
    ) -> None:
        """Take the parts; so many tables play at a time, as they share one computer; 0 plays without cards."""
        self._seats, self._has_cards = Semaphore(together or TABLES), together > 0
        self.club, self.director, self.game = club, director, game
        self.tables = {table.name: table for table in tables}
        self.cut = set[str]()

    def tournament(self) -> tournaments.KeptTournament:
        """Give the tournament as the hub has it now."""
        with self.club.pool.connection() as db:
            kept = tournaments.current(db)
        assert kept is not None
        return kept

    def begin(self, people: int) -> None:
        """Let people take part; names repeat, as they do in clubs."""
        self.director.get("/director/new")
        tables = {f"game-{name}": self.game for name in self.tables}
        self.director.send("/director/new", **FORM, **tables)
        names = ("Ana", "Bo", "Chloé", "Dédé", "Eve")
        for number in range(people):
            self.director.send("/director/people/add", name=names[number % len(names)])

    def play_round(self, number: int) -> None:
        """Draw and send a round, and let all its tables play."""
        self.director.send("/director/round/draw")
        self.director.send("/director/round/send")
        kept = self.tournament()
        the_round = kept.tournament.rounds[number - 1]
        print(
            f"round {number}: {len(the_round.seatings)} tables, sitting out {list(the_round.byes)}", flush=True
        )
        names = seat_names(kept.tournament)
        threads = [
            Thread(target=self._play_table, args=(number, seating, [names[who] for who in seating.entrants]))
            for seating in the_round.seatings
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _play_table(self, number: int, seating: Seating, on_paper: list[str]) -> None:
        """Play with whom the club tells the table to; a table that is cut off has the slip of paper."""
        table = self.tables[seating.table]
        names = on_paper if table.name in self.cut else self._told_names(table, number)
        is_to_cut = number == CUT_ROUND and table.name in CUT_TABLES

        def at(moment: int) -> None:
            if is_to_cut and moment >= CUT_AT and table.name not in self.cut:
                print(f"  {table.name} is cut off after answer {moment}", flush=True)
                self.cut.add(table.name)
                table.wire.cut()

        seed = number * 100 + int(table.name.removeprefix("table-"))
        with self._seats:
            play = table.play if self._has_cards else table.play_by_rules
            play(names, self.game, seed, at)

    def _told_names(self, table: EveningTable, number: int) -> list[str]:
        """Wait until the table has been told whom it seats in this round."""
        await_that(lambda: table.link.summary().note.title.endswith(f" {number}/{ROUNDS}"))
        return [seat.name for seat in table.link.summary().note.seats]

    def await_results(self, count: int) -> None:
        """Wait until the hub has so many results."""
        await_that(lambda: len(self.tournament().results) >= count)

    def mend(self) -> None:
        """Let the tables through that were cut off."""
        for name in sorted(self.cut):
            self.tables[name].wire.mend()
        self.cut.clear()


def await_that(holds: Callable[[], bool]) -> None:
    """Wait for something, for as long as a slow machine may need."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end, "it never came"
        sleep(0.2)


def journal_standings(evening: Evening) -> tuple[Standing, ...]:
    """Work the standings out from the tables' own journals, without the hub's matches."""
    tournament = evening.tournament().tournament
    matches = [match for table in evening.tables.values() for match in matches_in(table, tournament)]
    return standings_of(tournament, results_of(tournament, matches))


def matches_in(table: EveningTable, tournament: Tournament) -> Iterator[PlayedMatch]:
    """Read the finished matches of a table's journal; each was played in the round of its turn."""
    with open_readonly(table.journal) as journal:
        kept = [read_record(journal.lines(each.id)) for each in journal.matches()]
    seated = [each for each in tournament.rounds if any(one.table == table.name for one in each.seatings)]
    for the_round, reading in zip(seated, kept, strict=True):
        assert reading.match is not None
        summary = summary_of(reading.match)
        assert summary.winners is not None
        heard = the_round.sent or 0.0
        yield PlayedMatch(the_round.number, table.name, summary.game, summary.names, summary.places, heard)


def faults_of(evening: Evening) -> list[str]:
    """List what isn't as it should be."""
    kept = evening.tournament()
    shown = standings_of(kept.tournament, kept.results)
    with evening.club.pool.connection() as db:
        doubted = plain_rows(db, "SELECT * FROM quarantine")
    checks = {
        "standings differ from the journals'": shown == journal_standings(evening),
        "a result is missing": len(kept.results) == sum(len(each.seatings) for each in kept.tournament.rounds),
        "lines are doubted": not doubted,
        **{
            f"{table.name} differs from its journal": club_bodies(evening.club.pool, table.name)
            == journal_lines(table.journal)
            for table in evening.tables.values()
        },
    }
    return [what for what, holds in checks.items() if not holds]


def print_standings(evening: Evening) -> None:
    """Print who stands where."""
    kept = evening.tournament()
    names = seat_names(kept.tournament)
    print("place  no  name        points  won  met")
    for each in standings_of(kept.tournament, kept.results):
        points, met = float(each.points), float(each.met)
        print(f"{each.place:5} {each.number:3}  {names[each.number]:10} {points:7.2f} {each.won:4} {met:6.2f}")


@contextmanager
def opened_evening(folder: Path, game: str, together: int) -> Iterator[Evening]:
    """Open the club: database, broker, hub, pages and tables."""
    with ExitStack() as ends:
        server = Postgres(folder / "postgres").start()
        ends.callback(server.close)
        club = Club(folder, server.address, "mosquitto", encrypts=True)
        ends.callback(club.close)
        room = NewsRoom(server.address)
        ends.callback(room.close)
        spoken, inviting = {name: language(name) for name in languages()}, Invitations(club.pool, folder, 8884)
        app = club_app(club.pool, room, folder, spoken, "en", inviting=inviting)
        with club.pool.connection() as db:
            pin = plain_rows(db, "SELECT pin FROM club_keys")[0]["pin"]
        tables = []
        for number in range(1, TABLES + 1):
            table = EveningTable(club.join(f"Table {number}"), folder / f"table-{number}")
            ends.callback(table.close)
            tables.append(table)
        yield Evening(club, tables, Director(app.test_client(), pin), game, together)


def main() -> int:
    """Play the evening, print the standings, and say what isn't as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="coyote")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--together", type=int, default=3, help="tables that play at a time; 0: without cards")
    said = parser.parse_args()
    hand_in_games()
    bot_seats.PAUSE = bot_seats.LONGEST = PAUSE
    folder = Path(tempfile.mkdtemp(prefix="coyote-evening-"))
    # as root, the database runs as another user, who has to get there
    folder.chmod(0o755)
    began = monotonic()
    try:
        with opened_evening(folder, said.game, said.together) as evening:
            return _play(evening, said.people, began)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _play(evening: Evening, people: int, began: float) -> int:
    evening.begin(people)
    for number in range(1, ROUNDS + 1):
        evening.play_round(number)
        played = sum(len(each.seatings) for each in evening.tournament().tournament.rounds)
        # the cut tables' matches of this round and the one before aren't there yet
        away = len(evening.cut) * (number - CUT_ROUND + 1) if evening.cut else 0
        evening.await_results(played - away)
        print(
            f"  {len(evening.tournament().results)} of {played} results, {monotonic() - began:.0f} s",
            flush=True,
        )
    print(f"cut off till now: {sorted(evening.cut)}; let through again")
    mended = monotonic()
    evening.mend()
    evening.await_results(sum(len(each.seatings) for each in evening.tournament().tournament.rounds))
    await_that(lambda: not any(table.link.summary().waiting for table in evening.tables.values()))
    print(f"  all results {monotonic() - mended:.1f} s later")
    evening.director.send("/director/end")
    print_standings(evening)
    faults = faults_of(evening)
    answers = sum(table.answers for table in evening.tables.values())
    print(f"{answers} answers; {'; '.join(faults) or 'all as the journals have it'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
