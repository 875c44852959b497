"""Table screen: one picture, one fact, one question; pure functions."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from referee.cells import columns_of, lines_of
from referee.contract import Choice, Mood, Weight
from referee.contract.words import phrase, plural
from referee.house_rules import changed_house_rules, edition_name
from referee.moment_view import MomentView, RowView, SceneView, VerdictView
from referee.sentences import Language, labelled_text, names_text
from webui.views.grids import GridRow, grid_rows
from webui.views.looks import Look
from webui.views.plates import Plate, plates_of
from webui.views.score_board import Clock
from webui.views.seat_view import pile_of
from webui.views.words import Texts, page_text

Layout = Literal["won", "seats", "reveal", "call", "count", "claim", "grid", "rows", "row", "number"]
"""Layout of the window; it depends on the content, never on the game."""
HEAD = 54  # most characters in the head, for the title and the facts beside it
JOINING = 8  # characters of the head used by the address while seats are free
LONG_ROW = 5  # rows with at least this many places draw their cards in a line of places
WITHOUT_VERDICT = frozenset({"won", "seats", "call"})  # layouts without a verdict
GRID = (14, 3)  # least columns and rows of a drawn grid


class ScreenView(Struct, frozen=True):
    """Content of the whole screen."""

    title: str
    facts: tuple[str, ...]
    window: Mapping[str, object]  # values for the window
    plates: tuple[Plate, ...]
    reveal: SceneView | None  # cards or numbers just revealed
    verdict: VerdictView | None  # the latest decision, unless a scene shows it


def screen_of(
    public: MomentView, look: Look, clock: Clock | None, *, has_free: bool = False, is_small: bool = False
) -> ScreenView:
    """Return the screen of a public view, or its small version; seats are shown before the first answer."""
    told = public.short
    layout = _layout(told, has_free)
    reveal = None if told.outcome is not None else told.scene
    return ScreenView(
        title=told.title,
        facts=tuple(_head_facts(told, HEAD - JOINING if has_free else HEAD)),
        window=_window(told, look, clock, layout, is_small=is_small),
        plates=plates_of(public, look),
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
    has_open = not told.grids and any(row.cards for row in told.table_rows)
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


def _is_count(told: RowView) -> bool:
    return bool(told.row.faces and told.row.notes and not told.row.places)


def _head_facts(told: MomentView, letters: int) -> Iterator[str]:
    """Yield the edition, and as many main facts of the table as fit, which the end makes stale."""
    setup = told.match.setup
    room = letters - len(setup.game.words.title)
    facts = told.facts if told.outcome is None else ()
    shared = (each for each in facts if each.fact.seat is None and each.weight == Weight.MAIN)
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
    scene = look.scene(board, is_over=layout == "won", is_small=is_small)
    rows = told.key_rows if layout != "row" else told.table_rows
    turn = next((name for seat, name in enumerate(told.listener.names) if seat == board.turn), "")
    moved = [each.text for each in told.rulings if each.mood not in {None, Mood.SEASON}]
    return {
        "layout": layout,
        "mood": scene.mood,
        "scene": scene.svg,
        "has_emblem": scene.has_emblem,
        "headline": told.headline,
        "label": page_text(language, phrase("{name}'s turn"), name=turn) if turn else "",
        "situation": told.situation,
        "question": questions[0].bare if questions else "",
        # optional asks
        "also": " ".join(each.text for each in questions[1:]),
        "rows": [_row(each, language) for each in rows],
        # the headline shows one of them
        "facts": [
            labelled_text(language, each.label, each.text)
            for each in told.key_facts
            if each.fact.seat is None and each.label != getattr(told.headline, "above", None)
        ],
        "trail": [each.number for each in board.trail],
        "pile": next((pile_of(board, each) for each in told.players if each.has_turn), None),
        "line": told.line,
        "lines": _lines(told),
        "clock": clock,
        # seats that stop play, one by one
        "awaited": [told.name(seat) for each in questions[:1] for seat in sorted(each.question.seats)],
        # at the end, show how it came about
        "verdict": " ".join(moved[-1:]) if layout == "won" else "",
        # empty places for cards in the middle
        "slots": next((each.row.places for each in rows if not each.cards), 0),
    }


def _row(told: RowView, language: Language) -> Mapping[str, object]:
    says = phrase("says {name}")
    return {
        "key": told.key,
        "name": told.name,
        "cards": told.places,
        # the claimant; empty for cards that were seen
        "ribbon": page_text(language, says, name=told.claimed_by) if told.claimed_by else "",
    }


def _lines(told: MomentView) -> tuple[GridRow, ...]:
    """Return the grid of the seat to move, in full."""
    grid = next((grid for grid in told.grids if grid.seat == told.board.turn), None)
    if grid is None:
        return ()
    choices = (ask for ask in told.match.asks if isinstance(ask, Choice))
    allowed = {option.cell for ask in choices for option in ask.options if option.cell is not None}
    columns, lines = _widened(columns_of(grid), GRID[0]), _widened(lines_of(grid), GRID[1])
    return grid_rows(grid, told.listener, columns, lines, {}, allowed)


def _widened(numbers: range, least: int) -> range:
    """Extend a range on both sides to at least a given length."""
    lacking = max(0, least - len(numbers))
    return range(numbers.start - lacking // 2, numbers.stop + lacking - lacking // 2)


def winners_text(told: MomentView) -> str:
    names, language = told.winners, told.listener.language
    if not names:
        return page_text(language, Texts.no_winner)
    text = phrase("{names} wins") if len(names) == 1 else phrase("{names} win")
    return page_text(language, text, names=names_text(language, names))
