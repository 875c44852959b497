"""What the table's screen shows: one picture, one fact, one question; pure."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from referee.cells import columns_of, lines_of
from referee.contract import Choice, Mood, Weight
from referee.contract.words import phrase, plural
from referee.house_rules import changed_house_rules, edition_name
from referee.moment_view import MomentView, RowView, SceneView, VerdictView, view_of
from referee.sentences import labelled_text
from webui.views.grids import GridRow, grid_rows
from webui.views.looks import Look
from webui.views.plates import Plate, plates_of
from webui.views.score_board import Clock
from webui.views.seat_view import pile_of
from webui.views.words import Texts, page_text

Layout = Literal["won", "seats", "reveal", "call", "count", "claim", "grid", "rows", "row", "number"]
"""How the window is laid out: by what there is to show, never by which game it is."""
HEAD = 54  # letters for which there is room in the head: of the title, and of facts beside it
JOINING = 8  # letters that the address takes from it while seats are free
LONG_ROW = 5  # places of a row from which cards are drawn as places in a line
WITHOUT_VERDICT = frozenset({"won", "seats", "call"})  # layouts beside which nothing else is told
GRID = (14, 3)  # columns and rows of a grid that are drawn at least


class ScreenView(Struct, frozen=True):
    """The whole screen."""

    title: str
    facts: tuple[str, ...]
    window: Mapping[str, object]  # all that stands in the window
    plates: tuple[Plate, ...]
    reveal: SceneView | None  # what has just come to light
    verdict: VerdictView | None  # what was decided last, while no scene tells it


def screen_of(
    full: MomentView, look: Look, clock: Clock | None, *, has_free: bool = False, is_small: bool = False
) -> ScreenView:
    """Draw the screen, or for phones the same in small; before the first answer, the seats come first."""
    told = view_of(full.match, full.listener.language, is_short=True)
    layout = _layout(told, has_free)
    reveal = None if told.outcome is not None else told.scene
    return ScreenView(
        title=told.title,
        facts=tuple(_head_facts(told, HEAD - JOINING if has_free else HEAD)),
        window=_window(told, look, clock, layout, is_small=is_small),
        plates=plates_of(full, look),
        reveal=reveal,
        verdict=told.verdict if reveal is None and layout not in WITHOUT_VERDICT else None,
    )


def layout_of(told: MomentView) -> Layout:
    return "won" if told.outcome is not None else _layout_of_board(told)


def _layout(told: MomentView, has_free: bool) -> Layout:
    if told.outcome is not None:
        return "won"
    if has_free and told.match.number == 0:
        return "seats"
    if told.scene is not None and not any(map(_is_count, told.key_rows)):
        return "reveal"
    layout = _layout_of_board(told)
    has_open = not told.grids and any(row.cards for row in _shown_rows(told))
    return "row" if layout == "number" and has_open else layout


def _layout_of_board(told: MomentView) -> Layout:
    keyed = [each.row for each in told.key_rows]
    if len([row for row in keyed if row.places >= LONG_ROW]) > 1:
        return "rows"
    if any(row.places and not row.faces and not row.notes for row in keyed):
        return "call"
    if any(map(_is_count, told.key_rows)):
        return "count"
    if any(row.claimed_by is not None for row in keyed):
        return "claim"
    if not told.grids and any((row.faces or row.notes) and row.places < LONG_ROW for row in keyed):
        return "row"
    return "grid" if told.grids and told.board.turn is not None else "number"


def _shown_rows(told: MomentView) -> tuple[RowView, ...]:
    open_rows = (row for row in told.rows if row.row.weight == Weight.MAIN and row.row.seat is None)
    return told.key_rows or tuple(open_rows)


def _is_count(told: RowView) -> bool:
    return bool(told.row.faces and told.row.notes and not told.row.places)


def _head_facts(told: MomentView, letters: int) -> Iterator[str]:
    """Name the edition, and tell as many main facts of the table as there is room for."""
    setup = told.match.setup
    room = letters - len(setup.game.words.title)
    shared = (each for each in told.facts if each.fact.seat is None and each.weight == Weight.MAIN)
    edition = edition_name(setup.game, setup.house)
    changed = len(changed_house_rules(setup.game, setup.house))
    rules = plural("{count} house rule", "{count} house rules", "count")
    agreed = page_text(told.listener.language, rules, count=changed) if changed else ""
    for text in (edition, agreed, *(f"{each.label} {each.text}" for each in shared)):
        if text and len(text) <= room:
            room -= len(text) + len(" · ")
            yield text


def _window(
    told: MomentView, look: Look, clock: Clock | None, layout: Layout, *, is_small: bool
) -> Mapping[str, object]:
    board, language, questions = told.board, told.listener.language, told.questions
    says = phrase("says {name}")
    scene = look.scene(board, is_over=layout == "won", is_small=is_small)
    rows = told.key_rows if layout != "row" else _shown_rows(told)
    turn = next((name for seat, name in enumerate(told.listener.names) if seat == board.turn), "")
    moved = [each.text for each in told.rulings if each.mood not in {None, Mood.SEASON}]
    return {
        "layout": layout,
        "mood": scene.mood,
        "scene": scene.svg,
        "headline": told.headline,
        "label": page_text(language, phrase("{name}'s turn"), name=turn) if turn else "",
        "situation": told.situation,
        "question": questions[0].bare if questions else "",
        # what else may be done, which no one has to know
        "also": " ".join(each.text for each in questions[1:]),
        "rows": [
            {
                "key": each.key,
                "name": each.name,
                "cards": each.places,
                # who says it has them; empty for cards that were seen
                "ribbon": page_text(language, says, name=each.claimed_by) if each.claimed_by else "",
            }
            for each in rows
        ],
        "facts": [
            labelled_text(language, each.label, each.text)
            for each in told.key_facts
            # what the headline tells already has no place to be told twice
            if each.fact.seat is None and each.label != getattr(told.headline, "above", None)
        ],
        "trail": board.trail,
        "pile": next((pile_of(board, each) for each in told.players if each.has_turn), None),
        "line": told.line,
        "lines": _lines(told),
        "clock": clock,
        # those who are asked what stops play, one by one
        "awaited": [told.name(seat) for each in questions[:1] for seat in sorted(each.question.seats)],
        # in the end, how it came to it
        "verdict": " ".join(moved[-1:]) if layout == "won" else "",
        # cards that are still to be laid in the middle
        "slots": next((each.row.places for each in rows if not each.cards), 0),
    }


def _lines(told: MomentView) -> tuple[GridRow, ...]:
    """Draw the grid of whose turn it is, as large as people see it."""
    grid = next((grid for grid in told.grids if grid.seat == told.board.turn), None)
    if grid is None:
        return ()
    choices = (ask for ask in told.match.asks if isinstance(ask, Choice))
    allowed = {option.cell for ask in choices for option in ask.options if option.cell is not None}
    columns, lines = _widened(columns_of(grid), GRID[0]), _widened(lines_of(grid), GRID[1])
    return grid_rows(grid, told.listener, columns, lines, {}, allowed)


def _widened(numbers: range, least: int) -> range:
    """Add as many on both sides as make at least so many."""
    lacking = max(0, least - len(numbers))
    return range(numbers.start - lacking // 2, numbers.stop + lacking - lacking // 2)


def winners_text(told: MomentView) -> str:
    names, language = told.winners, told.listener.language
    if not names:
        return page_text(language, Texts.no_winner)
    text = phrase("{names} wins") if len(names) == 1 else phrase("{names} win")
    return page_text(language, text, names=", ".join(names))
