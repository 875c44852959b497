"""The tokens of all games: two-sided discs of one size."""

from msgspec import Struct

from hardware.decks.art.coup import COIN_SIDES
from hardware.decks.art.coyote import ART
from hardware.decks.art.plenty_coups import CLANS, HORSE_SIDES
from hardware.decks.card import WHITE
from hardware.decks.discs import ACROSS, Side, symbol_side
from hardware.decks.drawing import Path, circle, path

TOKEN_SIZE = ACROSS
COYOTE, PAW, ARROWS, SUN = (ART.symbols[name] for name in ("coyote", "paw", "arrows", "sun"))


class Token(Struct, frozen=True):
    """A kind of token: its two sides, and its number."""

    name: str
    count: int
    front: Side
    back: Side


_RUST, _NIGHT, _TEAL = "#a9502f", "#23264f", "#1f6f78"
_CARD: Path = (*path("M-6 -9 H6 V9 H-6 Z"), *path("M-4.6 -7.6 H4.6 V7.6 H-4.6 Z"))
_PLUS: Path = (*_CARD, *path("M-3.4 -0.9 H-0.9 V-3.4 H0.9 V-0.9 H3.4 V0.9 H0.9 V3.4 H-0.9 V0.9 H-3.4 Z"))
_SKIP: Path = path("M-10 4 C-8 -8 6 -9 8 1 L10.4 0 L7.4 7 L1.4 3.4 L4.4 2.4 C2 -5 -6 -4 -6.6 5 Z")
_TURN: Path = path("M8 8 C8 -6 -4 -8 -6 -2 H-2.4 L-7.6 6 L-11 -3 H-9 C-8 -13 11 -12 11 8 Z")
_GUESS: Path = (
    *path("M-10 0 C-6 -6.4 6 -6.4 10 0 C6 6.4 -6 6.4 -10 0 Z"),
    *circle(0, 0, 3.9),
    *circle(0, 0, 1.7),
)

_OLIPHANTE: tuple[tuple[str, int, Path], ...] = (
    ("extra", 2, _PLUS),
    ("skip", 2, _SKIP),
    ("replace", 2, ARROWS),
    ("reverse", 1, _TURN),
    ("guess", 1, _GUESS),
)

TOKENS: tuple[Token, ...] = (
    Token("coyote mark", 18, symbol_side(PAW, _RUST, "#fdf3df"), symbol_side(COYOTE, WHITE, _RUST)),
    *(
        Token(
            f"oliphante {name}",
            count,
            symbol_side(symbol, _TEAL, "#f3faf6", name),
            symbol_side(PAW, "#8fb9bd", WHITE, "used"),
        )
        for name, count, symbol in _OLIPHANTE
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
