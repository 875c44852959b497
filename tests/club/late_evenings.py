"""Evenings of a table that a club's spectators see late: what every page shows, and what it may show."""

from random import Random

import msgspec
from msgspec import Struct, field

from club.database import Pool
from club.hearing import Heard, keep_others
from club.keeping import keep_lines
from club.late_tables import LateConnections
from club.tables import ClubTables
from club.telling import Teller, play_lines
from firmware.language.speaking import LANGUAGE
from firmware.outside.club_messages import ClubStatus
from referee.games.catalogue import GAMES
from referee.public_moment import PublicMoment, encode_moment
from referee.record import record_lines
from tests.club.opened import Browser, Club
from tests.club.said import club_lines, untold
from tests.waiting import until
from tests.webui.matches import play_match

LATE = 10
MATCHES, MOMENTS = 3, 120
"""How many, and their answers at most: a long one says no more of the clock."""
PAGES = ("/", "/part", "/history", "/statistics", "/history.csv", "/history.json", "/ratings", "/standings")


class LateReport(Struct):
    """What evenings came to."""

    sent: int = 0  # messages of lines
    pages: int = 0
    early: list[str] = field(default_factory=list)  # what was seen before its time, or not in time


def say_late(pool: Pool, minutes: int) -> None:
    said = ClubStatus(is_online=True, late=minutes)
    with pool.connection() as db:
        keep_others(db, [Heard("table-1", "status", msgspec.json.encode(said))])


def send(pool: Pool, teller: Teller, bodies: list[str], match: int = 1, first: int = 0) -> None:
    """Let a table send lines, and wait until they are told."""
    with pool.connection() as db:
        keep_lines(db, {"table-1": club_lines(bodies, match, first)})
    teller.look()
    until(lambda: not untold(pool))


def pass_time(pool: Pool, minutes: int) -> None:
    """Let all that was said have been said so much earlier."""
    with pool.connection() as db:
        db.execute("UPDATE lines SET received = received - %s * interval '1 minute'", (minutes,))
        db.execute("UPDATE matches SET updated = updated - %s * interval '1 minute'", (minutes,))
        db.execute("UPDATE situations SET came = came - %s * interval '1 minute'", (minutes,))


def seen_late(pool: Pool) -> PublicMoment | None:
    table = ClubTables(LateConnections(pool)).table("table-1")
    return table.moment


def moment_after(bodies: list[str]) -> PublicMoment:
    match = play_lines(bodies).match
    return msgspec.json.decode(encode_moment(match, LANGUAGE), type=PublicMoment)


def pages_of(browser: Browser, numbers: int) -> dict[str, str]:
    pages = {address: browser.get(address) for address in PAGES}
    for number in range(1, numbers + 1):
        for ending in ("", ".json", ".jsonl"):
            address = f"/history/{number}{ending}"
            pages[address] = browser.get_if_there(address)
    return pages


def play_late_evening(club: Club, teller: Teller, rng: Random, report: LateReport) -> None:
    """Play some matches with pauses, and look at every page after each pause."""
    evening = _Evening(club, rng, report)
    say_late(club.pool, LATE)
    for number in range(1, MATCHES + 1):
        names = tuple(f"{who} of {number}" for who in ("Ana", "Bo", "Chloé"))
        game = rng.choice(list(GAMES.values()))
        bodies, first = record_lines(play_match(game, names, rng.randrange(1000), MOMENTS)), 0
        # each match of a table has a beginning of its own
        bodies[0] = bodies[0].replace("T20:00", f"T2{number}:00")
        while first < len(bodies):
            more = rng.choice([1, 5, 20, 60])
            send(club.pool, teller, bodies[first : first + more], number, first)
            first = min(first + more, len(bodies))
            evening.note(names, moment_after(bodies[:first]))
            evening.look_around(number)


class _Evening:
    """What was said when, and who may be seen."""

    def __init__(self, club: Club, rng: Random, report: LateReport) -> None:
        self._club, self._rng, self._report = club, rng, report
        self._clock = 0
        self._shown = list[tuple[int, PublicMoment]]()
        self._newest = dict[tuple[str, ...], int]()

    def note(self, names: tuple[str, ...], moment: PublicMoment) -> None:
        self._shown.append((self._clock, moment))
        self._newest[names] = self._clock
        self._report.sent += 1

    def look_around(self, numbers: int) -> None:
        minutes = self._rng.choice([0, 1, 4, 6, 11])
        pass_time(self._club.pool, minutes)
        self._clock += minutes
        edge = self._clock - LATE
        old = [moment for came, moment in self._shown if came <= edge][-1:]
        if seen_late(self._club.pool) != next(iter(old), None):
            self._report.early.append(f"the moment at minute {self._clock}")
        stands = set[str]() if not old else {player.name for player in old[0].players}
        for address, text in pages_of(self._club.phone(), numbers).items():
            self._report.pages += 1
            for players, came in self._newest.items():
                is_shown = address in {"/", "/part"} and stands == set(players)
                if came > edge and not is_shown and any(name in text for name in players):
                    self._report.early.append(f"{players} on {address} at minute {self._clock}")
        history = self._club.phone().get("/history")
        for players, came in self._newest.items():
            if (players[0] in history) != (came <= edge):
                self._report.early.append(f"{players} in the history at minute {self._clock}")
