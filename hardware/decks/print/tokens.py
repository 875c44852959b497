"""The tokens of all games: two-sided discs of one size."""

from collections.abc import Callable

from msgspec import Struct

from hardware.decks.art.coyote import COYOTE, PAW
from hardware.decks.art.plenty_coups import CLANS
from hardware.decks.art.symbols import ARROWS, CROWN, HORSE, SUN
from hardware.decks.card import WHITE, bold_text, place_symbol
from hardware.decks.drawing import PLAIN, Drawing, Item, Path, circle, fill, fill_and_stroke, path, stroke, text

TOKEN_SIZE = 24.0
_MIDDLE = TOKEN_SIZE / 2


class Token(Struct, frozen=True):
    """A kind of token: its two sides, and its number."""

    name: str
    count: int
    front: Callable[[], Drawing]
    back: Callable[[], Drawing]


def _disc(colour: str, ground: str, *items: Item) -> Drawing:
    rim = (
        fill_and_stroke(circle(_MIDDLE, _MIDDLE, 11.6), ground, colour, 0.5),
        stroke(circle(_MIDDLE, _MIDDLE, 10.3), colour, 0.4),
    )
    return Drawing(TOKEN_SIZE, TOKEN_SIZE, (*rim, *items))


def _symbol(symbol: Path, colour: str, ground: str, word: str = "") -> Callable[[], Drawing]:
    """Make a side with a symbol and a word below it."""

    def draw() -> Drawing:
        middle = _MIDDLE - (1.6 if word else 0)
        size = 10.5 if word else 13
        words = (fill(text(word, _MIDDLE, 19.2, 2.0, font=PLAIN), colour),) if word else ()
        return _disc(colour, ground, fill(place_symbol(symbol, _MIDDLE, middle, size), colour), *words)

    return draw


def _number(words: str, colour: str, ground: str) -> Callable[[], Drawing]:
    def draw() -> Drawing:
        return _disc(colour, ground, bold_text(words, _MIDDLE, _MIDDLE + 4, 8, colour))

    return draw


_RUST, _NIGHT, _TEAL, _GOLD, _BARK = "#a9502f", "#23264f", "#1f6f78", "#a5780f", "#4f3220"
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
    Token("coyote mark", 18, _symbol(PAW, _RUST, "#fdf3df"), _symbol(COYOTE, WHITE, _RUST)),
    *(
        Token(
            f"oliphante {name}",
            count,
            _symbol(symbol, _TEAL, "#f3faf6", name),
            _symbol(PAW, "#8fb9bd", WHITE, "used"),
        )
        for name, count, symbol in _OLIPHANTE
    ),
    Token(
        "kidult special", 6, _symbol(SUN, _NIGHT, "#f6e7b4", "special"), _symbol(SUN, "#a6a8c0", WHITE, "used")
    ),
    Token("coup coin", 50, _symbol(CROWN, _GOLD, "#fbeeca"), _number("1", _GOLD, "#fbeeca")),
    *(
        Token(
            f"{name} raid",
            4,
            _symbol(clan.symbol, WHITE, clan.colour, "raid"),
            _symbol(clan.symbol, clan.colour, WHITE, "renown"),
        )
        for name, clan in CLANS.items()
    ),
    Token("horse", 36, _symbol(HORSE, _BARK, "#e9efd9"), _number("+1", _BARK, "#fbeeca")),
)
