"""A club's evening: `python -m tests.long.club_evening`. Eight simulated tables with bots play three rounds.

Real parts throughout: each table is a companion on the twin, whose eyes read every card, with its journal and
its link; a Mosquitto with keys and TLS, a hub, a PostgreSQL, the director's forms. Two tables are cut off in
the middle of a match of round 2: nothing that is said goes through any more. They play on, round 3 is
drawn without their results, and they play that, too. Then they are let through again.

Printed are the standings. It fails if they aren't those that the tables' own journals give, if the hub's
database isn't what stands in the journals line by line, or if a result is missing. Twins need
a while; with `--together 0` matches are played by the rules alone, and all else is the same.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Semaphore, Thread
from time import monotonic, sleep

from firmware.club import tournaments
from firmware.club.news import NewsRoom
from firmware.club.postgres import Postgres
from firmware.club.tournament.results import PlayedMatch, results_of, seat_names
from firmware.club.tournament.standings import standings_of
from firmware.club.tournament.values import Seating
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
from tests.firmware.club.databases import passable_folder, values
from tests.firmware.club.opened import NEW, Browser
from tests.firmware.club.processes import Way
from tests.firmware.core.tables import Twin
from tests.firmware.playing import play_lines

TABLES, ROUNDS, PEOPLE = 8, 3, 33
CUT_ROUND, CUT_TABLES, CUT_AT = 2, ("table-3", "table-6"), 8
"""When tables are cut off, which, and after how many answers of their match."""
PAUSE = 0.3
LONG = 3600.0


class EveningTable:
    """A table of the evening: its journal, its way and its link; it plays a match at a time."""

    def __init__(self, membership: Membership, folder: Path) -> None:
        """Link the table to the club."""
        self.name, self.folder = membership.table, folder
        folder.mkdir()
        self.journal, self.way = folder / "journal.sqlite3", Way(membership.port)
        self.link = ClubLink(self.way.leading(membership), self.journal)
        self.answers = 0

    def play(self, match: Match, seed: int, at: Callable[[int], None], *, has_cards: bool) -> None:
        """Play a match with bots, or by the rules alone; after each moment, `at` is told its number."""
        for number in (self._by_camera if has_cards else self._by_rules)(match, Random(seed)):
            self.link.look()
            at(number)
        self.answers += number
        self.link.look()

    def _by_camera(self, match: Match, rng: Random) -> Iterator[int]:
        table = Twin(match, self.folder)
        door = table.companion.door
        listening, seats = door.subscribe(), frozenset(range(len(match.setup.names)))
        bots = Bots(seats, door, table.world, rng)
        end = monotonic() + LONG
        try:
            while door.moment().outcome is None and monotonic() < end:
                listening.next(1.0)
                yield door.moment().number
        finally:
            bots.close()
            table.close()

    def _by_rules(self, match: Match, rng: Random) -> Iterator[int]:
        with open_journal(self.journal, connected_for_a_thread) as opened:
            number = opened.journal.begin(match)
            while match.outcome is None:
                match = play_lines(opened.journal, number, match, 1, rng)
                yield match.number

    def close(self) -> None:
        """Take leave."""
        self.link.close()
        self.way.close()


class Evening:
    """The whole club, and what has happened so far."""

    def __init__(
        self, club: Club, tables: Sequence[EveningTable], director: Browser, wish: argparse.Namespace
    ) -> None:
        """Take the parts; so many tables play at a time, as they share one computer; 0 plays without cards."""
        self._seats, self._has_cards = Semaphore(wish.together or TABLES), wish.together > 0
        self.club, self.director, self.game = club, director, wish.game
        self.tables = {table.name: table for table in tables}
        self.cut = set[str]()

    def tournament(self) -> tournaments.KeptTournament:
        """Give the tournament as the hub has it now."""
        with self.club.pool.connection() as db:
            kept = tournaments.current(db)
        assert kept is not None
        return kept

    def count_of_tables(self) -> int:
        """Tell at how many tables was played so far, in all rounds."""
        return sum(len(each.seatings) for each in self.tournament().tournament.rounds)

    def begin(self, people: int) -> None:
        """Let people take part; names repeat, as they do in clubs."""
        self.director.get("/director/new")
        games = {f"game-{name}": self.game for name in self.tables}
        self.director.send("/director/new", **{**NEW, "rounds": str(ROUNDS), **games})
        for number in range(people):
            self.director.send("/director/people/add", name=("Ana", "Bo", "Chloé", "Dédé", "Eve")[number % 5])

    def play_round(self, number: int) -> None:
        """Draw and send a round, and let all its tables play."""
        self.director.send("/director/round/draw")
        self.director.send("/director/round/send")
        kept = self.tournament()
        the_round, names = kept.tournament.rounds[number - 1], seat_names(kept.tournament)
        print(
            f"round {number}: {len(the_round.seatings)} tables, sitting out {list(the_round.byes)}", flush=True
        )
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
        table, names = self.tables[seating.table], on_paper
        if table.name not in self.cut:
            await_that(lambda: table.link.summary().note.title.endswith(f" {number}/{ROUNDS}"))
            names = [seat.name for seat in table.link.summary().note.seats]

        def at(moment: int) -> None:
            if (
                number == CUT_ROUND
                and table.name in CUT_TABLES
                and moment >= CUT_AT
                and table.name not in self.cut
            ):
                print(f"  {table.name} is cut off after answer {moment}", flush=True)
                self.cut.add(table.name)
                table.way.break_way("cut")

        seed, game = number * 100 + int(table.name.removeprefix("table-")), GAMES[self.game]
        match = begin(Setup(game, game.house(), tuple(names), begun=datetime.now(UTC).isoformat()))
        assert isinstance(match, Match)
        with self._seats:
            table.play(match, seed, at, has_cards=self._has_cards)

    def await_results(self, count: int) -> None:
        """Wait until the hub has so many results."""
        await_that(lambda: len(self.tournament().results) >= count)


def await_that(holds: Callable[[], bool]) -> None:
    """Wait for something, for as long as a slow machine may need."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end, "it never came"
        sleep(0.2)


def matches_in(evening: Evening, table: EveningTable) -> Iterator[PlayedMatch]:
    """Read the finished matches of a table's journal; each was played in the round of its turn."""
    with open_readonly(table.journal) as journal:
        kept = [read_record(journal.lines(each.id)) for each in journal.matches()]
    rounds = evening.tournament().tournament.rounds
    seated = [each for each in rounds if any(one.table == table.name for one in each.seatings)]
    for the_round, reading in zip(seated, kept, strict=True):
        assert reading.match is not None
        summary = summary_of(reading.match)
        assert summary.winners is not None
        heard = the_round.sent or 0.0
        yield PlayedMatch(the_round.number, table.name, summary.game, summary.names, summary.places, heard)


def faults_of(evening: Evening) -> list[str]:
    """Print the standings; list what isn't as it should be."""
    kept, tables = evening.tournament(), evening.tables.values()
    shown, names = standings_of(kept.tournament, kept.results), seat_names(kept.tournament)
    print("place  no  name        points  won  met")
    for each in shown:
        points, met = float(each.points), float(each.met)
        print(f"{each.place:5} {each.number:3}  {names[each.number]:10} {points:7.2f} {each.won:4} {met:6.2f}")
    # without the hub's matches
    own = results_of(kept.tournament, [match for table in tables for match in matches_in(evening, table)])
    checks = {
        "standings differ from the journals'": shown == standings_of(kept.tournament, own),
        "a result is missing": len(kept.results) == evening.count_of_tables(),
        "lines are doubted": not values(evening.club.pool, "SELECT id FROM quarantine"),
        **{
            f"{each.name} differs from its journal": club_bodies(evening.club.pool, each.name)
            == journal_lines(each.journal)
            for each in tables
        },
    }
    return [what for what, holds in checks.items() if not holds]


@contextmanager
def opened_evening(folder: Path, wish: argparse.Namespace) -> Iterator[Evening]:
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
        tables = []
        for number in range(1, TABLES + 1):
            tables.append(EveningTable(club.join(f"Table {number}"), folder / f"table-{number}"))
            ends.callback(tables[-1].close)
        director = Browser(app.test_client())
        director.get("/director")
        director.send("/director/enter", pin=values(club.pool, "SELECT pin FROM club_keys")[0])
        yield Evening(club, tables, director, wish)


def main() -> int:
    """Play the evening, print the standings, and say what isn't as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="coyote")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--together", type=int, default=3, help="tables that play at a time; 0: without cards")
    wish = parser.parse_args()
    hand_in_games()
    bot_seats.PAUSE = bot_seats.LONGEST = PAUSE
    with passable_folder() as folder, opened_evening(folder, wish) as evening:
        return _play(evening, wish.people)


def _play(evening: Evening, people: int) -> int:
    began = monotonic()
    evening.begin(people)
    for number in range(1, ROUNDS + 1):
        evening.play_round(number)
        # the cut tables' matches of this round and the one before aren't there yet
        away = len(evening.cut) * (number - CUT_ROUND + 1) if evening.cut else 0
        evening.await_results(evening.count_of_tables() - away)
        results = len(evening.tournament().results)
        print(f"  {results} of {evening.count_of_tables()} results, {monotonic() - began:.0f} s", flush=True)
    print(f"cut off till now: {sorted(evening.cut)}; let through again")
    mended = monotonic()
    for name in evening.cut:
        evening.tables[name].way.mend_way()
    evening.await_results(evening.count_of_tables())
    await_that(lambda: not any(table.link.summary().waiting for table in evening.tables.values()))
    print(f"  all results {monotonic() - mended:.1f} s later")
    evening.director.send("/director/end")
    faults = faults_of(evening)
    answers = sum(table.answers for table in evening.tables.values())
    print(f"{answers} answers; {'; '.join(faults) or 'all as the journals have it'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
