"""The match that a table goes on with when it starts again."""

from firmware.storage.journal import Journal, ResumedMatch, open_matches


def last_open_match(journal: Journal) -> ResumedMatch | None:
    """Find the match that was left open last."""
    return next(open_matches(journal), None)
