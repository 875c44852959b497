"""What an option or a claim would bring: told in small beside it, before anything is decided."""

from collections.abc import Mapping

from msgspec import Struct

from referee.contract.asks import Datum


class CountChange(Struct, frozen=True, gc=False):
    """What a count of a seat is now, and what it would become."""

    seat: int
    count: str
    before: int
    after: int


class Effect(Struct, frozen=True, gc=False):
    """What follows from an option: data for one short line, the card that it is about, counts that change."""

    key: str
    values: Mapping[str, Datum] = {}
    face: str = ""
    changes: tuple[CountChange, ...] = ()


def make_effect(key: str, face: str = "", changes: tuple[CountChange, ...] = (), **values: Datum) -> Effect:
    """Make an effect from its key and its values."""
    return Effect(key, values, face, changes)
