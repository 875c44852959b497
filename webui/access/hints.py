"""Which hints a browser has seen: a mark of five letters each, in a cookie."""

from hashlib import sha256

from msgspec import Struct

HINTS = "hints"
"""The cookie's name."""
LETTERS, MOST = 5, 200
"""Letters of a mark, and the most marks that a cookie holds."""
OFF, ON = "off", "on"


class SeenHints(Struct, frozen=True):
    """The marks of the hints that were seen, or that none is wanted."""

    seen: frozenset[str] = frozenset()
    is_off: bool = False

    def wants(self, mark: str) -> bool:
        """Tell whether a hint is still to be shown."""
        return not self.is_off and mark not in self.seen


def hint_mark(game: str, ask: str) -> str:
    """Mark the hint at a kind of ask of a game."""
    return sha256(f"{game} {ask}".encode()).hexdigest()[:LETTERS]


def read_hints(cookie: str) -> SeenHints:
    """Read the cookie; what isn't understood counts as nothing seen."""
    if cookie == OFF:
        return SeenHints(is_off=True)
    marks = (cookie[start : start + LETTERS] for start in range(0, min(len(cookie), LETTERS * MOST), LETTERS))
    return SeenHints(frozenset(mark for mark in marks if _is_mark(mark)))


def _is_mark(text: str) -> bool:
    return len(text) == LETTERS and all(letter in "0123456789abcdef" for letter in text)


def with_hint_heard(hints: SeenHints, said: str) -> str:
    """Write the cookie after a hint was seen, or after hints were turned off or on."""
    if said in {OFF, ON}:
        return OFF if said == OFF else ""
    seen = hints.seen | {said} if _is_mark(said) else hints.seen
    return "".join(sorted(seen))[: LETTERS * MOST]
