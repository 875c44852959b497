"""Matches with the optional rules of a box."""

from typing import Any

from referee.games.coyote.house import Power
from tests.referee.games.coyote.script import Script, opened
from tests.referee.games.coyote.second_scorer import Edition

SIX: tuple[Power, ...] = ("approve", "double", "reverse", "extra", "restart", "next")
ON_TURN = {"approve", "reverse", "restart"}
AFTER = {"double", "extra", "next"}
SIX_BOXES: tuple[Edition, ...] = ("kidult", "gigamic")


def kidult(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Kidult's special rules."""
    return opened(seats, opener, edition="kidult", **{"powers": SIX, **house})


def gigamic(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Gigamic's variants."""
    return opened(seats, opener, edition="gigamic", **{"powers": SIX, **house})


def either(edition: Edition, seats: int = 4, opener: int = 0) -> Script:
    """Play with the six of a box; what follows is the same for both."""
    return opened(seats, opener, edition=edition, powers=SIX)
