"""The tokens of all games: two-sided discs of one size."""

from msgspec import Struct

from hardware.decks.art.coup import COIN_SIDES
from hardware.decks.art.coyote import ART
from hardware.decks.art.plenty_coups import CLANS, HORSE_SIDES
from hardware.decks.card import WHITE
from hardware.decks.discs import ACROSS, Side, symbol_side

TOKEN_SIZE = ACROSS
COYOTE, PAW, SUN = (ART.symbols[name] for name in ("coyote", "paw", "sun"))


class Token(Struct, frozen=True):
    """A kind of token: its two sides, and its number."""

    name: str
    count: int
    front: Side
    back: Side


_RUST, _NIGHT, _TEAL = "#a9502f", "#23264f", "#1f6f78"
_OLIPHANTE = {"extra": 2, "skip": 2, "replace": 2, "reverse": 1, "guess": 1}
"""The powers of this edition, each drawn by a symbol of its name."""

TOKENS: tuple[Token, ...] = (
    Token("coyote mark", 18, symbol_side(PAW, _RUST, "#fdf3df"), symbol_side(COYOTE, WHITE, _RUST)),
    *(
        Token(
            f"oliphante {name}",
            count,
            symbol_side(ART.symbols[name], _TEAL, "#f3faf6", name),
            symbol_side(PAW, "#8fb9bd", WHITE, "used"),
        )
        for name, count in _OLIPHANTE.items()
    ),
    Token(
        "kidult special",
        6,
        symbol_side(SUN, _NIGHT, "#f6e7b4", "special"),
        symbol_side(SUN, "#a6a8c0", WHITE, "used"),
    ),
    Token("coup coin", 50, *COIN_SIDES),
    *(
        Token(
            f"{name} raid",
            4,
            symbol_side(clan.symbol, WHITE, clan.colour, "raid"),
            symbol_side(clan.symbol, clan.colour, WHITE, "renown"),
        )
        for name, clan in CLANS.items()
    ),
    Token("horse", 36, *HORSE_SIDES),
)
