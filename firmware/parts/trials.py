"""What bots make of a what-if: found by a process of its own, one at a time, and not too often."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from random import SystemRandom
from threading import Lock
from typing import Literal, TypeVar

from msgspec import Struct

from firmware.parts.attempt_limits import AttemptLimit
from firmware.parts.jobs import JobError, clean_lines, do_job
from hardware.twin.strengths import Strength
from hardware.twin.trials import SECONDS, Chances, play_out, try_out
from referee.film import MOST, Branch, Film, encode_branch, film_of, read_branch
from referee.record import read_film

PATIENCE = 240.0
"""Seconds after which it is ended: what it does is bounded, but gives way to all else, and is slow to begin."""
EACH, ALL = 4, 6
"""What one address and all of them may have tried out within a minute."""
REMEMBERED = 32
"""Answers that are kept in memory: they are short."""
SEED = 1
Refused = Literal["busy", "often", "failed"]
"""Why nothing is told: another one is being tried out, too many were, or bots can't play on from here."""
Answer = TypeVar("Answer")


class TrialRequest(Struct, frozen=True):
    """What is to be tried out: a branch of a record, as its link says it."""

    record: tuple[str, ...]
    at: int
    said: str
    strength: Strength


class TriedOut(Struct, frozen=True):
    """What bots made of a branch, and of the answer that came in the match itself."""

    branch: Chances
    played: Chances | None = None


class Trials:
    """Lets bots play on from branches."""

    def __init__(self) -> None:
        """Begin with nothing tried out."""
        self._lock, self._limit = Lock(), AttemptLimit(each=EACH, most=ALL)
        self._known: OrderedDict[TrialRequest, TriedOut] = OrderedDict()

    def try_out(
        self, record: Sequence[str], at: int, said: str, strength: Strength, who: str
    ) -> TriedOut | Refused:
        """Play on again and again; the same question has the same answer."""
        wish = TrialRequest(clean_lines(record), at, said, strength)
        known = self._known.get(wish)
        told = self._ask(try_branch, wish, who) if known is None else known
        if isinstance(told, TriedOut):
            self._known[wish] = told
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return told

    def play_out(
        self, record: Sequence[str], at: int, said: str, strength: Strength, who: str
    ) -> str | Refused:
        """Play on once, each time in another way, and write the branch so that a link can carry it."""
        return self._ask(play_branch_out, TrialRequest(clean_lines(record), at, said, strength), who)

    def _ask(
        self, work: Callable[[TrialRequest], Answer | None], wish: TrialRequest, who: str
    ) -> Answer | Refused:
        """Let a process answer, if none is running and it wasn't asked too often."""
        if not self._lock.acquire(blocking=False):
            return "busy"
        try:
            if not self._limit.may_try(who):
                return "often"
            made = do_job(work, wish, PATIENCE)
        except JobError:
            return "failed"
        else:
            return "failed" if made is None else made
        finally:
            self._lock.release()


# in the process


def try_branch(asked: TrialRequest, seconds: float = SECONDS) -> TriedOut | None:
    """Try out a branch, and the match as it was for comparison; None if that can't be done."""
    found = _branch_in(asked)
    if found is None:
        return None
    film, branch = found
    here = try_out(branch.match, asked.strength, SEED, seconds=seconds)
    is_other = bool(branch.answers) and branch.at < film.last
    then = film.moments[branch.at + 1].match if is_other else None
    was = None if then is None else try_out(then, asked.strength, SEED, seconds=seconds)
    return None if here is None else TriedOut(here, was)


def play_branch_out(asked: TrialRequest) -> str | None:
    """Play on once, each time in another way; None if that can't be done."""
    found = _branch_in(asked)
    if found is None:
        return None
    _film, branch = found
    more = play_out(branch.match, asked.strength, SystemRandom().getrandbits(32), MOST - len(branch.answers))
    return encode_branch((*branch.answers, *more)) if more else None


def _branch_in(asked: TrialRequest) -> tuple[Film, Branch] | None:
    """Find the branch of a match that is over."""
    reading = read_film(asked.record)
    if reading.match is None or reading.match.outcome is None:
        return None
    film = film_of(reading.match)
    branch = read_branch(film, asked.at, asked.said) if 0 <= asked.at <= film.last else None
    return (film, branch) if isinstance(branch, Branch) else None
