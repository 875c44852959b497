"""Who contests the cards of which answer: remembered until the host has looked, or the match is another one."""

from threading import Lock

from msgspec import Struct

from referee.contract import Value
from referee.match import Match, standing_answers
from referee.telling import Listener, tell_value
from webui.server.drawn_pages import match_id


class Contest(Struct, frozen=True):
    """A seat says that these aren't the cards of an answer."""

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
    """What is contested in the match that stands."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock, self._match = Lock(), ""
        self._made: dict[int, Contest] = {}

    def note(self, match: Match, contest: Contest) -> None:
        """Note that somebody contests an answer; of several, the last one."""
        with self._lock:
            if self._match != match_id(match):
                self._match, self._made = match_id(match), {}
            self._made[contest.heard_at] = contest

    def settle(self, heard_at: int) -> None:
        """Let an answer stand."""
        with self._lock:
            self._made.pop(heard_at, None)

    def contests_in(self, match: Match) -> tuple[Contest, ...]:
        """List what is contested, the newest answer first; what was corrected or struck since is settled."""
        with self._lock:
            made = dict(self._made) if self._match == match_id(match) else {}
        stand = {step.heard_at: step.answer.value for step in standing_answers(match)}
        return tuple(
            made[heard_at]
            for heard_at in sorted(made, reverse=True)
            if heard_at in stand and stand[heard_at] == made[heard_at].value
        )
