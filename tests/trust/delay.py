"""See that spectators learn nothing before its time: `python -m tests.trust.delay 200 --club 40`.

Evenings of a table whose spectators wait ten minutes: after each pause every page and stream is compared with
that of a table which knows only what is old enough. And evenings of a club's table: whatever is too young is
looked for on all pages that are open, and what is old enough in its place.
"""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from club.database import migrate, open_pool
from club.postgres import find_postgres
from club.telling import Teller
from firmware.language.speaking import LANGUAGE
from firmware.start.games import hand_in_games
from firmware.storage.files import scratch
from referee.games.catalogue import GAMES
from tests.club import late_evenings as club_evenings
from tests.club.databases import running_postgres, with_database
from tests.club.opened import Club
from tests.trust.telling import finish, say, wishes
from tests.webui.server import late_evenings as table_evenings


def main() -> None:
    wish = wishes(__doc__, "evenings", club=0, seed=0)
    hand_in_games()
    early = _watch_tables(wish.evenings, wish.seed)
    if wish.club:
        early += _watch_clubs(wish.club, wish.seed)
    finish(wrong=early)


def _watch_tables(evenings: int, seed: int) -> list[str]:
    report, games = table_evenings.LateReport(), list(GAMES.values())
    for number in range(evenings):
        game = games[number % len(games)]
        with scratch() as folder:
            table_evenings.play_late_evening(game, folder, Random(f"{seed} {number}"), report)
    told = f"tables: {evenings} evenings, {report.answers} answers, {report.pages} pages and streams"
    say(f"{told}: {len(report.early)} too early")
    return report.early


def _watch_clubs(evenings: int, seed: int) -> list[str]:
    if find_postgres() is None:
        sys.exit("no database here: apt install postgresql")
    report = club_evenings.LateReport()
    with running_postgres() as server:
        for number in range(evenings):
            with with_database(server.address) as database:
                _watch_club(database, Random(f"{seed} {number}"), report)
    told = f"clubs: {evenings} evenings, {report.sent} messages, {report.pages} pages"
    say(f"{told}: {len(report.early)} too early or too late")
    return report.early


def _watch_club(database: str, rng: Random, report: club_evenings.LateReport) -> None:
    with open_pool(database) as pool, TemporaryDirectory() as folder:
        with pool.connection() as db:
            migrate(db)
        club, teller = Club(pool, database, Path(folder)), Teller(pool, LANGUAGE)
        try:
            club_evenings.play_late_evening(club, teller, rng, report)
        finally:
            teller.close()
            club.room.close()


if __name__ == "__main__":
    main()
