"""Matches with the optional rules of a box."""

from typing import Any

from referee.games.coyote.house import Power
from tests.referee.games.coyote.script import Script, open_first_round
from tests.referee.games.coyote.second_scorer import Edition

SIX: tuple[Power, ...] = ("approve", "double", "reverse", "extra", "restart", "next")
ON_TURN = {"approve", "reverse", "restart"}
AFTER = {"double", "extra", "next"}
SIX_BOXES: tuple[Edition, ...] = ("kidult", "gigamic")


def kidult(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Kidult's special rules."""
    return open_first_round(seats, opener, edition="kidult", **{"powers": SIX, **house})


def gigamic(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Gigamic's variants."""
    return open_first_round(seats, opener, edition="gigamic", **{"powers": SIX, **house})


def either(edition: Edition, seats: int = 4, opener: int = 0) -> Script:
    """Play with the six of a box; what follows is the same for both."""
    return open_first_round(seats, opener, edition=edition, powers=SIX)
