"""A plate for each seat: lamp, name, what it has; in the order of the table, in the end of the places."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from msgspec import Struct

from referee.cells import columns_of, face_at, lines_of
from referee.contract import Board, Cell, Count, Face, Fact, Grid, Mood, Reveal, Seat, Standing, Weight
from referee.contract.words import phrase
from referee.match import Match
from referee.showing import moods_at
from referee.telling import Listener, tell_count, tell_face, tell_fact, tell_labelled, tell_player
from referee.verdicts import reveal_of
from webui.drawing.looks import Look
from webui.drawing.words import page_text

Lamp = Literal["", "green", "red", "amber"]
MOST_DRAWN = 12
"""Marks and cards that are drawn one by one."""
TINY_CARDS, MOST_TIES = 4, 2
"""Cards on a plate, and relations to others, at most."""


class Has(Struct, frozen=True):
    """Something that a seat has: as marks of a limit, cards, a stack, a sign with a number, or in words."""

    kind: Literal["marks", "cards", "stack", "sign", "words"]
    text: str
    key: str = ""
    number: int = 0
    limit: int = 0
    faces: tuple[tuple[str, str], ...] = ()
    """Cards that lie open, with their names; the others lie face down."""


class Tie(Struct, frozen=True):
    """A relation to another seat, drawn as a sign: an ally, a raid."""

    key: str
    text: str
    value: str = ""


class Plate(Struct, frozen=True):
    """A seat's plate."""

    seat: int
    name: str
    lamp: Lamp
    has: tuple[Has, ...]
    note: str = ""
    place: int = 0
    """The place in the end."""
    badge: str = ""
    badge_text: str = ""
    ties: tuple[Tie, ...] = ()
    grid: tuple[tuple[str, ...], ...] = ()
    """The seat's grid in small: a kind for each cell."""
    has_turn: bool = False
    is_out: bool = False
    has_lost: bool = False
    has_won: bool = False


def plates_of(
    match: Match, board: Board, grids: tuple[Grid, ...], listener: Listener, look: Look
) -> tuple[Plate, ...]:
    """Draw the plates."""
    standings, reveal = match.setup.game.rules.standings(match.state), reveal_of(match)
    is_over = match.outcome is not None
    ordered = standings if is_over else sorted(standings, key=lambda standing: standing.seat)
    return tuple(_plate(match, board, standing, grids, listener, look, reveal) for standing in ordered)


def _plate(  # noqa: PLR0917 - all that stands on a plate
    match: Match,
    board: Board,
    standing: Standing,
    grids: tuple[Grid, ...],
    listener: Listener,
    look: Look,
    reveal: Reveal | None,
) -> Plate:
    seat, outcome = standing.seat, match.outcome
    is_over = outcome is not None
    facts = [fact for fact in board.facts if fact.seat == seat]
    badge = next((_face_of(fact) for fact in facts if fact.key == look.style.badge), "")
    grid = next((grid for grid in grids if grid.seat == seat), None)
    has_won = outcome is not None and seat in outcome.winners
    return Plate(
        seat=seat,
        name=tell_player(listener, seat),
        lamp=_lamp(match, board, seat, reveal),
        has=tuple(_has(board, standing, listener, look)),
        note="" if is_over or reveal else _note(board, standing, listener),
        place=standing.place if is_over else 0,
        badge=badge,
        badge_text=tell_face(listener, badge) if badge else "",
        ties=tuple(islice(_ties(board, facts, listener, look), MOST_TIES)),
        grid=() if grid is None else _small_grid(grid),
        has_turn=has_won if is_over else reveal is None and board.turn == seat,
        is_out=standing.out,
        has_lost=not is_over and _has_lost(match, seat, reveal),
        has_won=has_won,
    )


def _lamp(match: Match, board: Board, seat: int, reveal: Reveal | None) -> Lamp:
    """Light a seat: green for who plays or was right, amber for who else is asked, red for who has lost."""
    if match.outcome is not None:
        return "green" if seat in match.outcome.winners else ""
    if _has_lost(match, seat, reveal):
        return "red"
    if reveal is not None:
        return "green" if seat in reveal.won else ""
    is_asked = any(seat in ask.seats or not ask.seats for ask in match.asks)
    if board.turn == seat:
        return "green"
    return "amber" if is_asked else ""


def _has_lost(match: Match, seat: int, reveal: Reveal | None) -> bool:
    """Return whether a seat was wrong in the scene that stands, or else has just lost something."""
    if reveal is not None:
        return seat in reveal.lost
    return bool(moods_at(match, seat) & {Mood.LOSS, Mood.OUT})


def _note(board: Board, standing: Standing, listener: Listener) -> str:
    """Return "next" on the plate of the player who comes next."""
    is_next = board.next == standing.seat and board.turn != standing.seat
    return page_text(listener.language, phrase("next")) if is_next else ""


def _shown_counts(board: Board, standing: Standing, look: Look) -> dict[str, int]:
    """Give the counts that are drawn; those in words only where there are no others."""
    drawn = {
        key: number
        for key, number in standing.counts.items()
        if key in look.style.backs or key in board.limits or look.sign_name(key)
    }
    return drawn or {
        key: number for place, (key, number) in enumerate(standing.counts.items()) if number or not place
    }


def _has(board: Board, standing: Standing, listener: Listener, look: Look) -> Iterator[Has]:
    """Draw each count of a seat as it is best read."""
    lost = tuple(
        (face, tell_face(listener, face))
        for row in board.cards
        if row.seat == standing.seat and row.weight != Weight.SIDE
        for face in row.faces
    )
    for key, number in _shown_counts(board, standing, look).items():
        text, limit = tell_count(listener, key, number), board.limits.get(key, 0)
        if key in look.style.backs:
            yield Has("cards", text, key, number, faces=lost[:TINY_CARDS])
            lost = ()
        elif limit and limit <= MOST_DRAWN:
            yield Has("marks", text, key, number, limit)
        elif look.sign_name(key):
            yield Has("sign", text, key, number)
        else:
            yield Has("words", text, key, number)
    for fact in board.facts:
        if fact.seat == standing.seat and fact.key in look.style.backs:
            told = tell_fact(listener, fact)
            number = next((each.value for each in fact.values.values() if isinstance(each, Count)), 0)
            yield Has("stack", tell_labelled(listener.language, told.label, told.text), fact.key, number)
    if lost and not look.style.badge:
        yield Has("cards", ", ".join(name for _face, name in lost), faces=lost[:TINY_CARDS])


def _ties(board: Board, facts: list[Fact], listener: Listener, look: Look) -> Iterator[Tie]:
    """Draw facts of a seat that have a sign, or that name another seat with a badge."""
    badges = {fact.seat: _face_of(fact) for fact in board.facts if fact.key == look.style.badge}
    for fact in facts:
        named = (each.value for each in fact.values.values() if isinstance(each, Seat))
        other = next((badges[seat] for seat in named if seat in badges), "")
        if fact.key != look.style.badge and fact.weight != Weight.SIDE and (look.sign_name(fact.key) or other):
            told = tell_fact(listener, fact)
            yield Tie(fact.key, f"{told.label} {told.text}", other)


def _face_of(fact: Fact) -> str:
    return next((each.value for each in fact.values.values() if isinstance(each, Face)), "")


def _small_grid(grid: Grid) -> tuple[tuple[str, ...], ...]:
    """Draw a grid in small."""
    whole = whole_cells(grid)
    return tuple(
        tuple(
            "done" if (column, row) in whole else "part" if face_at(grid, (column, row)) else "cell"
            for column in columns_of(grid)
        )
        for row in lines_of(grid)
    )


def whole_cells(grid: Grid) -> frozenset[Cell]:
    """List the cells of groups of which no card is missing."""
    return frozenset(
        (group.span.cell[0] + step, group.span.cell[1])
        for group in grid.groups
        if group.is_whole
        for step in range(group.span.length)
    )
