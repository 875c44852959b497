"""Plate of each seat: lamp, name and possessions; in table order, after a finish in order of places."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from msgspec import Struct

from referee.contract import Count, Face, Fact, Mood, Seat, Weight
from referee.contract.words import phrase
from referee.moment_view import MomentView, PlayerView
from referee.sentences import labelled_text
from referee.showing import moods_at
from webui.views.grids import GridRow, whole_grid
from webui.views.looks import Look
from webui.views.words import page_text

Lamp = Literal["", "green", "red", "amber"]
MOST_DRAWN = 12  # most marks or cards drawn individually
TINY_CARDS, MOST_TIES = 4, 2  # most cards and relations on a plate


class Has(Struct, frozen=True):
    """A possession of a seat: marks up to a limit, cards, a stack, a sign with a number, or words."""

    kind: Literal["marks", "cards", "stack", "sign", "words"]
    text: str
    key: str = ""
    number: int = 0
    limit: int = 0
    faces: tuple[tuple[str, str], ...] = ()
    """Open cards with their names; the others are face down."""


class Tie(Struct, frozen=True):
    """A relation to another seat, drawn as a sign: an ally, a raid."""

    key: str
    text: str
    value: str = ""


class Plate(Struct, frozen=True):
    """Plate of a seat."""

    seat: int
    name: str
    lamp: Lamp
    has: tuple[Has, ...]
    note: str = ""
    place: int = 0
    badge: str = ""
    badge_text: str = ""
    ties: tuple[Tie, ...] = ()
    grid: tuple[GridRow, ...] = ()
    has_turn: bool = False
    is_out: bool = False
    has_lost: bool = False


def plates_of(told: MomentView, look: Look) -> tuple[Plate, ...]:
    ordered = told.seated if told.match.decided else sorted(told.seated, key=lambda each: each.seat)
    return tuple(_plate(told, player, look) for player in ordered)


def _plate(told: MomentView, player: PlayerView, look: Look) -> Plate:
    seat, is_over, scene = player.seat, told.outcome is not None, told.scene
    facts = [each.fact for each in told.facts if each.fact.seat == seat]
    badge = next((_face_of(fact) for fact in facts if fact.key == look.style.badge), "")
    grid = next((grid for grid in told.grids if grid.seat == seat), None)
    is_next = told.board.next == seat and told.board.turn != seat
    return Plate(
        seat=seat,
        name=player.name,
        lamp=_lamp(told, player),
        has=tuple(_has(told, player, look)),
        note=page_text(told.listener.language, phrase("next")) if is_next and not (is_over or scene) else "",
        place=told.final_place(player),
        badge=badge,
        badge_text=told.face(badge),
        ties=tuple(islice(_ties(told, seat, look), MOST_TIES)),
        grid=() if grid is None else whole_grid(grid, told.listener),
        has_turn=player.is_winner if is_over else scene is None and told.board.turn == seat,
        is_out=player.is_out,
        has_lost=not is_over and _has_lost(told, seat),
    )


def _lamp(told: MomentView, player: PlayerView) -> Lamp:
    """Return a seat's lamp: green on its turn or if it was right, amber if also asked, red if it lost."""
    if told.outcome is not None:
        return "green" if player.is_winner else ""
    if _has_lost(told, player.seat):
        return "red"
    if told.scene is not None:
        return "green" if player.seat in told.scene.won else ""
    if told.board.turn == player.seat:
        return "green"
    return "amber" if player.is_asked or any(not ask.seats for ask in told.match.asks) else ""


def _has_lost(told: MomentView, seat: int) -> bool:
    """Return whether a seat was wrong in the current scene, or without a scene has just lost."""
    if told.scene is not None:
        return seat in told.scene.lost
    return bool(moods_at(told.match, seat) & {Mood.LOSS, Mood.OUT})


def _has(told: MomentView, player: PlayerView, look: Look) -> Iterator[Has]:
    own = (row for row in told.rows if row.row.seat == player.seat and row.row.weight != Weight.SIDE)
    lost = tuple((card.face, card.name) for row in own for card in row.cards)
    drawn = [
        each
        for each in player.counts
        if each.key in look.style.backs or each.key in told.board.limits or look.sign_name(each.key)
    ]
    others = (each for place, each in enumerate(player.counts) if each.number or not place)
    for count in drawn or others:
        limit = told.board.limits.get(count.key, 0)
        if count.key in look.style.backs:
            yield Has("cards", count.text, count.key, count.number, faces=lost[:TINY_CARDS])
            lost = ()
        elif limit and limit <= MOST_DRAWN:
            yield Has("marks", count.text, count.key, count.number, limit)
        elif look.sign_name(count.key):
            yield Has("sign", count.text, count.key, count.number)
        else:
            yield Has("words", count.text, count.key, count.number)
    for each in told.facts:
        if each.fact.seat == player.seat and each.fact.key in look.style.backs:
            number = next((value.value for value in each.fact.values.values() if isinstance(value, Count)), 0)
            text = labelled_text(told.listener.language, each.label, each.text)
            yield Has("stack", text, each.fact.key, number)
    if lost and not look.style.badge:
        yield Has("cards", ", ".join(name for _face, name in lost), faces=lost[:TINY_CARDS])


def _ties(told: MomentView, seat: int, look: Look) -> Iterator[Tie]:
    """Yield a seat's facts that have a sign, or that name another seat with a badge."""
    style = look.style
    badges = {each.fact.seat: _face_of(each.fact) for each in told.facts if each.fact.key == style.badge}
    for each in told.facts:
        fact = each.fact
        if fact.seat != seat or fact.key == style.badge or fact.weight == Weight.SIDE:
            continue
        named = (value.value for value in fact.values.values() if isinstance(value, Seat))
        other = next((badges[named_seat] for named_seat in named if named_seat in badges), "")
        # a clan without a player has a sign, too
        other = other or (_face_of(fact) if look.sign_name(_face_of(fact)) else "")
        if look.sign_name(fact.key) or other:
            yield Tie(fact.key, f"{each.label} {each.text}", other)


def _face_of(fact: Fact) -> str:
    return next((each.value for each in fact.values.values() if isinstance(each, Face)), "")
