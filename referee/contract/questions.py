"""What is asked, as data for whole questions: of whom, what, and about what."""

from collections.abc import Mapping

from msgspec import Struct

from referee.contract.asks import Ask, Datum, Number, Show
from referee.contract.board import Situation


class Question(Struct, frozen=True, gc=False):
    """One whole question: the asks that it puts together, the seats asked, and what it is about.

    Its words name all that is at stake; where a situation is needed for that, it is told before them.
    """

    key: str
    asks: tuple[str, ...]
    seats: tuple[int, ...]
    values: Mapping[str, Datum]
    about: Situation | None = None


def make_question(
    key: str, stakes: Mapping[str, Datum], *asks: Ask, about: Situation | None = None
) -> Question:
    """Make a question of asks that the same seats answer, with what is at stake."""
    seats = asks[0].seats
    own = {name: value for ask in asks for name, value in _limits(ask).items()}
    values = {"seats": seats, "asked": len(seats), **own, **stakes}
    return Question(key, tuple(ask.key for ask in asks), seats, values, about)


def _limits(ask: Ask) -> Mapping[str, Datum]:
    """Give what an ask itself says of its answers."""
    match ask:
        case Number():
            return {"least": ask.least, "most": ask.most}
        case Show():
            return {"count": ask.count}
        case _:
            return {}
