"""The final count: the points of complete canoes one by one, checked against the record."""

from collections import Counter
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, Span
from referee.contract.asks import TABLE, Answer, Ask, Choice, Datum, Option, Ruling, Show, make_ruling
from referee.contract.game import Outcome, Standing, Transition
from referee.games.ogallala.deck import BOOTY, GUARDIAN, TRIPLES, House
from referee.games.ogallala.state import Counting, EndReason, Over, Rulings, State, Turn
from referee.games.ogallala.territory import Canoe, Row, Territory, beside
from referee.kit.answers import cards_said, option_said
from referee.kit.ranking import rank_by

SHORT = 7  # maximum length of a canoe with one point per card; longer ones score two
PRIZE, PAIR, WHOLE = 10, 40, 90
"""Points for a prize, for two adjacent halves, and for both with their character."""


class CountStep(Struct, frozen=True, gc=False):
    """A step of the count: its kind, its cards, and their points."""

    key: str
    cards: Row
    points: int


def steps_of(house: House, canoe: Canoe) -> tuple[CountStep, ...]:
    cards = canoe.cards_aboard
    key, points = ("count-short", 1) if len(cards) <= SHORT else ("count-long", 2)
    length = CountStep(key, cards, points * len(cards))
    sets = [step for step in (_set_step(house, cards, *each) for each in TRIPLES) if step is not None]
    joined = {card for step in sets for card in step.cards}
    prizes = tuple(card for card in cards if card in BOOTY and card not in joined)
    single = (CountStep("count-prizes", prizes, PRIZE * len(prizes)),) if prizes else ()
    return (length, *sets, *single)


@lru_cache(maxsize=4096)
def points_of(house: House, canoe: Canoe) -> int:
    """Return the points of a canoe; cached, because the coach counts the same canoes repeatedly."""
    return sum(step.points for step in steps_of(house, canoe))


def score(house: House, territory: Territory) -> int:
    return sum(points_of(house, canoe) for canoe in territory.complete)


def _set_step(house: House, cards: Row, left: str, right: str, character: str) -> CountStep | None:
    """Return the step for an adjacent pair or set; halves must be in order unless agreed otherwise."""
    whole = _together(cards, frozenset({left, right, character}))
    pair = _together(cards, frozenset({left, right}))
    is_any = house.combo_order == "any"
    if whole and (is_any or (left, right) in {whole[:2], whole[1:]}):
        return CountStep("count-set", whole, WHOLE)
    if pair and (is_any or pair == (left, right)):
        return CountStep("count-pair", pair, PAIR)
    return None


def _together(cards: Row, wanted: frozenset[str]) -> Row:
    runs = (cards[place : place + len(wanted)] for place in range(len(cards)))
    return next((run for run in runs if frozenset(run) == wanted), ())


def audit_cards(seat: int, recorded: Row, seen: Row) -> tuple[Ruling, ...]:
    """Compare seen cards of a player with the record, in any order."""
    has, sees = Counter(filter(None, recorded)), Counter(seen)
    missing, extra = tuple((has - sees).elements()), tuple((sees - has).elements())
    if not missing and not extra:
        return (make_ruling("agrees", rule="record", seat=seat, count=len(seen)),)
    rulings = (make_ruling("missing", rule="record", seat=seat, cards=missing),) if missing else ()
    return (*rulings, make_ruling("extra", rule="record", seat=seat, cards=extra)) if extra else rulings


def audit_span(state: State, span: Span, seen: Row) -> tuple[Ruling, ...]:
    """Compare part of a row shown to the camera with the record."""
    territory, cells = state.territories[span.seat], range(span.length)
    recorded = tuple(territory.card_at(beside(span.cell, step)) for step in cells)
    return audit_cards(span.seat, recorded, seen)


AS_RECORDED = Option("as-recorded")
ALL_AS_RECORDED = Option("all-as-recorded")


def begin_count(state: State, reason: EndReason, rulings: Rulings) -> Transition:
    return _next_count(replace(state, turn=Turn(state.turn.seat)), Counting(reason), rulings)


def to_count(state: State) -> tuple[tuple[int, Canoe], ...]:
    seats = enumerate(state.territories)
    return tuple([(seat, canoe) for seat, territory in seats for canoe in territory.complete])


def _next_count(state: State, stage: Counting, rulings: Rulings) -> Transition:
    canoes = to_count(state)
    if stage.counted == len(canoes):
        return _end_match(state, stage, rulings)
    return Transition(replace(state, stage=stage), (*rulings, _canoe_ruling(state, *canoes[stage.counted])))


def numbered(state: State, seat: int, canoe: Canoe) -> dict[str, Datum]:
    """Return values that identify the canoe being counted: its seat, its number, and its cards."""
    own = state.territories[seat].complete
    return {"seat": seat, "number": own.index(canoe) + 1, "canoes": len(own), "cards": canoe.cards}


def _canoe_ruling(state: State, seat: int, canoe: Canoe) -> Ruling:
    return make_ruling("count-canoe", rule="complete-only", **numbered(state, seat, canoe))


def ask_count(state: State, stage: Counting) -> tuple[Ask, ...]:
    """Ask for the cards of a canoe; differences from the record are reported rather than refused."""
    seat, canoe = to_count(state)[stage.counted]
    deck = state.house.deck
    show = Show("count", (seat,), len(canoe.cards), CENTRE, deck, deck.counts)
    return (Choice("record", TABLE, (AS_RECORDED, ALL_AS_RECORDED)), show)


def hear_count(state: State, stage: Counting, answer: Answer) -> Transition:
    seat, canoe = to_count(state)[stage.counted]
    rulings = audit_cards(seat, canoe.cards, cards_said(answer))
    if rulings[0].key != "agrees":
        return Transition(state, rulings)
    return _count_canoe(state, stage, rulings)


def hear_record(state: State, stage: Counting, answer: Answer) -> Transition:
    """Accept the record for this canoe or for all remaining ones."""
    if option_said(answer) == AS_RECORDED:
        return _count_canoe(state, stage, ())
    rulings = _count_rulings(state, *to_count(state)[stage.counted])
    for seat, canoe in to_count(state)[stage.counted + 1 :]:
        rulings = (*rulings, _canoe_ruling(state, seat, canoe), *_count_rulings(state, seat, canoe))
    return _end_match(state, stage, rulings)


def _count_canoe(state: State, stage: Counting, rulings: Rulings) -> Transition:
    rulings = (*rulings, *_count_rulings(state, *to_count(state)[stage.counted]))
    return _next_count(state, replace(stage, counted=stage.counted + 1), rulings)


def _count_rulings(state: State, seat: int, canoe: Canoe) -> Rulings:
    rulings: Rulings = ()
    for step in steps_of(state.house, canoe):
        guarded = " guardian-counts" if STEP_RULES[step.key] == "length" and GUARDIAN in step.cards else ""
        rule, count = f"{STEP_RULES[step.key]}{guarded}", len(step.cards)
        counted = make_ruling(step.key, rule=rule, cards=step.cards, count=count, points=step.points)
        rulings = (*rulings, counted)
    points, rules = points_of(state.house, canoe), rules_of_points(state.house, canoe)
    return (*rulings, make_ruling("canoe-points", rule=rules, seat=seat, points=points))


def rules_of_points(house: House, canoe: Canoe) -> str:
    """Return the rules behind a canoe's points, in the order of the count."""
    return " ".join(dict.fromkeys(STEP_RULES[step.key].split()[0] for step in steps_of(house, canoe)))


STEP_RULES = {
    "count-short": "length",
    "count-long": "length",
    "count-prizes": "prizes",
    "count-pair": "pair order",
    "count-set": "set order",
}


def _end_match(state: State, stage: Counting, rulings: Rulings) -> Transition:
    """The most points win; ties share the victory."""
    points = [score(state.house, territory) for territory in state.territories]
    for seat, each in enumerate(points):
        rulings = (*rulings, make_ruling("total", rule="complete-only", seat=seat, points=each))
    winners = _winners(state)
    key, rule = ("won", "most-points") if len(winners) == 1 else ("shared", "shared")
    ruling = make_ruling(key, rule=rule, seats=winners, points=max(points))
    return Transition(replace(state, stage=Over(stage.reason)), (*rulings, ruling))


def _winners(state: State) -> tuple[int, ...]:
    return tuple(standing.seat for standing in standings(state) if standing.place == 1)


def standings(state: State) -> tuple[Standing, ...]:
    points = [score(state.house, territory) for territory in state.territories]
    canoes = [len(territory.complete) for territory in state.territories]
    return rank_by("points", points, canoes=canoes)


def outcome(state: State) -> Outcome | None:
    return Outcome(state.stage.reason, _winners(state)) if isinstance(state.stage, Over) else None
