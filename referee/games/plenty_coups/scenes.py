"""What happened between two looks at the table: all legal turns that lead from one to the other.

Zones tell the intent: a rider before a camp raids, beside a herd it proposes, behind a camp it allies. What
leaves no trace is not made up: of gifts that allies exchange for nothing, people have to tell. The search goes
forward from a moment of a turn through the asks, does with the cards what the rulings make hands do, and never
looks beyond the turn. Ways that only differ in the order of what was done are one.
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
"""How many of a card are still to come to a place; less than nothing: still to leave it."""

MOST = 6000  # answers that are tried before it is better to ask
PARTS = ("seat", "herd", "camp", "taunt")
"""Parts of a clan's place where cards lie: before its camp, beside its herd, behind its camp, on its riders."""
OPEN = frozenset({"centre", "discard", *PARTS})  # names of the zones where cards lie open
UNTOLD = frozenset({"ally-gift"})  # words that leave no trace on the table
HERDS = {
    "breeds": (("seat", 1),),
    "takes-horse": (("seat", 1), ("target", -1)),
    "donates": (("seat", -GIVEN), ("target", GIVEN)),
}
"""What rulings do to herds."""


class Way(Struct, frozen=True, gc=False):
    """A way to go on: what was said, where that leads, and what it leaves to explain."""

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
    """List the ways in which a turn can have gone on to make one scene of the other, shortest first.

    Whole turns, if there are any: what others have yet to answer at their end is left to them. Else what can
    have been done of a turn so far. None: nothing legal explains it, the pile was made anew in between, or too
    much would have to be tried. The answers are numbered from `moment`.
    """
    lack = _difference(before, after)
    herds = frozenset(zone for zone in before if zone.name == "horses" and zone in after)
    ways, seen, tried = [Way(state, (), lack)], set[State](), 0
    whole, partly = list[tuple[Answer, ...]](), list[tuple[Answer, ...]]()
    while ways and tried < MOST and state.turn:
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
    """Merge ways in which the player in turn answers the same; keep the one in which others say least."""
    turn, kept = state.turn, dict[tuple[str, ...], tuple[Answer, ...]]()
    for way in sorted(ways, key=len):
        own = [answer for answer in way if turn and answer.seat == state.player_of(turn.seat)]
        kept.setdefault(tuple(sorted(f"{answer.ask} {answer.value}" for answer in own)), way)
    return tuple(kept.values())


def _is_explained(way: Way) -> bool:
    """Return whether nothing is left to explain, and no player has a card to lay."""
    return not any(way.lack.values()) and not isinstance(way.state.stage, Deed | Hunting)


def _is_whole(way: Way) -> bool:
    """Return whether a turn is over, or would be if another clan had answered."""
    match way.state.stage:
        case Gifting(turn=turn):
            return way.is_over or not turn.left
        case Proving(turn=turn):
            return way.is_over or turn.left == 1
        case _:
            return way.is_over


def _difference(before: Scene, after: Scene) -> Lack:
    """Say what came and went; herds that were only counted once don't count."""
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
    """List the cards that are to come to a place, or have gone on from there to the discards."""
    stage = way.state.stage
    word = stage.word if isinstance(stage, Deed) else word
    zones = {zone} if word.endswith("raid") else {zone, DISCARD}
    found = (face for (place, face), count in way.lack.items() if count > 0 and place in zones)
    return tuple(dict.fromkeys(found))


def _follow_answer(way: Way, herds: frozenset[Zone], answer: Answer, heard: Transition) -> Way | None:
    """Do with the cards what an answer leads to, up to the end of the turn, if that can still explain it."""
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
    """Return whether what is left can be: nothing comes to the display, and nothing leaves the discards.

    What is to leave another place must still come to the discards, or behind a camp.
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
    """Give the answer that ends the turn, with all that was done lying on the table."""
    match state.stage:
        case Taking(turn=turn) | Returning(turn=turn) | Acting(turn=turn) if turn.left:
            return Choice("whole-turn", (state.player_of(turn.seat),), (TURN_OVER,))
        case _:
            return None


_BEGINS = frozenset({"turn", "neutral-turn"})
TURNS = Turns(asks=whole_turn, begins=_BEGINS, scene=scene_of, explained=explanations)
