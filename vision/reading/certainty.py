"""How sure a name is, as a probability: learned for each deck from trials of its faces and of strangers.

A name that nothing speaks against can still be wrong in two ways. The card is a stranger that looks much like
the face: then the differences that are left are patchy, in the spots where another print is. Or the card is a
rival face: then the name hardly beats it. Trials tell how often either happens in a deck, and how it looks.
"""

from math import exp, isfinite, log, pi, sqrt

from msgspec import Struct

STRANGERS = 0.01
"""How many of the cards on a table are thought to be no face of the deck."""
ODD, FURTHER = 0.05, 3.0
"""How many cards look odder than any in trials, by glare, a thumb or a bend, and how much further they lie."""
CERTAIN = 0.99
"""A name is told only if it is right with this probability."""
LEAST = 1e-6
"""No density is thought to be smaller: the world holds more than trials show."""


class Spread(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a figure lies in trials: its middle and its standard deviation."""

    middle: float
    width: float


class ConfusedPair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two faces of which one was taken for the other in trials, and how clearly the wrong name won."""

    face: str
    other: str
    margin: float


class Certainty(Struct, frozen=True, forbid_unknown_fields=True):
    """What trials of a deck came to, of names that nothing spoke against."""

    faces: Spread
    """How patchy faces of the deck look beside their own row, as logarithms."""
    strangers: Spread
    """How patchy strangers look beside the face they resemble most."""
    told: float
    """The share of faces that nothing spoke against."""
    mistaken: float
    """The share of strangers that nothing spoke against."""
    margins: Spread
    """How clearly right names beat their rivals."""
    confused: float
    """The share of wrong names."""
    pairs: tuple[ConfusedPair, ...]
    at_a_glance: "Certainty | None" = None
    """The same of cards compared by coarse cells alone; None if that wasn't tried."""
    afar: "Certainty | None" = None
    """The same of cards of few pixels, far or seen from the side; None if that wasn't tried."""
    covered: "Certainty | None" = None
    """The same of cards of which a part is covered; None if that wasn't tried."""


UNTRIED = Certainty(Spread(0.8, 0.3), Spread(1.4, 0.3), 0.95, 0.05, Spread(0.9, 0.22), 0.01, ())
"""About what playing cards come to: for a deck that wasn't tried."""


def is_usable(certainty: Certainty) -> bool:
    """Tell whether all figures can be reckoned with."""
    spreads = certainty.faces, certainty.strangers, certainty.margins
    return (
        all(isfinite(each.middle) and isfinite(each.width) and each.width > 0 for each in spreads)
        and all(0 < share < 1 for share in (certainty.told, certainty.mistaken, certainty.confused))
        and all(0 <= pair.margin < CLEAREST for pair in certainty.pairs)
        and all(
            each is None or is_usable(each)
            for each in (certainty.at_a_glance, certainty.afar, certainty.covered)
        )
    )


CLEAREST = 10.0
"""No margin is as large."""


def probability(certainty: Certainty, patchy: float, margin: float, pair: frozenset[str]) -> float:
    """Give the probability that a name is right; `pair` is the face and its nearest rival."""
    wrong = max((each.margin for each in certainty.pairs if pair == {each.face, each.other}), default=0.0)
    return 1 / (1 + _stranger_odds(certainty, patchiness(patchy)) + _rival_odds(certainty, margin, wrong))


def patchiness(patchy: float) -> float:
    """Put on one scale how much worse the worst spots fit than the rest."""
    return log(max(1.0, patchy))


def _stranger_odds(certainty: Certainty, patchy: float) -> float:
    """Weigh that a card is a stranger against that it is the face."""
    # beyond its own middle neither grows unlikely for the other's sake
    strange = _density(min(patchy, certainty.strangers.middle), certainty.strangers)
    beyond = max(patchy, certainty.faces.middle)
    odd = Spread(certainty.faces.middle, FURTHER * certainty.faces.width)
    usual = (1 - ODD) * _density(beyond, certainty.faces) + ODD * _density(beyond, odd)
    return STRANGERS * certainty.mistaken * strange / (certainty.told * usual)


def _rival_odds(certainty: Certainty, margin: float, wrong: float) -> float:
    """Weigh that a rival is the right name, which won as clearly in trials, against that the name is right."""
    strayed = 2 * certainty.confused * _density(max(0.0, margin), Spread(0.0, max(STRAY, wrong)))
    usual = (1 - certainty.confused) * _density(min(margin, certainty.margins.middle), certainty.margins)
    return strayed / usual


STRAY = 0.1
"""How clearly a rival may win by noise alone."""


def _density(at: float, some: Spread) -> float:
    return max(LEAST, exp(-(((at - some.middle) / some.width) ** 2) / 2) / (some.width * sqrt(2 * pi)))
