"""How sure the camera was of a card: what was read and what else it thought of make at most 100 percent."""

from collections.abc import Iterable, Iterator
from math import floor

from msgspec import Struct

from firmware.parts.evidence import Guess, ReadCard

WHOLE = 100


class GuessShare(Struct, frozen=True):
    """A face that the camera thought of, and its share in percent."""

    face: str
    percent: int


def read_percent(card: ReadCard) -> int:
    """Give the share of the face that was read."""
    return floor(min(1.0, max(0.0, card.score)) * WHOLE)


def guess_shares(card: ReadCard) -> tuple[GuessShare, ...]:
    """Share what is left by the face that was read among the guesses, as well as each fits."""
    left = WHOLE if card.face is None else WHOLE - read_percent(card)
    fits = sum(guess.score for guess in card.guesses)
    # one guess that fits badly isn't all that is left: the rest may be any face
    return tuple(_shared(card.guesses, left / max(1.0, fits)))


def _shared(guesses: Iterable[Guess], share: float) -> Iterator[GuessShare]:
    return (GuessShare(guess.face, floor(guess.score * share)) for guess in guesses)
