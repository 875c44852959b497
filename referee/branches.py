"""Other answers from a moment of a film on, written so that a link can carry them."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from referee.contract import Answer, Refusal, Value
from referee.film import Film, play_branch
from referee.match import Match

MOST, LONGEST = 300, 24_000
"""Answers of a branch, and letters of its link, at most."""
Written = tuple[tuple[str, Value, int | None], ...]


class Branch(Struct, frozen=True, eq=False):
    """A moment of a film, the other answers from there on, and where they led."""

    at: int
    answers: tuple[Answer, ...]
    match: Match


def encode_branch(answers: Sequence[Answer]) -> str:
    """Write answers so that a link can carry them."""
    written = msgspec.json.encode([(each.ask, each.value, each.seat) for each in answers])
    return urlsafe_b64encode(written).decode().rstrip("=")


def read_branch(film: Film, at: int, text: str) -> Branch | Refusal | None:
    """Play a branch again; None if the link is damaged, a refusal if the rules don't allow it."""
    written = _decode(text)
    if written is None or len(written) > MOST:
        return None
    start = film.moments[at].match
    answers = tuple(
        Answer(start.number + place, ask, value, seat, "phone")
        for place, (ask, value, seat) in enumerate(written)
    )
    match = play_branch(start, answers)
    return match if isinstance(match, Refusal) else Branch(at, answers, match)


def _decode(text: str) -> Written | None:
    if len(text) > LONGEST:
        return None
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text else b"[]"
        return msgspec.json.decode(raw, type=Written)
    except (ValueError, UnicodeError, RecursionError):
        return None
