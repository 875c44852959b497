"""The final count: only complete canoes, one after the other under the camera, compared with the record."""

from msgspec.structs import replace

from referee.contract import (
    CENTRE,
    TABLE,
    Answer,
    Ask,
    Choice,
    Datum,
    Option,
    Outcome,
    Ruling,
    Show,
    Standing,
    Transition,
    make_ruling,
)
from referee.games.ogallala.audit import audit_cards
from referee.games.ogallala.canoes import complete_in
from referee.games.ogallala.deck import GUARDIAN
from referee.games.ogallala.house import deck_of
from referee.games.ogallala.score import CountStep, points_of, score, steps_of
from referee.games.ogallala.state import Counting, EndReason, Over, Rulings, State, Turn
from referee.games.ogallala.territory import Canoe
from referee.kit.answers import cards_said, option_said

AS_RECORDED = Option("as-recorded")
ALL_AS_RECORDED = Option("all-as-recorded")


def begin_count(state: State, reason: EndReason, told: Rulings) -> Transition:
    """End the turns, and count the first canoe."""
    return _next_count(replace(state, stage=Counting(reason), turn=Turn(state.turn.seat)), told)


def to_count(state: State) -> tuple[tuple[int, Canoe], ...]:
    """List all complete canoes, seat by seat."""
    seats = enumerate(state.territories)
    return tuple([(seat, canoe) for seat, territory in seats for canoe in complete_in(territory)])


def _next_count(state: State, told: Rulings) -> Transition:
    stage, canoes = state.stage, to_count(state)
    if not isinstance(stage, Counting) or stage.counted == len(canoes):
        return _end_match(state, told)
    return Transition(state, (*told, _canoe_ruling(state, *canoes[stage.counted])))


def numbered(state: State, seat: int, canoe: Canoe) -> dict[str, Datum]:
    """Say whose canoe is counted, which it is of how many, and its cards."""
    own = complete_in(state.territories[seat])
    return {"seat": seat, "number": own.index(canoe) + 1, "canoes": len(own), "cards": canoe.cards}


def _canoe_ruling(state: State, seat: int, canoe: Canoe) -> Ruling:
    return make_ruling("count-canoe", rule="complete-only", **numbered(state, seat, canoe))


def ask_count(state: State, stage: Counting) -> tuple[Ask, ...]:
    """Ask for any cards as those of a canoe: differences from the record are told, not refused."""
    seat, canoe = to_count(state)[stage.counted]
    deck = deck_of(state.house)
    show = Show("count", (seat,), len(canoe.cards), CENTRE, deck, deck.counts)
    return (Choice("record", TABLE, (AS_RECORDED, ALL_AS_RECORDED)), show)


def hear_count(state: State, stage: Counting, answer: Answer) -> Transition:
    """Compare the cards of a canoe with the record, and count it if they agree."""
    seat, canoe = to_count(state)[stage.counted]
    told = audit_cards(seat, canoe.cards, cards_said(answer))
    if told[0].key != "agrees":
        return Transition(state, told)
    return _count_canoe(state, stage, told)


def hear_record(state: State, stage: Counting, answer: Answer) -> Transition:
    """Believe the record, for this canoe or for all that are left."""
    if option_said(answer) == AS_RECORDED:
        return _count_canoe(state, stage, ())
    told = _count_rulings(state, *to_count(state)[stage.counted])
    for seat, canoe in to_count(state)[stage.counted + 1 :]:
        told = (*told, _canoe_ruling(state, seat, canoe), *_count_rulings(state, seat, canoe))
    return _end_match(state, told)


def _count_canoe(state: State, stage: Counting, told: Rulings) -> Transition:
    told = (*told, *_count_rulings(state, *to_count(state)[stage.counted]))
    return _next_count(replace(state, stage=replace(stage, counted=stage.counted + 1)), told)


def _count_rulings(state: State, seat: int, canoe: Canoe) -> Rulings:
    """Tell the count of a canoe step by step."""
    steps = steps_of(state.house, canoe)
    told = (
        make_ruling(
            step.key, rule=_step_rule(step), cards=step.cards, count=len(step.cards), points=step.points
        )
        for step in steps
    )
    return (
        *told,
        make_ruling("canoe-points", rule="complete-only", seat=seat, points=points_of(state.house, canoe)),
    )


def _step_rule(step: CountStep) -> str:
    rule = STEP_RULES[step.key]
    return f"{rule} guardian-counts" if rule == "length" and GUARDIAN in step.cards else rule


STEP_RULES = {
    "count-short": "length",
    "count-long": "length",
    "count-prizes": "prizes",
    "count-pair": "pair order",
    "count-set": "set order",
}


def _end_match(state: State, told: Rulings) -> Transition:
    """The most points win; equals share the victory."""
    stage = state.stage
    if not isinstance(stage, Counting):
        raise TypeError("nothing has been counted")
    state = replace(state, stage=Over(stage.reason))
    points = [score(state.house, territory) for territory in state.territories]
    totals = tuple(
        make_ruling("total", rule="complete-only", seat=seat, points=each) for seat, each in enumerate(points)
    )
    winners = _winners(state)
    key, rule = ("won", "most-points") if len(winners) == 1 else ("shared", "shared")
    return Transition(state, (*told, *totals, make_ruling(key, rule=rule, seats=winners, points=max(points))))


def _winners(state: State) -> tuple[int, ...]:
    return tuple(standing.seat for standing in standings(state) if standing.place == 1)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by what the complete canoes bring now."""
    points = [score(state.house, territory) for territory in state.territories]
    canoes = [len(complete_in(territory)) for territory in state.territories]
    seats = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
    return tuple(
        Standing(
            seat,
            1 + sum(other > points[seat] for other in points),
            {"points": points[seat], "canoes": canoes[seat]},
        )
        for seat in seats
    )


def outcome(state: State) -> Outcome | None:
    """Say who has won."""
    return Outcome(state.stage.reason, _winners(state)) if isinstance(state.stage, Over) else None
