"""A match of Coyote with cards read by the camera."""

from referee.contract import Answer, Option
from referee.games.coyote import COYOTE
from referee.match import Entry, Match, Setup, begin, hear
from tests.given import allowed
from tests.referee.tables import NAMES

CALLED = (
    Answer(0, "opener", Option("opens", 0)),
    Answer(1, "announce", 4, 0),
    Answer(2, "announce", 9, 1),
    Answer(3, "turn", Option("coyote"), 2),
)
READ = Answer(4, "reveal", ("5", "5", "0"), sense="camera")


def called_match(*entries: Entry, begun: str = "2026-01-02T20:00:00+01:00") -> Match:
    match = allowed(begin(Setup(COYOTE, COYOTE.rules.house(), NAMES[:3], begun=begun)))
    for entry in (*CALLED, *entries):
        match = allowed(hear(match, entry))
    return match
