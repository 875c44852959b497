"""What a table may agree on before it plays; the defaults first."""

from typing import Literal

from msgspec import Struct


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    length: Literal["short", "long"] = "short"
    doubling: bool = True


TARGET = {"short": 5, "long": 10}
"""Points that win the match."""

SETTINGS = {"short": House(), "long": House(length="long", doubling=False)}
"""Ways to play that checks go through."""
