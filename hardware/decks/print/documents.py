"""The documents to print, as PDF: decks, markers, the play mat, tokens.

Print at 100 %, on both sides, flipped over the long edge.
"""

from collections.abc import Sequence

from msgspec import Struct

from hardware.decks.art.coup import COIN_SIDES
from hardware.decks.art.coyote import ART
from hardware.decks.art.plenty_coups import CLANS, HORSE_SIDES
from hardware.decks.card import WHITE
from hardware.decks.catalogue import PrintedDeck
from hardware.decks.discs import ACROSS, Side, symbol_side
from hardware.decks.drawing import PLAIN, Drawing, Group, Item, fill, placement, text
from hardware.decks.print.markers import PLATE_HEIGHT, PLATE_WIDTH, plate
from hardware.decks.print.pdf import pdf
from hardware.decks.print.playmat import SEAT, overview, tiles
from hardware.decks.print.sheets import PAPERS, Paper, SheetGrid, in_sheets
from referee.contract.cards import expand_counts

GUTTER = 2.0
MARKS = "abcdefgh"  # marks that distinguish decks of one game
_MARK_COLOUR = "#4a4e60"


def deck_sheets(printed: PrintedDeck, paper: str = "a4", mark: str | None = None) -> bytes:
    """Return a PDF of all cards, nine on a sheet, fronts and backs on alternate pages."""
    return pdf(deck_pages(printed, PAPERS[paper], mark))


def deck_pages(printed: PrintedDeck, paper: Paper, mark: str | None = None) -> list[Drawing]:
    faces = {name: with_mark(drawing, mark) for name, drawing in printed.faces.items()}
    back = with_mark(printed.back, mark)
    pieces = [(faces[name], back) for name in expand_counts({**printed.counts, **printed.extras})]
    grid = SheetGrid(paper, 3, 3, printed.width, printed.height, GUTTER)
    return in_sheets(pieces, grid, printed.name if mark is None else f"{printed.name} {mark}")


def with_mark(card: Drawing, mark: str | None) -> Drawing:
    """Add a deck's mark to both ends of the border; its letter and position identify the deck."""
    if mark is None:
        return card
    x = 20.0 + 3.2 * MARKS.index(mark)
    letter: Item = fill(text(mark, x, 2.2, 1.9, font=PLAIN), _MARK_COLOUR)
    turned = Group((letter,), placement(card.width, card.height, turn=180))
    return Drawing(card.width, card.height, (*card.items, letter, turned))


def markers(paper: str = "a4") -> bytes:
    grid = SheetGrid(PAPERS[paper], 2, 2, PLATE_WIDTH, PLATE_HEIGHT, 6)
    return pdf(in_sheets([(plate(number),) * 2 for number in range(4)], grid, "markers")[:1])


def mat(paper: str = "a4", parts: Sequence[str] = SEAT) -> bytes:
    """Return a PDF of the play mat: an overview, then its tiles; `parts` are those of each seat's area."""
    return pdf([overview(PAPERS[paper], parts), *tiles(PAPERS[paper], parts)])


def tokens(paper: str = "a4") -> bytes:
    pieces = [(token.front(), token.back()) for token in TOKENS for _ in range(token.count)]
    return pdf(in_sheets(pieces, SheetGrid(PAPERS[paper], 7, 9, TOKEN_SIZE, TOKEN_SIZE, GUTTER), "tokens"))


# the tokens of all games: two-sided discs of one size

TOKEN_SIZE = ACROSS
COYOTE, PAW, SUN = (ART.symbols[name] for name in ("coyote", "paw", "sun"))


class Token(Struct, frozen=True):
    """A kind of token: its two sides, and its count."""

    name: str
    count: int
    front: Side
    back: Side


_RUST, _NIGHT, _TEAL = "#a9502f", "#23264f", "#1f6f78"
_OLIPHANTE = {"extra": 2, "skip": 2, "replace": 2, "reverse": 1, "guess": 1}
"""The powers of this edition, each drawn by the symbol of its name."""
_USED_POWER, _USED_SPECIAL = (
    symbol_side(symbol, pale, WHITE, "used") for symbol, pale in ((PAW, "#8fb9bd"), (SUN, "#a6a8c0"))
)

TOKENS: tuple[Token, ...] = (
    Token("coyote mark", 18, symbol_side(PAW, _RUST, "#fdf3df"), symbol_side(COYOTE, WHITE, _RUST)),
    *(
        Token(f"oliphante {name}", count, symbol_side(ART.symbols[name], _TEAL, "#f3faf6", name), _USED_POWER)
        for name, count in _OLIPHANTE.items()
    ),
    Token("kidult special", 6, symbol_side(SUN, _NIGHT, "#f6e7b4", "special"), _USED_SPECIAL),
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
