"""Lets bots play on from a branch, beside the table: `python -m firmware.start.trial_process` takes JSON."""

import os
import sys
from random import SystemRandom
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.start.games import hand_in_games
from hardware.twin.strengths import Strength
from hardware.twin.trials import SECONDS, Chances, play_out, try_out
from referee.film import Film, film_of
from referee.match import Match
from referee.record import read_film
from webui.doors.trials import SeatChances, TriedOut
from webui.drawing.branches import MOST, Branch, encode_branch, read_branch

NICE = 10
"""The table goes first."""
SEED = 1


class TrialRequest(Struct, frozen=True):
    """What is to be tried out: a branch of a record, as its link says it."""

    what: Literal["tries", "play"]
    record: tuple[str, ...]
    at: int
    said: str
    strength: Strength


def main() -> None:
    """Print what came of it; nothing if bots can't play on from there."""
    os.nice(NICE)
    hand_in_games()
    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=TrialRequest)
    sys.stdout.buffer.write(answer_to(wish))


def answer_to(wish: TrialRequest, seconds: float = SECONDS) -> bytes:
    """Answer a request; empty if the branch can't be played, or the match goes on."""
    reading = read_film(wish.record)
    if reading.match is None or reading.match.outcome is None:
        return b""
    film = film_of(reading.match)
    branch = read_branch(film, wish.at, wish.said) if 0 <= wish.at <= film.last else None
    if not isinstance(branch, Branch):
        return b""
    if wish.what == "play":
        seed = SystemRandom().getrandbits(32)
        more = play_out(branch.match, wish.strength, seed, MOST - len(branch.answers))
        return encode_branch((*branch.answers, *more)).encode() if more else b""
    return _tried_out(film, branch, wish.strength, seconds)


def _tried_out(film: Film, branch: Branch, strength: Strength, seconds: float) -> bytes:
    """Try out a branch, and the match as it was for comparison."""
    here = _chances(branch.match, strength, seconds)
    is_other = bool(branch.answers) and branch.at < film.last
    was = _chances(film.moments[branch.at + 1].match, strength, seconds) if is_other else None
    return b"" if here is None else msgspec.json.encode(TriedOut(here, was))


def _chances(match: Match, strength: Strength, seconds: float) -> SeatChances | None:
    found: Chances | None = try_out(match, strength, SEED, seconds=seconds)
    return None if found is None else SeatChances(found.tries, found.shares, found.errors)


if __name__ == "__main__":
    main()
