"""Published moments match the record line by line, across take-backs and corrections."""

from collections.abc import Iterator
from contextlib import closing
from random import Random

import msgspec
import pytest

from club.database import Pool, plain_rows
from club.keeping import keep_lines
from club.telling import Teller, newest_alone, play_further, play_lines
from firmware.integrations.club_messages import ClubLines
from firmware.language.speaking import LANGUAGE
from plugins.club.tests.databases import values
from plugins.club.tests.said import add_tables, any_lines, club_lines, unpublished_matches
from referee.match import EndMatch, Match, hear
from referee.public_moment import encode_moment
from referee.record import read_record, record_lines
from tests.firmware.playing import any_match
from tests.given import allowed
from tests.tiers import tiered
from tests.waiting import until


def told(match: Match) -> bytes:
    return encode_moment(match, LANGUAGE) + msgspec.json.encode((match.state, match.rulings))


@pytest.mark.parametrize("seed", range(tiered(1, 6)))
def test_incremental_replay_equals_full_replay(seed: int) -> None:
    bodies = any_lines(Random(seed))
    played = play_lines(bodies[:1])
    for number in range(1, len(bodies)):
        further = play_further(played.match, number, bodies[number : number + 1])
        played = play_lines(bodies[: number + 1]) if further is None else further
        whole = read_record(bodies[: number + 1]).match
        assert told(played.match) == told(newest_alone(whole)) == told(whole)


@pytest.fixture
def teller(pool: Pool) -> Iterator[Teller]:
    with closing(Teller(pool, LANGUAGE)) as opened:
        yield opened


def tell(pool: Pool, teller: Teller, said: dict[str, ClubLines]) -> None:
    with pool.connection() as db:
        keep_lines(db, {name: each for name, each in said.items() if each.lines})
    teller.look()


def test_moments_are_published_as_lines_arrive(pool: Pool, teller: Teller) -> None:
    rng = Random(1)
    matches = {f"table-{number}": any_lines(rng) for number in range(4)}
    with pool.connection() as db:
        add_tables(db, *matches)
    for first in range(0, max(map(len, matches.values())), 30):
        tell(
            pool,
            teller,
            {name: club_lines(each[first : first + 30], first=first) for name, each in matches.items()},
        )
    until(lambda: not unpublished_matches(pool))
    with pool.connection() as db:
        found = {each.pop("table_name"): each for each in plain_rows(db, "SELECT * FROM matches")}
    for name, bodies in matches.items():
        whole = read_record(bodies).match
        wanted = {
            "situation": msgspec.json.decode(encode_moment(whole, LANGUAGE)),
            "is_over": whole.outcome is not None,
            "names": list(whole.setup.names),
            "told": len(bodies),
        }
        assert wanted.items() <= found[name].items()


def test_match_ended_by_the_host_has_no_result(pool: Pool, teller: Teller) -> None:
    match = any_match(Random(1))
    with pool.connection() as db:
        add_tables(db, "one")
    tell(pool, teller, {"one": club_lines(record_lines(allowed(hear(match, EndMatch(match.number)))))})
    until(lambda: not unpublished_matches(pool))
    with pool.connection() as db:
        (row,) = plain_rows(db, "SELECT is_over, reason, winners FROM matches")
    assert row == {"is_over": False, "reason": "ended-early", "winners": []}


def test_unplayable_match_is_stored_and_its_fault_reported(pool: Pool, teller: Teller) -> None:
    bodies = any_lines(Random(2))
    said = {
        "one": [bodies[0].replace('"coyote"', '"chess"'), "{}"],
        "two": [*bodies[:9], '{"entry":"answer","moment":8,"ask":"castling"}'],
        "three": ["]["],
    }
    with pool.connection() as db:
        add_tables(db, *said)
    tell(pool, teller, {name: club_lines(lines) for name, lines in said.items()})
    until(lambda: not unpublished_matches(pool))
    faults = values(pool, "SELECT table_name || ' ' || fault FROM matches")
    assert set(faults) == {"one 1: unknown-game", "two 10: refused", "three 1: not-a-match"}
    assert values(pool, "SELECT situation -> 'moment' FROM matches WHERE table_name = 'two'") == [8]


def test_only_the_newest_match_is_published(pool: Pool) -> None:
    published = list[tuple[str, bytes]]()
    older, newer = any_lines(Random(3)), any_lines(Random(4))
    with pool.connection() as db:
        add_tables(db, "one")
    with closing(Teller(pool, LANGUAGE, lambda *told: published.append(told))) as teller:
        tell(pool, teller, {"one": club_lines(newer[:5], 2)})
        until(lambda: len(published) == 1)
        tell(pool, teller, {"one": club_lines(older[:3], 1)})
        until(lambda: not unpublished_matches(pool))
        tell(pool, teller, {"one": club_lines(newer[5:8], 2, first=5)})
        until(lambda: len(published) == 2)
    moments = [encode_moment(play_lines(newer[:lines]).match, LANGUAGE) for lines in (5, 8)]
    assert published == [("one", moment) for moment in moments]
