"""Explanations of a change on the table: all legal turns that lead from one scene to the other.

Zones show the intent: a rider before a camp raids, beside a herd it proposes, behind a camp it allies. Actions
without a trace are not guessed: people must enter free gifts between allies. The search runs forward from a
state through the asks, applies the card moves of each ruling, and stops at the end of the turn. Sequences that
differ only in order count as one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Move, Scene
from referee.contract.asks import Answer, Ask, Choice, Option, Show, Value
from referee.contract.cards import CENTRE, DISCARD, Zone, before_seat, expand_counts
from referee.contract.game import Transition, Turns, Ways
from referee.games.plenty_coups.effects import ACTIONS, GIVEN, TURN_OVER, camp, herd, taunts
from referee.games.plenty_coups.hands import SPENT, moves
from referee.games.plenty_coups.rules import asks, hear
from referee.games.plenty_coups.state import (
    HORSE,
    STAFF,
    Acting,
    Deed,
    Gifting,
    Hunting,
    Proving,
    Returning,
    State,
    Taking,
)
from referee.kit.answers import seat_named

Lack = Mapping[tuple[Zone, str], int]
"""Number of each card that must still arrive in a zone; negative: must still leave it."""

MAX_TRIED = 6000  # maximum number of answers to try before asking people instead
PARTS = ("seat", "herd", "camp", "taunt")
"""Zones of a clan: before its camp, beside its herd, behind its camp, on its riders."""
OPEN = frozenset({"centre", "discard", *PARTS})  # names of zones with face-up cards
UNTOLD = frozenset({"ally-gift"})  # options without a trace on the table
HERDS = {
    "breeds": (("seat", 1),),
    "takes-horse": (("seat", 1), ("target", -1)),
    "donates": (("seat", -GIVEN), ("target", GIVEN)),
}
"""Herd changes by ruling."""


class Way(Struct, frozen=True, gc=False):
    """A partial explanation: its answers, the state they lead to, and the remaining differences."""

    state: State
    answers: tuple[Answer, ...]
    lack: Lack
    is_over: bool = False


def scene_of(state: State) -> Scene:
    scene: dict[Zone, tuple[str, ...]] = {CENTRE: state.display, DISCARD: state.discard}
    for raid in state.raids:
        scene[before_seat(raid.target)] = raid.riders
    for proposal in state.proposals:
        beside = herd(proposal.seat)
        scene[beside] = (*scene.get(beside, ()), proposal.card)
    for seat, clan in enumerate(state.clans):
        bound = {camp(seat): (clan.bond,)} if clan.bond else {}
        scene |= bound | ({taunts(seat): (STAFF,)} if clan.is_taunted else {})
    return scene


def horses(seat: int) -> Zone:
    return Zone("horses", seat)


def explanations(state: State, before: Scene, after: Scene, moment: int = 0) -> Ways:
    """Return the possible answer sequences from one scene to another, shortest first.

    Complete turns, if any; answers that other clans still owe at their end are left to them. Otherwise,
    sequences of an incomplete turn. Empty if nothing legal explains the change, if the pile was rebuilt in
    between, or if the search is too large. Answers are numbered from `moment`.
    """
    lack = _difference(before, after)
    herds = frozenset(zone for zone in before if zone.name == "horses" and zone in after)
    ways, seen, tried = [Way(state, (), lack)], set[State](), 0
    whole, partly = list[tuple[Answer, ...]](), list[tuple[Answer, ...]]()
    while ways and tried < MAX_TRIED and state.turn:
        going: list[Way] = []
        for way in ways:
            stage = way.state.stage
            waits_for_the_end = isinstance(stage, Acting) and not stage.turn.left and not way.is_over
            if _is_explained(way) and not waits_for_the_end:
                (whole if _is_whole(way) else partly).append(way.answers)
                continue
            onward = list(_next_ways(way, herds, moment))
            tried += len(onward)
            open_ways = (nxt for nxt in reversed(onward) if not nxt.is_over or _is_explained(nxt))
            fresh = {_without_order(nxt.state): nxt for nxt in open_ways}
            going += [nxt for same, nxt in reversed(fresh.items()) if same not in seen]
            seen |= fresh.keys()
        ways = going
    return _own_words(state, whole or partly) if not ways else ()


def _own_words(state: State, ways: list[tuple[Answer, ...]]) -> tuple[tuple[Answer, ...], ...]:
    """Merge sequences with the same answers by the player in turn, keeping the one with the fewest others."""
    turn, kept = state.turn, dict[tuple[str, ...], tuple[Answer, ...]]()
    for way in sorted(ways, key=len):
        own = [answer for answer in way if turn and answer.seat == state.player_of(turn.seat)]
        kept.setdefault(tuple(sorted(f"{answer.ask} {answer.value}" for answer in own)), way)
    return tuple(kept.values())


def _is_explained(way: Way) -> bool:
    """Return whether nothing is left to explain, and no player still has to place a card."""
    return not any(way.lack.values()) and not isinstance(way.state.stage, Deed | Hunting)


def _is_whole(way: Way) -> bool:
    """Return whether the turn is over, or waits only for another clan's answer."""
    match way.state.stage:
        case Gifting(turn=turn):
            return way.is_over or not turn.left
        case Proving(turn=turn):
            return way.is_over or turn.left == 1
        case _:
            return way.is_over


def _difference(before: Scene, after: Scene) -> Lack:
    """Return the differences between two scenes; herds counted in only one of them are ignored."""
    lack = Counter[tuple[Zone, str]]()
    for zone in before.keys() | after.keys():
        if zone.name != "horses" or (zone in before and zone in after):
            lack.update((zone, face) for face in after.get(zone, ()))
            lack.subtract((zone, face) for face in before.get(zone, ()))
    return {place: count for place, count in lack.items() if count}


def _next_ways(way: Way, herds: frozenset[Zone], moment: int) -> Iterator[Way]:
    if way.is_over:
        return
    for ask in asks(way.state):
        for value in _values(way, ask):
            answer = Answer(moment + len(way.answers), ask.key, value, ask.seats[0], "camera")
            nxt = _follow_answer(way, herds, answer, hear(way.state, answer))
            if nxt is not None:
                yield nxt


def _values(way: Way, ask: Ask) -> Iterable[Value]:
    match ask:
        case Choice():
            return [option for option in ask.options if _may_explain(way, option)]
        case Show(count=1):
            return [(face,) for face in _traces(way, ask.zone) if ask.among.get(face)]
        case Show():
            lying = expand_counts({face: way.lack[zone, face] for zone, face in way.lack if zone == DISCARD})
            prey = {tuple(sorted(cards)) for cards in combinations(lying, ask.count)}
            return [cards for cards in sorted(prey) if not Counter(cards) - Counter(ask.among)]
        case _:
            return [None]


def _may_explain(way: Way, option: Option) -> bool:
    if option.word == "take":
        return way.lack.get((CENTRE, option.face or ""), 0) < 0
    if option.word == "taunt":
        return way.lack.get((taunts(option.seat or 0), STAFF), 0) > 0
    if option.word in SPENT:
        return way.lack.get((DISCARD, SPENT[option.word]), 0) > 0
    turn = way.state.turn
    if option.word not in ACTIONS or option.word in UNTOLD or turn is None:
        return option.word not in UNTOLD
    deed = Deed(turn, option.word, -1 if option.seat is None else option.seat)
    return bool(_traces(way, ACTIONS[option.word].zone(deed), option.word))


def _traces(way: Way, zone: Zone, word: str = "") -> tuple[str, ...]:
    """Return the cards still to arrive in a zone, or to pass through it to the discards."""
    stage = way.state.stage
    word = stage.word if isinstance(stage, Deed) else word
    zones = {zone} if word.endswith("raid") else {zone, DISCARD}
    found = (face for (place, face), count in way.lack.items() if count > 0 and place in zones)
    return tuple(dict.fromkeys(found))


def _follow_answer(way: Way, herds: frozenset[Zone], answer: Answer, heard: Transition) -> Way | None:
    """Apply an answer's card moves up to the end of the turn; None if they can't explain the change."""
    lack, is_over = dict(way.lack), False
    for ruling in heard.rulings:
        if ruling.key == "pile-renewed":
            return None
        for move in moves(heard.state, ruling):
            _move(lack, move)
        for whose, change in HERDS.get(ruling.key, ()):
            herd_of = horses(seat_named(ruling, whose))
            if herd_of in herds:
                lack[herd_of, HORSE] = lack.get((herd_of, HORSE), 0) - change
        if ruling.key == "turn-over":
            is_over = True
            break
    return Way(heard.state, (*way.answers, answer), lack, is_over) if _can_end(lack) else None


def _move(lack: dict[tuple[Zone, str], int], move: Move) -> None:
    for zone, change in ((move.source, 1), (move.target, -1)):
        for face in move.faces if zone.name in OPEN else ():
            lack[zone, face] = lack.get((zone, face), 0) + change


def _can_end(lack: Lack) -> bool:
    """Return whether the remaining differences are possible: no card to the display or from the discards.

    A card that must leave another zone must end in the discards or behind a camp.
    """
    going = {face for (zone, face), count in lack.items() if count > 0 and zone.name in {"discard", "camp"}}
    for (zone, face), count in lack.items():
        if (zone == CENTRE and count > 0) or (zone == DISCARD and count < 0):
            return False
        if count < 0 and zone.name not in {"centre", "horses"} and face not in going:
            return False
    return True


def _without_order(state: State) -> State:
    return replace(
        state,
        discard=tuple(sorted(state.discard)),
        raids=tuple(sorted(state.raids, key=lambda raid: raid.target)),
        proposals=tuple(sorted(state.proposals, key=lambda proposal: proposal.target)),
    )


def whole_turn(state: State) -> Choice | None:
    """Return the choice that ends the turn, with all its cards on the table."""
    match state.stage:
        case Taking(turn=turn) | Returning(turn=turn) | Acting(turn=turn) if turn.left:
            return Choice("whole-turn", (state.player_of(turn.seat),), (TURN_OVER,))
        case _:
            return None


_BEGINS = frozenset({"turn", "neutral-turn"})
TURNS = Turns(asks=whole_turn, begins=_BEGINS, scene=scene_of, explained=explanations)
