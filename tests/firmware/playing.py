"""Random matches for a journal: any box, number of players, powers and legal answers."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args

import msgspec

from firmware.storage.journal import Journal, enter, open_readonly
from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games.coyote import COYOTE
from referee.games.coyote.state import EDITIONS, EditionName, House
from referee.match import Correct, Entry, Match, Setup, TakeBack, begin, standing_answers
from referee.record import read_record
from tests.given import allowed

NAMES = ("Ana", "Bo", "Chloé", "Дарья", "恵美", "F" * 20)


def any_match(rng: Random) -> Match:
    while True:
        edition = rng.choice(get_args(EditionName))
        powers = EDITIONS[edition].powers
        house = House(edition=edition, powers=tuple(rng.sample(powers, rng.randrange(len(powers) + 1))))
        match = begin(Setup(COYOTE, house, NAMES[: rng.randint(2, len(NAMES))]))
        if isinstance(match, Match):
            return match


def match_at(begun: str, *names: str, game: Game = COYOTE) -> Match:
    return allowed(begin(Setup(game, game.rules.house(), names, begun=begun)))


def any_entry(match: Match, rng: Random) -> Entry:
    """Return a random entry: mostly an answer, sometimes an undo or a correction of a recent one."""
    steps = standing_answers(match)[-3:]
    if steps and rng.random() < 0.04:
        return TakeBack(match.number, rng.choice(steps).answer.seat)
    if steps and rng.random() < 0.04:
        return Correct(match.number, rng.choice(steps).heard_at)
    return any_answer(match.asks, match.number, rng)


def play_lines(journal: Journal, match_id: int, match: Match, lines: int, rng: Random) -> Match:
    """Play until the match has `lines` more lines, or is over."""
    goal = match.number + lines
    while match.number < goal and match.asks:
        after = enter(journal, match_id, match, any_entry(match, rng))
        match = after if isinstance(after, Match) else match
    return match


def play_matches(journal: Journal, matches: int, rng: Random) -> Match:
    """Play a number of matches; the last one stays open after its tenth line."""
    for _ in range(matches - 1):
        match = any_match(rng)
        play_lines(journal, journal.begin(match), match, 10**6, rng)
    match = any_match(rng)
    return play_lines(journal, journal.begin(match), match, 10, rng)


def kept_lines(path: Path) -> dict[int, list[str]]:
    with open_readonly(path) as journal:
        return {match.id: journal.lines(match.id) for match in journal.matches()}


def gaps_and_doubles(path: Path) -> int:
    """Count lines that don't follow the previous one."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT match, number FROM line NOT INDEXED").fetchall()
    numbers: dict[int, list[int]] = {}
    for match_id, number in rows:
        numbers.setdefault(match_id, []).append(number)
    return sum(sorted(each) != list(range(len(each))) for each in numbers.values())


def state_bytes(match: Match | None) -> bytes:
    """Return a match's state as comparable bytes."""
    assert match is not None
    return msgspec.json.encode(match.state)


def replay_to_bytes(lines: list[str]) -> bytes:
    """Replay a record without faults, and return the state as bytes."""
    reading = read_record(lines)
    assert reading.fault is None
    return state_bytes(reading.match)
