"""What is told of a match is what its record says, line by line, across take-backs and corrections."""

from random import Random

import msgspec
import pytest

from firmware.club.database import Pool
from firmware.club.keeping import keep_lines, keep_names
from firmware.club.telling import Teller, newest_alone, play_further, play_lines
from firmware.language.speaking import LANGUAGE
from firmware.outside.club_messages import ClubHead, ClubNames
from referee.match import Match
from referee.public_moment import encode_moment
from referee.record import names_in, read_record, with_names
from tests.firmware.club.said import EPOCH, add_tables, any_lines, club_lines, untold
from tests.firmware.outside.followed import await_true


@pytest.mark.parametrize("seed", range(6))
def test_playing_on_line_by_line_comes_to_what_the_whole_record_says(seed: int) -> None:
    bodies = any_lines(Random(seed))
    played = play_lines(bodies[:1])
    for number in range(1, len(bodies)):
        assert played.match is not None
        further = play_further(played.match, number, bodies[number : number + 1])
        played = play_lines(bodies[: number + 1]) if further is None else further
        whole = read_record(bodies[: number + 1]).match
        assert whole is not None
        assert played.match is not None
        assert told(played.match) == told(newest_alone(whole)) == told(whole)


def told(match: Match) -> bytes:
    return encode_moment(match, LANGUAGE) + msgspec.json.encode((match.state, match.rulings))


def test_matches_of_many_tables_are_told_as_their_lines_come(pool: Pool) -> None:
    rng = Random(1)
    matches = {f"table-{number}": any_lines(rng) for number in range(4)}
    with pool.connection() as db:
        add_tables(db, *matches)
    teller = Teller(pool, LANGUAGE)
    try:
        for first in range(0, max(map(len, matches.values())), 30):
            said = {name: club_lines(lines[first : first + 30], first=first) for name, lines in matches.items()}
            with pool.connection() as db:
                keep_lines(db, {name: each for name, each in said.items() if each.lines})
            teller.look()
        await_true(lambda: not untold(pool))
    finally:
        teller.close()
    for name, bodies in matches.items():
        whole = read_record(bodies).match
        assert whole is not None
        with pool.connection() as db:
            found = db.execute(
                "SELECT situation, is_over, names, told FROM matches WHERE table_name = %s", (name,)
            ).fetchone()
        assert found == (
            msgspec.json.decode(encode_moment(whole, LANGUAGE)),
            whole.outcome is not None,
            list(whole.setup.names),
            len(bodies),
        )


def test_a_match_that_no_rule_can_be_applied_to_is_kept_and_its_fault_is_told(pool: Pool) -> None:
    bodies = any_lines(Random(2))
    with pool.connection() as db:
        add_tables(db, "one", "two", "three")
        strange = [bodies[0].replace('"coyote"', '"chess"'), "{}"]
        beyond = [*bodies[:9], '{"entry":"answer","moment":8,"ask":"castling"}']
        said = {"one": strange, "two": beyond, "three": ["]["]}
        keep_lines(db, {name: club_lines(lines) for name, lines in said.items()})
    teller = Teller(pool, LANGUAGE)
    try:
        await_true(lambda: not untold(pool))
    finally:
        teller.close()
    with pool.connection() as db:
        faults = dict(db.execute("SELECT table_name, fault FROM matches").fetchall())
        situation = db.execute("SELECT situation -> 'moment' FROM matches WHERE table_name = 'two'").fetchone()
    assert faults == {"one": "1: unknown-game", "two": "10: refused", "three": "1: not-a-match"}
    assert situation == (8,)


def test_a_forgotten_name_is_told_no_more(pool: Pool) -> None:
    bodies = any_lines(Random(4))
    names = names_in(bodies[0])
    forgotten = with_names(bodies[0], ("Player 1", *names[1:]))
    with pool.connection() as db:
        add_tables(db, "one")
        keep_lines(db, {"one": club_lines(bodies)})
    teller = Teller(pool, LANGUAGE)
    try:
        await_true(lambda: not untold(pool))
        with pool.connection() as db:
            keep_names(db, "one", ClubNames(EPOCH, 1, [ClubHead(1, forgotten)]))
        teller.look()
        await_true(lambda: not untold(pool))
    finally:
        teller.close()
    with pool.connection() as db:
        kept = db.execute("SELECT m::text, l::text FROM matches m, lines l WHERE number = 0").fetchone()
    assert kept is not None
    assert "Player 1" in kept[0]
    assert not any(f'"{names[0]}"' in text for text in kept)
