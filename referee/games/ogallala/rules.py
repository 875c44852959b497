"""The rules of Ogallala in rule-book order: piles, turns, placing, special cards, attacks, end."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.contract import CENTRE, Outcome, Transition
from referee.contract.asks import TABLE, Answer, Ask, Choice, Option, Refusal, Ruling, Show, make_ruling
from referee.games.ogallala import placing
from referee.games.ogallala.deck import PICTURE, SET_OF, House, house_refusal
from referee.games.ogallala.final_count import ask_count, begin_count, hear_count, hear_record
from referee.games.ogallala.state import (
    ENOUGH,
    MAX_CANOES,
    Aiming,
    Counting,
    Drawing,
    Ending,
    Opening,
    Placing,
    Rulings,
    Sharing,
    Sourcing,
    State,
    Turn,
)
from referee.games.ogallala.territory import PUSHES, SLIDES, Territory, cards_in, completed_by, pictures_of
from referee.kit.answers import cards_said, cell_aimed_at, face_aimed_at, option_said, seat_aimed_at
from referee.kit.options import unmet

STOP, REFILL, EMPTY = Option("stop"), Option("refill"), Option("empty")
FROM_PILE, FROM_DISCARD = Option("from-pile"), Option("from-discard")
DISCARD_IT, KEEP_ASIDE = Option("discard"), Option("keep-aside")
SPARE, GO_ON, END = Option("spare"), Option("go-on"), Option("end")
ATTACKING = Aiming("attack")

SPECIAL = frozenset({"lasso", "archer"})  # special cards with an effect when placed
EFFECT_RULES = {
    "lasso": "special-ends lasso special-discard",
    "archer": "special-ends archer special-discard",
    "saboteur": "special-ends saboteur",
}
"""Rules of the cards with an effect; all of them end the turn."""
EMPTY_SHARE = 4
"""The piles may be declared empty once one in `EMPTY_SHARE` cards of the deck should be left."""
STANDSTILL = 3
"""Rounds of only taking and returning the open card after which a match may end; one may be chance."""


def asks(state: State) -> tuple[Ask, ...]:
    stage = state.stage
    seats: tuple[int, ...] = (state.turn.seat,)
    options: tuple[Option, ...] = ()
    match stage:
        case Drawing():
            return _draw_asks(state)
        case Placing():
            places = placing.placings(state.house, state.own, stage.card)
            key, options = "place", (*places, *_instead(state, stage))
        case Aiming(by=key):
            options = (*placing.aims(state, stage), *((SPARE,) if key == "attack" else ()))
        case Sharing():
            cards = _placeable(state, state.turn.booty)
            key, options = "booty", tuple(Option("lay", face=card) for card in cards)
        case Sourcing():
            key, options = "from", (FROM_PILE, FROM_DISCARD)
        case Ending():
            key, options = "end", (GO_ON, END)
        case Opening():
            key, seats = "opener", TABLE
            options = tuple(Option("opens", seat=seat) for seat in range(len(state.territories)))
        case Counting():
            return ask_count(state, stage)
        case _:
            return ()
    return (Choice(key, seats, options),)


def hear(state: State, answer: Answer) -> Transition:
    return _HEARS[answer.ask](state, state.stage, answer)


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    match state.stage:
        case Placing(card=card) if option.word == "discard":
            return unmet("must-lie", card=card)
        case Placing(card=card) if option.cell is not None:
            return placing.why_not_laid(state.own, option, card)
        case Aiming() as stage:
            return placing.why_not_aimed(state, stage, option)
        case Drawing() if option.word == "take":
            return unmet("not-open", cards=state.open_card) if state.open_card else unmet("no-open-card")
        case Drawing() if option.word == "stop" and state.house.voluntary_stop:
            return unmet("draw-first")
        case _:
            return None


# Setup: all cards are shuffled into three face-down piles; the youngest begins.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    refusal = house_refusal(house)
    if refusal is not None:
        return refusal
    count = len(seats)
    state = State(house, (Territory(),) * count, (0,) * count, Opening(), aside=((),) * count)
    return Transition(state, (make_ruling("piles", rule="piles box", count=house.deck.size),))


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    state = replace(state, turn=Turn(seat_aimed_at(option_said(answer))))
    return _next_draw(state, (state.ruled("begins", "youngest"),))


# A turn: cards are drawn from any pile and placed; the open pile's top card may be taken, too.


def _next_draw(state: State, rulings: Rulings) -> Transition:
    """Let the player in turn draw, unless the piles are used up."""
    state = replace(state, stage=Drawing())
    if state.pile_size or (state.open_card and state.house.end_of_piles == "all_piles"):
        return Transition(state, rulings)
    if _may_refill(state):
        return _refill_pile(state, rulings)
    return begin_count(state, "no-cards", (*rulings, make_ruling("no-cards", rule="no-cards last-cards")))


def _may_refill(state: State) -> bool:
    """House rule: the discards form a new pile, unless none of them was placed since the last time."""
    is_agreed = state.house.discard == "recycle_when_pile_empty"
    return is_agreed and state.has_laid and bool(state.discard)


def _draw_asks(state: State) -> tuple[Ask, ...]:
    """Ask for a card; by a house rule, unplaced booty may be placed first."""
    seat, deck, among, left = (state.turn.seat,), state.house.deck, state.hidden_cards, state.pile_size
    options = _turn_options(state, left)
    found: tuple[Ask, ...] = (Choice("turn", seat, options),) if options else ()
    if left:
        for card in state.open_card:
            among[card] += 1
        found = (*found, Show("draw", seat, 1, CENTRE, deck, among))
    kept = state.aside[state.turn.seat]
    cards = _placeable(state, kept) if kept else ()
    aside = (Choice("aside", seat, tuple(Option("fetch", face=card) for card in cards)),) if cards else ()
    return (*found, *aside)


def _turn_options(state: State, left: int) -> tuple[Option, ...]:
    house = state.house
    options = [STOP] if state.turn.drawn and house.voluntary_stop else []
    options += [Option("take", face=card) for card in state.open_card]
    if state.passes >= STANDSTILL * len(state.territories):
        # the printed rules allow returning the open card forever, without an end
        options.append(END)
    if _may_refill(state):
        options.append(REFILL)
    elif 0 < left * EMPTY_SHARE <= house.deck.size:
        # the box may have fewer cards than the deck's counts
        options.append(EMPTY)
    return tuple(options)


def _hear_turn(state: State, _stage: Drawing, answer: Answer) -> Transition:
    option = option_said(answer)
    if option == STOP:
        return _turn_over(state, (state.ruled("stops", "stop"),))
    if option == REFILL:
        return _refill_pile(state, ())
    if option == EMPTY:
        return begin_count(state, "no-cards", (make_ruling("no-cards", rule="piles-empty"),))
    if option == END:
        rulings = (make_ruling("standstill", rule="standstill"), state.ruled("ends", "standstill"))
        return begin_count(state, "ended", rulings)
    return _take_open_card(state, state.discard[-1])


def _refill_pile(state: State, rulings: Rulings) -> Transition:
    ruling = make_ruling("refill", rule="discards", count=len(state.discard))
    return Transition(replace(state, stage=Drawing(), discard=(), has_laid=False), (*rulings, ruling))


def _hear_draw(state: State, _stage: Drawing, answer: Answer) -> Transition:
    """Read the drawn card; if it could come from either pile, its player is asked."""
    (card,) = cards_said(answer)
    if card not in state.open_card:
        return _judge_drawn_card(state, card, state.ruled("drawn", "draw", card=card))
    if not state.hidden_cards[card]:
        return _take_open_card(state, card)
    ruling = state.ruled("which-pile", "which-pile", card=card)
    return Transition(replace(state, stage=Sourcing(card)), (ruling,))


def _hear_source(state: State, stage: Sourcing, answer: Answer) -> Transition:
    if option_said(answer) == FROM_DISCARD:
        return _take_open_card(state, stage.card)
    return _judge_drawn_card(state, stage.card, state.ruled("drawn", "draw", card=stage.card))


def _take_open_card(state: State, card: str) -> Transition:
    turn = replace(state.turn, is_pass=not state.turn.drawn)
    state = replace(state, discard=state.discard[:-1], turn=turn)
    return _judge_drawn_card(state, card, state.ruled("taken", "discards", card=card))


def _judge_drawn_card(state: State, card: str, ruling: Ruling) -> Transition:
    """Announce what a card means: a duplicate, an effect, or a set with cards already placed."""
    turn, own, is_double = state.turn, state.own, _is_double(state, card)
    rulings = (ruling, *_meaning(state, card, is_double=is_double))
    is_last = is_double or PICTURE[card] in EFFECT_RULES
    state = replace(state, turn=replace(turn, drawn=turn.drawn + 1, is_last=is_last))
    if PICTURE[card] == "saboteur" and (own.complete or not state.house.saboteur_stays):
        return _sabotage_canoe(state, card, rulings)
    if placing.has_place(state.house, own, card):
        return Transition(replace(state, stage=Placing(card, "drawn")), rulings)
    return _discard_card(state, card, (*rulings, state.ruled("no-place", "discard", card=card)))


def _meaning(state: State, card: str, *, is_double: bool) -> Rulings:
    own, picture = state.own, PICTURE[card]
    rulings: list[Ruling] = []
    if picture in EFFECT_RULES:
        alone = "-alone" if picture == "saboteur" and not own.complete else ""
        rulings.append(state.ruled(f"is-{picture}", f"{EFFECT_RULES[picture]}{alone}", card=card))
    if is_double:
        same = [other for other in _cards_compared(state) if PICTURE[other] == picture]
        there = card if card in same else same[0]
        rulings.append(state.ruled("double", "doubles", card=card, there=there))
    # the other cards of its set that are already placed
    kin = tuple([other for other in cards_in(own) if other in SET_OF.get(card, ()) and other != card])
    if kin:
        rulings.append(state.ruled("set", "push", card=card, cards=kin))
    return tuple(rulings)


def ends_turn(state: State, card: str) -> bool:
    """Return whether a card drawn now ends the turn, regardless of its placement."""
    return PICTURE[card] in EFFECT_RULES or _is_double(state, card)


def _is_double(state: State, card: str) -> bool:
    """Return whether the player already has this card; the colour of its number doesn't matter."""
    return PICTURE[card] in pictures_of(_cards_compared(state))


def _cards_compared(state: State) -> tuple[str, ...]:
    """Return the player's cards that make a new one a duplicate."""
    if state.house.doubles == "territory":
        return cards_in(state.own)
    return tuple(card for canoe in state.own.incomplete for card in canoe.cards_aboard)


def _discard_card(state: State, card: str, rulings: Rulings, rule: str = "discard") -> Transition:
    """A card without a placement, or an unwanted one, ends the turn."""
    passes = state.passes + 1 if state.turn.is_pass else 0
    rulings = (*rulings, state.ruled("discarded", rule, card=card))
    state = replace(state, stage=Drawing()).with_discarded(card)
    if not state.pile_size and state.house.discard == "fourth_pile":
        # an unwanted card of the open pile would return forever
        return begin_count(state, "no-cards", (*rulings, make_ruling("no-cards", rule="no-cards last-cards")))
    return _turn_over(state, rulings, passes)


def _turn_over(state: State, rulings: Rulings, passes: int = 0) -> Transition:
    state = replace(state, turn=Turn(state.clockwise(state.turn.seat)[0]), passes=passes)
    return _next_draw(state, (*rulings, state.ruled("next", "next")))


# Placing: cards join others; bow and stern form the ends; sets may be pushed together.


def _instead(state: State, stage: Placing) -> tuple[Option, ...]:
    """Return the alternatives to placing a card; captured cards must be placed."""
    if stage.why == "aside":
        return (KEEP_ASIDE,)
    is_bound = PICTURE[stage.card] in SPECIAL and not state.house.special_discard
    return (DISCARD_IT,) if stage.why == "drawn" and not is_bound else ()


def _hear_place(state: State, stage: Placing, answer: Answer) -> Transition:
    option, card, seat = option_said(answer), stage.card, state.turn.seat
    if option == DISCARD_IT:
        return _discard_card(state, card, (), "special-discard" if PICTURE[card] in SPECIAL else "discard")
    if option == KEEP_ASIDE:
        state = state.with_aside(seat, (*state.aside[seat], card))
        return _next_draw(state, (state.ruled("put-back", "booty-unplaced", card=card),))
    state, rulings = _lay_card(state, option, stage)
    return _effect(state, card, rulings) if stage.why == "drawn" else _go_on(state, rulings)


def _lay_card(state: State, option: Option, stage: Placing) -> tuple[State, Rulings]:
    """Place a card and check whether it completes a canoe; a card pushed into a complete one doesn't."""
    cell, before = cell_aimed_at(option), state.own
    territory = placing.with_card_placed(before, option, stage.card)
    due = tuple(before.pushed_cell(bow, option) for bow in state.turn.due)
    state = replace(state.with_territory(state.turn.seat, territory), turn=replace(state.turn, due=due))
    state = replace(state, stage=Drawing(), has_laid=True)
    completed = completed_by(before, option, territory)
    rule = {"first": "first", "put": "touching"}.get(option.word, "push push-side")
    if option.word in PUSHES and (laid := territory.canoe_at(cell)) not in completed and laid.is_complete:
        rule = f"{rule} push-complete"
    counted = territory.counted_cell(cell)
    rulings: Rulings = (state.ruled(option.word, rule, card=stage.card, cell=cell, counted=counted),)
    rule = f"complete canoe-ends strength{' slide-completes' if option.word in SLIDES else ''}"
    rule = f"{rule} lasso-attack" if stage.why == "roped" else rule
    for canoe in completed:
        state = state.with_completed(canoe.cell, may_attack=stage.why != "roped" or state.house.lasso_attack)
        strong, canoes = canoe.strength, state.turn.held
        ruling = state.ruled("completes", rule, cards=canoe.cards, strength=strong, canoes=canoes)
        rulings = (*rulings, ruling)
    return state, rulings


def _go_on(state: State, rulings: Rulings) -> Transition:
    """Continue: booty, then attacks, then the end of match or turn, then the next card."""
    turn = state.turn
    if turn.booty:
        return _next_booty(state, rulings)
    if turn.due:
        if next(placing.aims(state, ATTACKING), None) is not None:
            return Transition(replace(state, stage=ATTACKING), rulings)
        return _go_on(placing.with_attack_over(state), rulings)
    if turn.held:
        return _may_end(state, rulings)
    return _turn_over(state, rulings) if turn.is_last else _next_draw(state, rulings)


def _placeable(state: State, cards: tuple[str, ...]) -> tuple[str, ...]:
    territory = state.own
    return tuple([card for card in dict.fromkeys(cards) if placing.has_place(state.house, territory, card)])


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


def _hear_aside(state: State, _stage: Drawing, answer: Answer) -> Transition:
    """House rule: booty without a placement is set aside and may be placed later."""
    seat, card = state.turn.seat, face_aimed_at(option_said(answer))
    state = state.with_aside(seat, _without(state.aside[seat], card))
    ruling = state.ruled("fetches", "booty-unplaced", card=card)
    return Transition(replace(state, stage=Placing(card, "aside")), (ruling,))


# Special cards: the Lasso takes, the Archer shoots, the Saboteur sinks.


def _effect(state: State, card: str, rulings: Rulings) -> Transition:
    if PICTURE[card] not in SPECIAL:
        return _go_on(state, rulings)
    stage = Aiming("lasso" if PICTURE[card] == "lasso" else "archer")
    if next(placing.aims(state, stage), None) is None:
        return _go_on(state, (*rulings, state.ruled("lapses", "effect-lapses", card=card)))
    return Transition(replace(state, stage=stage), rulings)


def _hear_aim(state: State, stage: Aiming, answer: Answer) -> Transition:
    """Take or shoot the card, before the attack of a canoe that waits for its own."""
    option = option_said(answer)
    target, card = seat_aimed_at(option), face_aimed_at(option)
    is_roped, first = stage.by == "lasso", " effect-first" if state.turn.due else ""
    key, rule = ("ropes", "lasso lasso-unplaced") if is_roped else ("shoots", "archer")
    rulings: Rulings = (state.ruled(key, f"{rule}{first}", target=target, card=card),)
    state = state.with_cells_cleared(target, frozenset({cell_aimed_at(option)}))
    if is_roped and placing.has_place(state.house, state.own, card):
        return Transition(replace(state, stage=Placing(card, "roped")), rulings)
    if is_roped:
        rulings = (*rulings, state.ruled("unplaced", "lasso-unplaced", cards=(card,)))
    return _go_on(replace(state, stage=Drawing()).with_discarded(card), rulings)


def _sabotage_canoe(state: State, card: str, rulings: Rulings) -> Transition:
    """Sink the only complete canoe, or ask which one; without any, only the card is discarded."""
    canoes = state.own.complete
    if not canoes:
        return _discard_card(state, card, rulings, "saboteur-alone")
    state = replace(state, turn=replace(state.turn, is_pass=False))
    if len(canoes) > 1:
        return Transition(replace(state, stage=Aiming("saboteur", card)), rulings)
    state, more = placing.sink_canoe(state, canoes[0])
    return _discard_card(state, card, (*rulings, *more), "saboteur")


def _hear_sink(state: State, stage: Aiming, answer: Answer) -> Transition:
    canoe = state.own.canoe_at(cell_aimed_at(option_said(answer)))
    state, rulings = placing.sink_canoe(state, canoe)
    return _discard_card(state, stage.card, rulings, "saboteur")


# Attacks: a newly completed canoe may attack a weaker one, once.


def _hear_attack(state: State, stage: Aiming, answer: Answer) -> Transition:
    option = option_said(answer)
    if option == SPARE:
        return _go_on(placing.with_attack_over(state), (state.ruled("spares", "attack"),))
    return _go_on(*placing.attack_canoe(state, stage, option))


def _next_booty(state: State, rulings: Rulings) -> Transition:
    """Place captured cards one by one while they fit; by a house rule the rest is set aside."""
    seat, booty = state.turn.seat, state.turn.booty
    cards = _placeable(state, booty)
    if len(cards) > 1:
        return Transition(replace(state, stage=Sharing()), rulings)
    if cards:
        return _place_booty(state, cards[0], rulings)
    state = replace(state, turn=replace(state.turn, booty=()))
    if state.house.unplaced_booty == "keep_aside":
        state, key = state.with_aside(seat, state.aside[seat] + booty), "aside"
    else:
        state, key = state.with_discarded(*booty), "unplaced"
    return _go_on(state, (*rulings, state.ruled(key, "booty-unplaced", cards=booty)))


def _place_booty(state: State, card: str, rulings: Rulings) -> Transition:
    turn = replace(state.turn, booty=_without(state.turn.booty, card))
    ruling = state.ruled("next-booty", "booty-laid taken-is-laid", card=card)
    return Transition(replace(state, turn=turn, stage=Placing(card, "booty")), (*rulings, ruling))


# The end: allowed with the third canoe, forced with the fifth, or when no card is left to draw.


def _may_end(state: State, rulings: Rulings) -> Transition:
    held = state.turn.held
    if held >= MAX_CANOES:
        ruling = state.ruled("fifth", "fifth which-canoes", canoes=held)
        return begin_count(state, "fifth", (*rulings, ruling))
    if held >= ENOUGH:
        ruling = state.ruled("may-end", "third which-canoes attack-before-end", canoes=held)
        return Transition(replace(state, stage=Ending()), (*rulings, ruling))
    return _turn_over(state, rulings)


def _hear_end(state: State, _stage: Ending, answer: Answer) -> Transition:
    if option_said(answer) == END:
        return begin_count(state, "ended", (state.ruled("ends", "third"),))
    return _turn_over(state, (state.ruled("goes-on", "third"),))


_HEARS: dict[str, Callable[..., Transition]] = {
    "opener": _hear_opener,
    "turn": _hear_turn,
    "draw": _hear_draw,
    "from": _hear_source,
    "place": _hear_place,
    "aside": _hear_aside,
    "lasso": _hear_aim,
    "archer": _hear_aim,
    "saboteur": _hear_sink,
    "attack": _hear_attack,
    "booty": lambda state, _stage, answer: _place_booty(state, face_aimed_at(option_said(answer)), ()),
    "end": _hear_end,
    "record": hear_record,
    "count": hear_count,
}
