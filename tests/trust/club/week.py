"""A week's outbox: matches played without a club, delivered at once."""

import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from club.start.trying import any_new_match, play
from firmware.integrations.club_link import ClubLink
from firmware.storage.journal import open_journal
from plugins.club.tests.clubs import club_bodies
from plugins.club.tests.databases import values
from tests.firmware.playing import kept_lines
from tests.scripts import say
from tests.trust.club.figures import Sizes, broker_name, opened_club
from tests.waiting import came

LIMIT = 600.0
KEPT = "SELECT coalesce(sum(lines), 0)::int FROM epochs"
UNTOLD = "SELECT count(*) FROM matches WHERE told < lines"


def try_week(wish: Sizes) -> bool:
    with opened_club(wish) as club, tempfile.TemporaryDirectory() as folder:
        [mine] = club.join("One")
        path, rng = Path(folder, "journal.sqlite3"), Random(wish.seed)
        with open_journal(path) as opened:
            for _number in range(wish.matches):
                for _moment in play(opened.journal, any_new_match(rng), rng):
                    pass
            here = kept_lines(path)
            total = sum(map(len, here.values()))
            say(f"week: {wish.matches} matches of all games, {total} lines, by {broker_name(wish)}")
            began, link, took = perf_counter(), ClubLink(mine, path), list[float]()
            for query, wanted in ((KEPT, total), (UNTOLD, 0)):
                left = began + LIMIT - perf_counter()
                came(lambda query=query, wanted=wanted: values(club.pool, query) == [wanted], seconds=left)
                took.append(perf_counter() - began)
            link.close()
        is_equal = club_bodies(club.pool, mine.table) == here
    kept, told = took
    say(f"  in the database after {kept:.1f} s, each match told after {told:.1f} s; equal: {is_equal}")
    return is_equal
