"""The time line of a film: rounds as long as they took, and marks for what mattered; pure."""

from collections.abc import Iterator

from msgspec import Struct

from referee.film import Film, is_put_right

WIDTH = 1116.0
LEFT = 2.0
GAP = 4.0
LEGIBLE, NAMED = 34.0, 70.0
"""How wide a piece has to be for its number, or how far from the last one that has its own."""
EDGE = 14.0
"""How far inside the ends marks have to stand to be seen whole."""
APART = 26.0
"""How far apart marks of a kind have to be, to be told apart."""


class ReelPiece(Struct, frozen=True):
    """A round on the time line: where it begins, how wide it is, how much of it has been seen."""

    x: float
    width: float
    seen: float
    label: str


class Reel(Struct, frozen=True):
    """The time line."""

    pieces: tuple[ReelPiece, ...]
    rulings: tuple[float, ...]
    put_right: tuple[float, ...]
    turns: tuple[float, ...]
    """Where the lead changed hands; a ruling there has no mark of its own."""
    head: float


def reel_of(film: Film, number: int) -> Reel:
    """Draw the time line with the needle at a moment."""
    at = place_of(film, number)
    turns = tuple(_apart(_mark_at(film, each.number) for each in film.turns))
    rulings = (_mark_at(film, each) for each in _telling(film))
    return Reel(
        tuple(_pieces(film, at)),
        tuple(_apart(x for x in rulings if all(abs(x - turn) >= APART for turn in turns))),
        tuple(_apart(_mark_at(film, each) for each in _put_right(film))),
        turns,
        _mark_at(film, number),
    )


def place_of(film: Film, number: int) -> float:
    """Give the place of a moment on the time line."""
    return round(LEFT + WIDTH * (number + 0.5) / len(film.moments), 1)


def _mark_at(film: Film, number: int) -> float:
    """Give the place of a moment's mark: at the ends a little further in, so that nothing of it is cut off."""
    return min(max(place_of(film, number), LEFT + EDGE), LEFT + WIDTH - EDGE)


def _pieces(film: Film, at: float) -> Iterator[ReelPiece]:
    """Draw a piece for each round; after a correction that goes far back, a round comes twice."""
    begins, share, last, named = 0, WIDTH / len(film.moments), film.last, -NAMED
    for number, moment in enumerate(film.moments):
        if number == last or film.moments[number + 1].round != moment.round:
            x, width = LEFT + share * begins, max(2.0, share * (number + 1 - begins) - GAP)
            seen = min(width, max(0.0, at - x))
            is_named = width >= LEGIBLE or x - named >= NAMED
            named = x if is_named else named
            label = str(moment.round) if is_named else ""
            yield ReelPiece(round(x, 1), round(width, 1), round(seen, 1), label)
            begins = number + 1


def _telling(film: Film) -> Iterator[int]:
    """List the moments with a ruling that everybody remembers."""
    return (
        number
        for number, moment in enumerate(film.moments)
        if moment.is_telling and not is_put_right(moment.match)
    )


def _put_right(film: Film) -> Iterator[int]:
    return (number for number, moment in enumerate(film.moments) if is_put_right(moment.match))


def _apart(places: Iterator[float]) -> Iterator[float]:
    """Leave out marks that would lie upon one another."""
    last = -APART
    for place in places:
        if place - last >= APART:
            last = place
            yield place
