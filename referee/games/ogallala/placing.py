"""Legal placements in Ogallala, and legal targets of special cards and attacks."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from referee.contract import Option, Refusal, make_ruling
from referee.games.ogallala.deck import BOOTY, BOWS, CREW, GUARDIAN, PICTURE, SET_OF, STERNS, House
from referee.games.ogallala.state import Aiming, Drawing, Rulings, State
from referee.games.ogallala.territory import (
    HIGHEST,
    PUSHES,
    WIDEST,
    Canoe,
    Cell,
    Row,
    Territory,
    belong_together,
    beside,
    crews_of,
    free_cells,
    groups,
    has_doubles,
    in_row,
    pictures_of,
    without_blank_ends,
)
from referee.kit.answers import cell_aimed_at, seat_aimed_at
from referee.kit.options import unmet


def placings(house: House, territory: Territory, card: str) -> tuple[Option, ...]:
    """Return all placements of a card: free cells, and rows that can be pushed apart."""
    return (*_puts(house, territory, card), *_pushes(house, territory, card))


def has_place(house: House, territory: Territory, card: str) -> bool:
    puts, pushes = _puts(house, territory, card), _pushes(house, territory, card)
    return next(puts, None) is not None or next(pushes, None) is not None


def with_card_placed(territory: Territory, option: Option, card: str) -> Territory:
    return territory.with_row_pushed(option).with_card(cell_aimed_at(option), card)


def _puts(house: House, territory: Territory, card: str) -> Iterator[Option]:
    """Yield the free cells for a card: no duplicates in a canoe, and in the variant no mixed crews."""
    kind = "empty-bow" if card in BOWS else "empty-stern" if card in STERNS else GUARDIAN
    picture, two_crews = PICTURE[card], house.two_crews
    for option, mates, pictures in spots(territory, kind):
        if picture not in pictures and not (two_crews and len(crews_of((*mates, card))) > 1):
            yield option


Spot = tuple[Option, Row, frozenset[str]]
"""A free cell, the canoe cards that a card there would join, and their pictures."""


@lru_cache(maxsize=512)
def spots(territory: Territory, card: str) -> tuple[Spot, ...]:
    """Return the cells for a bow, a stern or any other card."""
    found: list[Spot] = []
    word = "put" if territory.rows else "first"
    nearby: dict[Cell, Row | None] = {}
    for line, row in enumerate(territory.rows, territory.top):
        blank, cards = without_blank_ends(row)
        for place, mates in _mates_near(cards, card):
            nearby[territory.left + blank + place, line] = mates
    for cell, other in free_cells(territory).items():
        mates = nearby.get(cell, ())
        if mates is not None:
            option = Option(word, face=other or None, cell=cell)
            found.append((option, mates, pictures_of(mates) if mates else frozenset()))
    return tuple(found)


@lru_cache(maxsize=2048)
def _mates_near(row: Row, card: str) -> tuple[tuple[int, Row | None], ...]:
    """Return the canoe cards a card would join, by free place near a row; None where it doesn't fit."""
    found: dict[int, Row | None] = {}
    for first, last in groups(row):
        canoe = row[first : last + 1]
        for place, fits in _places_near(canoe, card):
            others = found.get(first + place, ())
            if not in_row(row, first + place):
                mates = (*others, *canoe) if fits and others is not None else None
                found[first + place] = None if mates is None or has_doubles(mates) else mates
    return tuple(found.items())


@lru_cache(maxsize=2048)
def _places_near(canoe: Row, card: str) -> tuple[tuple[int, bool], ...]:
    """Return the free places where a card would join a canoe, and whether it fits there.

    They are counted from the first card: up to two places before it, the gaps, and up to two behind the last.
    """
    gaps = [
        (place, _fits_ends(canoe[place - 1], card, canoe[place + 1]))
        for place, mate in enumerate(canoe)
        if not mate
    ]
    behind = [(len(canoe) - 1 + apart, fits) for apart, fits in _places_behind(canoe[-1], card)]
    return (*_places_before(card, canoe[0]), *gaps, *behind)


@cache
def _places_before(card: str, first: str) -> tuple[tuple[int, bool], ...]:
    return tuple([(-apart, apart > 1 or _fits_ends("", card, first)) for apart in _apart(card, first)])


@cache
def _places_behind(last: str, card: str) -> tuple[tuple[int, bool], ...]:
    return tuple([(apart, apart > 1 or _fits_ends(last, card, "")) for apart in _apart(last, card)])


def _apart(left: str, right: str) -> list[int]:
    """Return the distances at which two cards form a canoe."""
    return [apart for apart in (1, 2) if belong_together(left, right, apart)]


def _fits_ends(left: str, card: str, right: str) -> bool:
    """Only a stern fits to the left of a bow, and only a bow to the right of a stern."""
    if left and (left in STERNS) != (card in BOWS):
        return False
    return not right or (right in BOWS) == (card in STERNS)


def why_not_laid(territory: Territory, option: Option, card: str) -> Refusal:
    (column, line), there = cell_aimed_at(option), territory.card_at(cell_aimed_at(option))
    if option.word in PUSHES:
        return unmet("no-push", card=card)
    if there:
        return unmet("cell-taken", card=there)
    anywhere = range(column, column + 1), range(line, line + 1)
    columns, lines = territory.room if territory.rows else anywhere
    if column not in columns:
        return unmet("too-wide", most=WIDEST)
    if line not in lines:
        return unmet("too-high", most=HIGHEST)
    if (column, line) not in free_cells(territory):
        return unmet("apart")
    fits = _fits_ends(territory.card_at((column - 1, line)), card, territory.card_at((column + 1, line)))
    return unmet("twice", card=card) if fits else unmet("no-end", card=card)


def _pushes(house: House, territory: Territory, card: str) -> Iterator[Option]:
    """Yield the placements of a set card pushed in next to another card of its set."""
    seen: set[tuple[str, Cell]] = set()
    for cell, other in _set_cards(house, territory, card):
        for option in _pushes_beside(house, territory, cell, other):
            if (option.word, cell_aimed_at(option)) not in seen and _has_room_after(territory, option):
                seen.add((option.word, cell_aimed_at(option)))
                if _is_allowed_after(house, with_card_placed(territory, option, card), option):
                    yield option


def _set_cards(house: House, territory: Territory, card: str) -> Iterator[tuple[Cell, str]]:
    """Yield the set cards that a card may be pushed in next to, in canoes that may still change."""
    if card not in SET_OF:
        return
    for canoe in territory.canoes:
        if house.insert_complete or not canoe.is_complete:
            for place, other in enumerate(canoe.cards):
                if other in SET_OF[card]:
                    yield beside(canoe.cell, place), other


def _pushes_beside(house: House, territory: Territory, cell: Cell, other: str) -> Iterator[Option]:
    """Yield the four ways to push; if the adjacent cell is free, no push is needed."""
    before, after = beside(cell, -1), beside(cell, 1)
    if territory.card_at(before):
        yield Option(_word_of(house, territory, cell, 1), face=other, cell=cell)
        yield Option(_word_of(house, territory, before, -1), face=other, cell=before)
    if territory.card_at(after):
        yield Option(_word_of(house, territory, after, 1), face=other, cell=after)
        yield Option(_word_of(house, territory, cell, -1), face=other, cell=cell)


def _word_of(house: House, territory: Territory, cell: Cell, step: int) -> str:
    """Return the option word for a push: the whole side, or by a house rule up to the next gap."""
    if house.push == "into_gap" and territory.gap_beyond(cell, step) is not None:
        return "slide-right" if step > 0 else "slide-left"
    return "push-right" if step > 0 else "push-left"


def _is_allowed_after(house: House, territory: Territory, option: Option) -> bool:
    """Return whether no canoe of the row has duplicate pictures, and all ends are legal."""
    row = territory.row_at(cell_aimed_at(option)[1])
    canoes = [row[first : last + 1] for first, last in groups(row)]
    return (
        all((left in STERNS) == (right in BOWS) for left, right in pairwise(row) if left and right)
        and not any(map(has_doubles, canoes))
        and not (house.two_crews and any(len(crews_of(canoe)) > 1 for canoe in canoes))
    )


def _has_room_after(territory: Territory, option: Option) -> bool:
    columns, _rows = territory.room
    return all(territory.pushed_cell(cell, option)[0] in columns for cell in territory.cells)


AIM_WORDS = {"lasso": "rope", "archer": "shoot", "saboteur": "sink", "attack": "attack"}


class Target(NamedTuple):
    """A target canoe, or by a house rule a side of its gap, and its owner; None for one's own."""

    seat: int | None
    canoe: Canoe
    part: Canoe


def attacker(state: State) -> Canoe:
    return state.own.canoe_at(state.turn.due[0])


def _targets(state: State, stage: Aiming) -> Iterator[Target]:
    """Yield the available targets: one's own canoes for sinking, otherwise those of the others."""
    if stage.by == "saboteur":
        yield from (Target(None, canoe, canoe) for canoe in state.own.canoes)
        return
    parts_count = stage.by == "attack" and state.house.gap == "two_targets"
    for seat in state.clockwise(state.turn.seat):
        for canoe in state.territories[seat].canoes:
            for part in canoe.parts if parts_count else (canoe,):
                yield Target(seat, canoe, part)


def _unfit(state: State, stage: Aiming, target: Target, card: str) -> Refusal | None:
    match stage.by:
        case "saboteur":
            return None if target.canoe.is_complete else unmet("not-complete")
        case "attack":
            return _unfit_for_attack(state, target)
        case _ if target.canoe.is_complete:
            return unmet("is-complete")
        case "archer" if target.canoe.is_protected:
            return unmet("guarded")
        case "archer":
            return None if card in CREW else unmet("no-paddler", card=card)
        case "lasso":
            may_lapse = state.house.lasso_unplaced == "discard"
            fits = may_lapse or has_place(state.house, state.own, card)
            return None if fits else unmet("no-place", card=card)


def _unfit_for_attack(state: State, target: Target) -> Refusal | None:
    own = attacker(state)
    if target.canoe.is_protected:
        return unmet("guarded")
    if state.house.two_crews and crews_of(own.cards) & crews_of(target.canoe.cards):
        return unmet("same-crew")
    if target.part.strength < own.strength:
        return None
    return unmet("too-strong", own=own.strength, strength=target.part.strength)


def aims(state: State, stage: Aiming) -> Iterator[Option]:
    """Yield the options for a target: cards, or canoes by their first card."""
    for target in _targets(state, stage):
        part, by_card = target.part, stage.by in {"lasso", "archer"}
        cards = part.cells_aboard if by_card else iter([(part.cell, part.cards[0])])
        for cell, card in cards:
            if _unfit(state, stage, target, card) is None:
                yield Option(AIM_WORDS[stage.by], target.seat, card, cell)


def why_not_aimed(state: State, stage: Aiming, option: Option) -> Refusal | None:
    """Return why a card or canoe can't be a target; None for a player who doesn't exist."""
    if option.cell is None or option.seat not in (None, *range(len(state.territories))):
        return None
    owner = None if stage.by == "saboteur" else option.seat
    if owner in {None, state.turn.seat} and stage.by != "saboteur":
        return unmet("not-yourself")
    for target in _targets(state, stage):
        if target.seat == owner and option.cell in target.part.cells:
            seat = state.turn.seat if owner is None else owner
            return _unfit(state, stage, target, state.territories[seat].card_at(option.cell))
    return unmet("no-card-there")


def sink_canoe(state: State, canoe: Canoe) -> tuple[State, Rulings]:
    cards = canoe.cards_aboard
    state = state.with_cells_cleared(state.turn.seat, canoe.cells).with_discarded(*cards)
    return state, (state.ruled("sinks", "saboteur discard-order", cards=cards),)


def attack_canoe(state: State, stage: Aiming, option: Option) -> tuple[State, Rulings]:
    """Attack a canoe: its booty is captured; its paddlers, bow and stern are discarded."""
    aimed = (option.seat, option.cell)
    target = next(each for each in _targets(state, stage) if (each.seat, each.part.cell) == aimed)
    canoe, seat = target.part, seat_aimed_at(option)
    booty = tuple(card for card in canoe.cards_aboard if card in BOOTY)
    crew = tuple(card for card in canoe.cards_aboard if card not in BOOTY)
    rule = "attack one-attack strength"
    if "" in canoe.cards or state.house.gap == "two_targets":
        rule = f"{rule} gap-attacked"
    rule = f"{rule} other-crew" if state.house.two_crews else rule
    own, against = attacker(state).strength, canoe.strength
    rulings: Rulings = (state.ruled("attacks", rule, target=seat, own=own, strength=against),)
    if booty:
        rulings = (*rulings, state.ruled("captures", "captured", target=seat, cards=booty))
    if crew:
        rulings = (*rulings, make_ruling("crew-lost", rule="captured discard-order", seat=seat, cards=crew))
    state = with_attack_over(state.with_cells_cleared(seat, canoe.cells).with_discarded(*crew))
    return replace(state, turn=replace(state.turn, booty=booty)), rulings


def with_attack_over(state: State) -> State:
    return replace(state, turn=replace(state.turn, due=state.turn.due[1:]), stage=Drawing())
