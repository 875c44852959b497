"""A territory: cards on a growing grid with a maximum size, and the canoes they form.

The first card is in the middle, so the grid can grow in every direction without renaming cells.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from referee.contract import Option
from referee.games.ogallala.deck import BOWS, CREW, GUARDIAN, PICTURE, STERNS, STRENGTH, Crew

Cell = tuple[int, int]  # column and row, counted from the left and from the top
Row = tuple[str, ...]  # cards from left to right; a gap is an empty string

WIDEST, HIGHEST = 14, 3
HOME: Cell = (WIDEST - 1, HIGHEST - 1)
"""Cell of the first card; the grid can grow by its full width and height in every direction."""


PUSHES: Mapping[str, int] = {"push-right": 1, "push-left": -1, "slide-right": 1, "slide-left": -1}
"""Ways to push a row apart, with the shift of its cards to the right."""
SLIDES = frozenset({"slide-right", "slide-left"})
"""Pushes that move cards only up to the next gap."""


class Canoe(Struct, frozen=True, gc=False):
    """Connected cards of a row, with gaps of at most one cell, and the first card's cell."""

    cell: Cell
    cards: Row

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for cell, _card in self.cells_aboard)

    @property
    def cells_aboard(self) -> Iterator[tuple[Cell, str]]:
        return ((beside(self.cell, place), card) for place, card in enumerate(self.cards) if card)

    @property
    def cards_aboard(self) -> tuple[str, ...]:
        return tuple([card for card in self.cards if card])

    @property
    def is_complete(self) -> bool:
        """Return whether a canoe has a bow, a stern and no gap."""
        return self.cards[0] in BOWS and self.cards[-1] in STERNS and "" not in self.cards

    @property
    def strength(self) -> int:
        return sum([STRENGTH[card] for card in self.cards if card])

    @property
    def is_protected(self) -> bool:
        return GUARDIAN in self.cards

    @property
    def parts(self) -> "tuple[Canoe, ...]":
        parts: list[Canoe] = []
        for place, card in enumerate(self.cards):
            if card and parts and self.cards[place - 1]:
                parts[-1] = Canoe(parts[-1].cell, (*parts[-1].cards, card))
            elif card:
                parts.append(Canoe(beside(self.cell, place), (card,)))
        return tuple(parts)


class Territory(Struct, frozen=True, gc=False, cache_hash=True):
    """The bounding rectangle of a player's cards, row by row, and its first cell."""

    left: int = HOME[0]
    top: int = HOME[1]
    rows: tuple[Row, ...] = ()

    @property
    def cells(self) -> dict[Cell, str]:
        return {
            (self.left + place, self.top + line): card
            for line, row in enumerate(self.rows)
            for place, card in enumerate(row)
            if card
        }

    def card_at(self, cell: Cell) -> str:
        """Return the card in a cell, or an empty string."""
        return in_row(self.row_at(cell[1]), cell[0] - self.left)

    def row_at(self, row: int) -> Row:
        line = row - self.top
        return self.rows[line] if 0 <= line < len(self.rows) else ()

    def with_card(self, cell: Cell, card: str) -> "Territory":
        if not self.rows:
            return Territory(*cell, ((card,),))
        (column, line), width, height = cell, len(self.rows[0]), len(self.rows)
        left, top = min(self.left, column), min(self.top, line)
        before, after = ("",) * (self.left - left), ("",) * (column - self.left - width + 1)
        blank = ("",) * (len(before) + width + len(after))
        above, below = [blank] * (self.top - top), [blank] * (line - self.top - height + 1)
        rows = above + [before + row + after for row in self.rows] + below
        there, place = rows[line - top], column - left
        rows[line - top] = (*there[:place], card, *there[place + 1 :])
        return Territory(left, top, tuple(rows))

    def without_cards(self, cells: frozenset[Cell]) -> "Territory":
        return territory_of({cell: card for cell, card in self.cells.items() if cell not in cells})

    def pushed_cell(self, cell: Cell, option: Option) -> Cell:
        """Return a card's cell after a row has been pushed apart for another card."""
        step = PUSHES.get(option.word, 0)
        if option.cell is None or cell[1] != option.cell[1] or (cell[0] - option.cell[0]) * step < 0:
            return cell
        gap = self.gap_beyond(option.cell, step) if option.word in SLIDES else None
        return cell if gap is not None and (cell[0] - gap[0]) * step > 0 else beside(cell, step)

    def gap_beyond(self, cell: Cell, step: int) -> Cell | None:
        """Return the next gap of a row in a direction; None if the row ends without one."""
        row, place = self.row_at(cell[1]), cell[0] - self.left
        beyond = row[place:] if step > 0 else row[place::-1]
        length = beyond.index("") if "" in beyond else len(beyond)
        return beside(cell, step * length) if any(beyond[length:]) else None

    def with_row_pushed(self, option: Option) -> "Territory":
        """Make room in a row: move all cards on one side of a cell by one, or only those up to the next gap."""
        if option.word not in PUSHES:
            return self
        pushed = {self.pushed_cell(cell, option): card for cell, card in self.cells.items()}
        return territory_of(pushed)

    @property
    def room(self) -> tuple[range, range]:
        """Return the columns and rows that a territory can occupy within its maximum size."""
        left, top, rows = self.left, self.top, self.rows
        columns = range(left + len(rows[0]) - WIDEST, left + WIDEST)
        return columns, range(top + len(rows) - HIGHEST, top + HIGHEST)

    @property
    def frame(self) -> tuple[Cell, Cell]:
        """Return the first and last displayed cell: the cards, and a margin where they may grow."""
        if not self.rows:
            return HOME, HOME
        columns, rows = self.room
        right, bottom = self.left + len(self.rows[0]), self.top + len(self.rows)
        first = max(self.left - 1, columns.start), max(self.top - 1, rows.start)
        return first, (min(right, columns.stop - 1), min(bottom, rows.stop - 1))

    def counted_cell(self, cell: Cell) -> Cell:
        """Return a cell counted from the first displayed one, for texts; the record uses internal names."""
        first, _last = self.frame
        return cell[0] - first[0], cell[1] - first[1]

    @property
    def canoes(self) -> tuple[Canoe, ...]:
        return _canoes_of(self)

    def canoes_in(self, line: int) -> list[Canoe]:
        row = self.row_at(line)
        return [Canoe((self.left + first, line), row[first : last + 1]) for first, last in groups(row)]

    def canoe_at(self, cell: Cell) -> Canoe:
        row, place = self.row_at(cell[1]), cell[0] - self.left
        first, last = next(group for group in groups(row) if group[0] <= place <= group[1])
        return Canoe((self.left + first, cell[1]), row[first : last + 1])

    @property
    def complete(self) -> tuple[Canoe, ...]:
        return tuple([canoe for canoe in self.canoes if canoe.is_complete])

    @property
    def incomplete(self) -> tuple[Canoe, ...]:
        return tuple([canoe for canoe in self.canoes if not canoe.is_complete])


def territory_of(cells: dict[Cell, str]) -> Territory:
    """Return the smallest rectangle around cards."""
    if not cells:
        return Territory()
    columns, lines = {column for column, _row in cells}, {row for _column, row in cells}
    left, top = min(columns), min(lines)
    rows = tuple(
        tuple([cells.get((column, row), "") for column in range(left, max(columns) + 1)])
        for row in range(top, max(lines) + 1)
    )
    return Territory(left, top, rows)


@lru_cache(maxsize=256)
def _canoes_of(territory: Territory) -> tuple[Canoe, ...]:
    lines = range(territory.top, territory.top + len(territory.rows))
    return tuple([canoe for line in lines for canoe in territory.canoes_in(line)])


@lru_cache(maxsize=256)
def cards_in(territory: Territory) -> tuple[str, ...]:
    return tuple([card for row in territory.rows for card in row if card])


def in_row(row: Row, place: int) -> str:
    """Return the card at a place of a row, which may be beyond its ends."""
    return row[place] if 0 <= place < len(row) else ""


def without_blank_ends(row: Row) -> tuple[int, Row]:
    """Return the number of gaps before the first card, and the row from its first to its last card."""
    first, last = 0, len(row)
    while first < last and not row[first]:
        first += 1
    while first < last and not row[last - 1]:
        last -= 1
    return first, row[first:last]


def beside(cell: Cell, columns: int, rows: int = 0) -> Cell:
    return cell[0] + columns, cell[1] + rows


@lru_cache(maxsize=256)
def free_cells(territory: Territory) -> Mapping[Cell, str]:
    """Return the cells where the territory may grow, each with an adjacent card, preferably of its row."""
    if not territory.rows:
        return {HOME: ""}
    free: dict[Cell, str] = {}
    columns, lines = territory.room
    left, top, width = territory.left, territory.top, len(territory.rows[0])
    blank = ("",) * (width + 4)
    rows = [blank, blank, *(("", "", *row, "", "") for row in territory.rows), blank, blank]
    places = range(max(left - 1, columns.start) - left + 2, min(left + width + 1, columns.stop) - left + 2)
    for line in range(max(top - 1, lines.start), min(top + len(territory.rows) + 1, lines.stop)):
        above, row, below = rows[line - top + 1 : line - top + 4]
        for place in places:
            if not row[place]:
                before, after = place - 1, place + 1
                sides = row[before] or row[after] or above[place] or below[place]
                card = sides or above[before] or above[after] or below[before] or below[after]
                if card:
                    free[left + place - 2, line] = card
    return free


@lru_cache(maxsize=4096)
def groups(row: Row) -> tuple[tuple[int, int], ...]:
    """Split a row into canoes; returns the first and last place of each."""
    found: list[tuple[int, int]] = []
    for place, card in enumerate(row):
        if card and found and belong_together(row[found[-1][1]], card, place - found[-1][1]):
            found[-1] = (found[-1][0], place)
        elif card:
            found.append((place, place))
    return tuple(found)


def belong_together(left: str, right: str, apart: int) -> bool:
    """Return whether two neighbours form a canoe; a gap may stand for one card, but not for a bow or stern."""
    is_end = left in STERNS, right in BOWS
    return is_end != (True, True) if apart == 1 else apart == 2 and not any(is_end)


def completed_by(before: Territory, option: Option, after: Territory) -> tuple[Canoe, ...]:
    """Return the canoes completed by a card; a complete canoe that is pushed was complete before."""
    line = HOME[1] if option.cell is None else option.cell[1]
    completed = [canoe for canoe in after.canoes_in(line) if canoe.is_complete]
    if not completed:
        return ()
    old = {before.pushed_cell(canoe.cell, option) for canoe in before.complete}
    return tuple([canoe for canoe in completed if canoe.cell not in old])


def crews_of(cards: Row) -> frozenset[Crew]:
    return frozenset([CREW[card] for card in cards if card in CREW])


@lru_cache(maxsize=1024)
def pictures_of(cards: Row) -> frozenset[str]:
    return frozenset([PICTURE[card] for card in cards if card])


def has_doubles(cards: Row) -> bool:
    return len(pictures_of(cards)) < len(cards) - cards.count("")
