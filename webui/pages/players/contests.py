"""Contested answers, remembered until the host has decided or another match begins."""

from threading import Lock

from msgspec import Struct

from referee.contract import Value
from referee.match import Match, standing_answers
from referee.telling import Listener, tell_value
from webui.server.drawn_pages import match_id


class Contest(Struct, frozen=True):
    """A seat's claim that the cards of an answer were read wrong."""

    heard_at: int
    seat: int
    value: Value


class ContestText(Struct, frozen=True):
    """A contest in words."""

    heard_at: int
    name: str
    answer: str


def contest_text(contest: Contest, listener: Listener) -> ContestText:
    """Put a contest into words."""
    return ContestText(contest.heard_at, listener.names[contest.seat], tell_value(listener, contest.value))


class Contests:
    """The contests of the current match."""

    def __init__(self) -> None:
        """Start without contests."""
        self._lock, self._match = Lock(), ""
        self._made: dict[int, Contest] = {}

    def note(self, match: Match, contest: Contest) -> None:
        """Remember a contest; a newer one of the same answer replaces it."""
        with self._lock:
            if self._match != match_id(match):
                self._match, self._made = match_id(match), {}
            self._made[contest.heard_at] = contest

    def settle(self, heard_at: int) -> None:
        """Drop the contest of an answer."""
        with self._lock:
            self._made.pop(heard_at, None)

    def contests_in(self, match: Match) -> tuple[Contest, ...]:
        """List the open contests, newest answer first; corrected or undone answers are settled."""
        with self._lock:
            made = dict(self._made) if self._match == match_id(match) else {}
        stand = {step.heard_at: step.answer.value for step in standing_answers(match)}
        return tuple(
            made[heard_at]
            for heard_at in sorted(made, reverse=True)
            if heard_at in stand and stand[heard_at] == made[heard_at].value
        )
