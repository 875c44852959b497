"""What the table's screen shows: one picture, one fact, one question; pure."""

from collections.abc import Iterator
from typing import Literal

from markupsafe import Markup
from msgspec import Struct

from referee.cells import columns_of, face_at, lines_of
from referee.contract import Board, CardRow, Cell, Choice, Grid, Mood, Situation, Weight
from referee.contract.words import phrase, plural
from referee.house_rules import changed_house_rules, edition_name
from referee.match import Match
from referee.showing import cue_for, questions_of
from referee.telling import (
    Listener,
    ToldHeadline,
    tell,
    tell_card_row,
    tell_face,
    tell_fact,
    tell_headline,
    tell_labelled,
    tell_situation,
    with_short_names,
)
from webui.drawing.looks import Look
from webui.drawing.plates import Plate, plates_of, whole_cells
from webui.drawing.questions import bare_questions
from webui.drawing.reveals import (
    Line,
    RevealView,
    ShownCard,
    VerdictLine,
    key_facts,
    key_rows,
    line_of,
    places_of,
    reveal_view,
    verdict_line,
)
from webui.drawing.score_board import AskLine, Clock
from webui.drawing.seat_view import CountPile, pile_of
from webui.drawing.words import Texts, page_text

Layout = Literal["won", "seats", "reveal", "call", "count", "claim", "grid", "rows", "row", "number"]
"""How the window is laid out: by what there is to show, never by which game it is."""
HEAD = 54
"""Letters for which there is room in the head: of the title, and of facts beside it."""
JOINING = 8
"""Letters that the address takes from it while seats are free."""
LONG_ROW = 5
"""Places of a row from which cards are drawn as places in a line."""
WITHOUT_VERDICT = frozenset({"won", "seats", "call"})
"""Layouts beside which nothing else is told."""
GRID = (14, 3)
"""Columns and rows of a grid that are drawn at least."""


class Row(Struct, frozen=True):
    """A row of cards in the window."""

    key: str
    name: str
    cards: tuple[ShownCard, ...]
    ribbon: str = ""
    """Who says it has them; empty for cards that were seen."""


class GridPlace(Struct, frozen=True):
    """A cell of a grid in the window."""

    face: str = ""
    name: str = ""
    is_whole: bool = False
    is_allowed: bool = False
    """Something may be laid there now."""

    @property
    def kind(self) -> str:
        """Name how the cell is drawn below its card."""
        return "allowed" if self.is_allowed else "" if self.face else "free"


class ScreenWindow(Struct, frozen=True):
    """All that stands in the window."""

    layout: Layout
    mood: str
    scene: Markup
    headline: ToldHeadline | None
    label: str
    """Whose turn it is, in a few words."""
    situation: str
    question: str
    also: str
    """What else may be done, which no one has to know."""
    rows: tuple[Row, ...]
    facts: tuple[str, ...]
    """What else decides, each in a few words."""
    trail: tuple[int, ...]
    pile: CountPile | None
    """What the player in turn has of what buys something."""
    line: Line | None
    lines: tuple[tuple[GridPlace, ...], ...]
    """The grid of whose turn it is, row by row."""
    clock: Clock | None
    awaited: tuple[str, ...]
    verdict: str
    """In the end, how it came to it."""
    slots: int
    """Cards that are still to be laid in the middle."""


class ScreenView(Struct, frozen=True):
    """The whole screen."""

    title: str
    facts: tuple[str, ...]
    window: ScreenWindow
    plates: tuple[Plate, ...]
    is_over: bool
    reveal: RevealView | None
    """What has just come to light."""
    verdict: VerdictLine | None
    """What was decided last, while no scene tells it."""


class Table(Struct, frozen=True):
    """What all parts of the screen are drawn from."""

    match: Match
    board: Board
    grids: tuple[Grid, ...]
    situation: Situation | None
    listener: Listener
    look: Look
    asks: tuple[AskLine, ...]
    reveal: RevealView | None


def screen_of(
    match: Match,
    listener: Listener,
    look: Look,
    asks: tuple[AskLine, ...],
    *,
    has_free: bool = False,
    is_small: bool = False,
) -> ScreenView:
    """Draw the screen, or for phones the same in small; before the first answer, the seats come first."""
    game = match.setup.game
    seen = game.shown.view(match.state, None)
    board, grids = game.shown.board(seen), game.table.grids(seen)
    reveal = None if match.outcome is not None else reveal_view(match, listener)
    table = Table(
        match, board, grids, game.shown.situation(seen), with_short_names(listener), look, asks, reveal
    )
    layout = _layout(match, board, grids, has_free, reveal)
    return ScreenView(
        title=listener.language.gettext(game.words.title),
        facts=tuple(_head_facts(table, HEAD - JOINING if has_free else HEAD)),
        window=_window(table, layout, is_small=is_small),
        plates=plates_of(match, board, grids, listener, look),
        is_over=match.outcome is not None,
        reveal=reveal,
        verdict=verdict_line(match, listener) if reveal is None and layout not in WITHOUT_VERDICT else None,
    )


def layout_of(match: Match, seat: int | None) -> Layout:
    """Choose the layout for what a seat sees."""
    game = match.setup.game
    seen = game.shown.view(match.state, seat)
    return (
        "won" if match.outcome is not None else _layout_of_board(game.shown.board(seen), game.table.grids(seen))
    )


def _layout(
    match: Match, board: Board, grids: tuple[Grid, ...], has_free: bool, reveal: RevealView | None
) -> Layout:
    """Choose the layout by what there is to show."""
    if match.outcome is not None:
        return "won"
    if has_free and match.number == 0:
        return "seats"
    if reveal is not None and not any(map(_is_count, key_rows(board))):
        return "reveal"
    layout = _layout_of_board(board, grids)
    has_open = not grids and any(row.faces for row in _shown_rows(board))
    return "row" if layout == "number" and has_open else layout


def _layout_of_board(board: Board, grids: tuple[Grid, ...]) -> Layout:
    keyed = key_rows(board)
    if len([row for row in keyed if row.places >= LONG_ROW]) > 1:
        return "rows"
    if any(row.places and not row.faces and not row.notes for row in keyed):
        return "call"
    for layout, fits in (("count", _is_count), ("claim", _is_claim), ("row", _is_row)):
        if any(map(fits, keyed)) and not (layout == "row" and grids):
            return layout  # type: ignore[return-value]
    return "grid" if grids and board.turn is not None else "number"


def _shown_rows(board: Board) -> tuple[CardRow, ...]:
    """Give the rows that decide now, or those that lie open before all."""
    open_rows = (row for row in board.cards if row.weight == Weight.MAIN and row.seat is None)
    return key_rows(board) or tuple(open_rows)


def _is_count(row: CardRow) -> bool:
    return bool(row.faces and row.notes and not row.places)


def _is_claim(row: CardRow) -> bool:
    return row.claimed_by is not None


def _is_row(row: CardRow) -> bool:
    return bool(row.faces or row.notes) and row.places < LONG_ROW


def _head_facts(table: Table, letters: int) -> Iterator[str]:
    """Name the edition, and tell as many main facts of the table as there is room for."""
    setup, listener = table.match.setup, table.listener
    room = letters - len(setup.game.words.title)
    shared = (fact for fact in table.board.facts if fact.seat is None and fact.weight == Weight.MAIN)
    edition = edition_name(setup.game, setup.house)
    changed = len(changed_house_rules(setup.game, setup.house))
    agreed = (
        page_text(
            listener.language, plural("{count} house rule", "{count} house rules", "count"), count=changed
        )
        if changed
        else ""
    )
    for text in (edition, agreed, *(" ".join(tell_fact(listener, fact)) for fact in shared)):
        if text and len(text) <= room:
            room -= len(text) + len(" · ")
            yield text


def _window(table: Table, layout: Layout, *, is_small: bool) -> ScreenWindow:
    board, listener, asks = table.board, table.listener, table.asks
    asked = bare_questions(table.match, listener)
    scene = table.look.scene(board, is_over=layout == "won", is_small=is_small)
    rows = key_rows(board) if layout != "row" else _shown_rows(board)
    return ScreenWindow(
        layout=layout,
        mood=scene.mood,
        scene=scene.svg,
        headline=None if board.headline is None else tell_headline(listener, board.headline),
        label=_label(board, listener),
        situation="" if table.situation is None else tell_situation(listener, table.situation),
        question=asked[0].text if asked else "",
        also=" ".join(told.text for told in asked[1:]),
        rows=tuple(_row(row, listener) for row in rows),
        facts=tuple(_key_facts(board, listener)),
        trail=board.trail,
        pile=_pile(table),
        line=None if board.track is None else line_of(board.track, listener),
        lines=_lines(table, listener),
        clock=next((ask.clock for ask in asks if ask.clock), None),
        awaited=_awaited(table.match, listener),
        verdict=_verdict(table.match, listener) if layout == "won" else "",
        slots=next((row.places for row in rows if not row.faces), 0),
    )


def _label(board: Board, listener: Listener) -> str:
    if board.turn is None or board.turn >= len(listener.names):
        return ""
    return page_text(listener.language, phrase("{name}'s turn"), name=listener.names[board.turn])


def _key_facts(board: Board, listener: Listener) -> Iterator[str]:
    for fact in key_facts(board):
        if fact.seat is None:
            told = tell_fact(listener, fact)
            yield tell_labelled(listener.language, told.label, told.text)


def _row(row: CardRow, listener: Listener) -> Row:
    ribbon = ""
    if row.claimed_by is not None:
        ribbon = page_text(listener.language, phrase("says {name}"), name=listener.names[row.claimed_by])
    cards = places_of(row, listener)
    return Row(row.key, tell_card_row(listener, row), cards, ribbon)


def _pile(table: Table) -> CountPile | None:
    standings = table.match.setup.game.rules.standings(table.match.state)
    return pile_of(table.board, next((each for each in standings if each.seat == table.board.turn), None))


def _lines(table: Table, listener: Listener) -> tuple[tuple[GridPlace, ...], ...]:
    """Draw the grid of whose turn it is, as large as people see it."""
    grid = next((grid for grid in table.grids if grid.seat == table.board.turn), None)
    if grid is None:
        return ()
    whole, allowed = whole_cells(grid), _allowed_cells(table.match)
    columns, lines = _widened(columns_of(grid), GRID[0]), _widened(lines_of(grid), GRID[1])

    def place(cell: Cell) -> GridPlace:
        face = face_at(grid, cell)
        return GridPlace(face, tell_face(listener, face) if face else "", cell in whole, cell in allowed)

    return tuple(tuple(place((column, row)) for column in columns) for row in lines)


def _allowed_cells(match: Match) -> frozenset[Cell]:
    """List the cells that may be chosen now."""
    choices = (ask for ask in match.asks if isinstance(ask, Choice))
    return frozenset(option.cell for ask in choices for option in ask.options if option.cell is not None)


def _widened(numbers: range, least: int) -> range:
    """Add as many on both sides as make at least so many."""
    lacking = max(0, least - len(numbers))
    return range(numbers.start - lacking // 2, numbers.stop + lacking - lacking // 2)


def _awaited(match: Match, listener: Listener) -> tuple[str, ...]:
    """Name those who are asked what stops play, one by one."""
    seats = next((question.seats for question in questions_of(match)), ())
    return tuple(with_short_names(listener).names[seat] for seat in sorted(seats))


def winners_text(match: Match, listener: Listener) -> str:
    """Say who has won, as large as it goes."""
    outcome = match.outcome
    if outcome is None or not outcome.winners:
        return page_text(listener.language, Texts.no_winner)
    names = ", ".join(listener.names[seat] for seat in outcome.winners)
    return page_text(
        listener.language,
        phrase("{names} wins") if len(outcome.winners) == 1 else phrase("{names} win"),
        names=names,
    )


def _verdict(match: Match, listener: Listener) -> str:
    """Word what decided the match."""
    cued = [(ruling, cue_for(match.setup.game, ruling)) for ruling in match.rulings]
    moved = [ruling for ruling, cue in cued if cue is not None and cue.mood != Mood.SEASON]
    return " ".join(tell(listener, ruling) for ruling in moved[-1:])
