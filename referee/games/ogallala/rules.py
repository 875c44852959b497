"""Ogallala, in the order of the rule book: piles, turns, placing, special cards, attacks, end."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.contract import (
    CENTRE,
    TABLE,
    Answer,
    Ask,
    Choice,
    Option,
    Outcome,
    Refusal,
    Show,
    Transition,
    make_ruling,
)
from referee.games.ogallala.attacks import (
    attack_canoe,
    attack_options,
    placeable_booty,
    put_booty_away,
    with_attack_over,
)
from referee.games.ogallala.canoes import (
    canoe_at,
    cards_aboard,
    complete_in,
    completed_by,
    incomplete_in,
    is_complete,
    pictures_of,
    strength,
)
from referee.games.ogallala.deck import PICTURE, SET_OF
from referee.games.ogallala.final_count import ask_count, begin_count, hear_count, hear_record
from referee.games.ogallala.house import House, deck_of, house_refusal
from referee.games.ogallala.placing import has_place, placings, with_card_placed
from referee.games.ogallala.special_cards import (
    EFFECTS,
    rope_options,
    shoot_options,
    sink_canoe,
    sink_options,
)
from referee.games.ogallala.state import (
    ENOUGH,
    MOST,
    Attacking,
    Counting,
    Drawing,
    Ending,
    Opening,
    Placing,
    Roping,
    Rulings,
    Sharing,
    Shooting,
    Sinking,
    Sourcing,
    State,
    Turn,
    clockwise,
    hidden_cards,
    open_card,
    own_territory,
    pile_size,
    with_aside,
    with_cells_cleared,
    with_completed,
    with_discarded,
    with_territory,
)
from referee.games.ogallala.territory import PUSHES, SLIDES, Territory, cards_in, counted_cell, pushed_cell
from referee.kit.answers import cards_said, cell_aimed_at, face_aimed_at, option_said, seat_aimed_at

STOP = Option("stop")
REFILL = Option("refill")
EMPTY = Option("empty")
FROM_PILE = Option("from-pile")
FROM_DISCARD = Option("from-discard")
DISCARD_IT = Option("discard")
KEEP_ASIDE = Option("keep-aside")
SPARE = Option("spare")
GO_ON = Option("go-on")
END = Option("end")

MEANS = {"lasso": "lasso special-discard", "archer": "archer special-discard"}
"""The rules of cards that may be discarded instead."""
LAYING_RULES = {"first": "first", "put": "touching"}
FEW = 4
"""One of so many: when so small a part of the deck should be left, the piles may be said to be empty."""
STANDSTILL = 3
"""Rounds of nothing but the open card, taken and given back, after which a match may end: one may be chance."""

# Setting up: all cards are shuffled and form three piles, face down; the youngest begins.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    """Give each player an empty territory."""
    refusal = house_refusal(house)
    if refusal is not None:
        return refusal
    count = len(seats)
    state = State(house, (Territory(),) * count, (0,) * count, Opening(), aside=((),) * count)
    return Transition(state, (make_ruling("piles", rule="piles box", count=deck_of(house).size),))


def _ask_opener(state: State, _stage: Opening) -> tuple[Ask, ...]:
    seats = range(len(state.territories))
    return (Choice("opener", TABLE, tuple(Option("opens", seat=seat) for seat in seats)),)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    seat = seat_aimed_at(option_said(answer))
    return _next_draw(replace(state, turn=Turn(seat)), (make_ruling("begins", rule="youngest", seat=seat),))


# A turn: card after card is drawn, from any pile, and laid; the top card of the open pile may be taken, too.


def _next_draw(state: State, told: Rulings) -> Transition:
    """Let the player in turn draw, unless the piles are used up."""
    state = replace(state, stage=Drawing())
    if pile_size(state) or (open_card(state) and state.house.end_of_piles == "all_piles"):
        return Transition(state, told)
    if _may_refill(state):
        return _refill_pile(state, told)
    return begin_count(state, "no-cards", (*told, make_ruling("no-cards", rule="no-cards")))


def _may_refill(state: State) -> bool:
    """House rule: the discards form a new pile; but if none of them was laid last time, none ever will be."""
    is_agreed = state.house.discard == "recycle_when_pile_empty"
    return is_agreed and state.has_laid and bool(state.discard)


def _ask_draw(state: State, _stage: Drawing) -> tuple[Ask, ...]:
    seat, deck, among = (state.turn.seat,), deck_of(state.house), hidden_cards(state)
    left = sum(among.values())
    options = _turn_options(state, left)
    choice = (Choice("turn", seat, options),) if options else ()
    if not left:
        return (*choice, *_ask_aside(state))
    for card in open_card(state):
        among[card] += 1
    return (*choice, Show("draw", seat, 1, CENTRE, deck, among), *_ask_aside(state))


def _turn_options(state: State, left: int) -> tuple[Option, ...]:
    house = state.house
    stop = (STOP,) if state.turn.drawn and house.voluntary_stop else ()
    take = [Option("take", face=card) for card in open_card(state)]
    if state.passes >= STANDSTILL * len(state.territories):
        # the rule text lets each give the open card back for ever, and names no end
        take.append(END)
    if _may_refill(state):
        return (*stop, *take, REFILL)
    # a box may have fewer cards than its deck says
    is_low = 0 < left * FEW <= deck_of(house).size
    return (*stop, *take, EMPTY) if is_low else (*stop, *take)


def _hear_turn(state: State, _stage: Drawing, answer: Answer) -> Transition:
    option, seat = option_said(answer), state.turn.seat
    if option == STOP:
        return _turn_over(state, (make_ruling("stops", rule="stop", seat=seat),))
    if option == REFILL:
        return _refill_pile(state, ())
    if option == EMPTY:
        return begin_count(state, "no-cards", (make_ruling("no-cards", rule="piles-empty"),))
    if option == END:
        told = (
            make_ruling("standstill", rule="standstill"),
            make_ruling("ends", rule="standstill", seat=seat),
        )
        return begin_count(state, "ended", told)
    return _take_open_card(state, state.discard[-1])


def _refill_pile(state: State, told: Rulings) -> Transition:
    said = make_ruling("refill", rule="discards", count=len(state.discard))
    return Transition(replace(state, stage=Drawing(), discard=(), has_laid=False), (*told, said))


def _hear_draw(state: State, _stage: Drawing, answer: Answer) -> Transition:
    """Hear which card lies in the middle: if it can be of either pile, its player says of which."""
    (card,) = cards_said(answer)
    if card not in open_card(state):
        return _judge_drawn_card(
            state, card, (make_ruling("drawn", rule="draw", seat=state.turn.seat, card=card),)
        )
    if not hidden_cards(state)[card]:
        return _take_open_card(state, card)
    return Transition(
        replace(state, stage=Sourcing(card)),
        (make_ruling("which-pile", rule="which-pile", seat=state.turn.seat, card=card),),
    )


def _ask_source(state: State, _stage: Sourcing) -> tuple[Ask, ...]:
    return (Choice("from", (state.turn.seat,), (FROM_PILE, FROM_DISCARD)),)


def _hear_source(state: State, stage: Sourcing, answer: Answer) -> Transition:
    if option_said(answer) == FROM_DISCARD:
        return _take_open_card(state, stage.card)
    return _judge_drawn_card(
        state, stage.card, (make_ruling("drawn", rule="draw", seat=state.turn.seat, card=stage.card),)
    )


def _take_open_card(state: State, card: str) -> Transition:
    turn = replace(state.turn, is_pass=not state.turn.drawn)
    state = replace(state, discard=state.discard[:-1], turn=turn)
    return _judge_drawn_card(
        state, card, (make_ruling("taken", rule="discards", seat=state.turn.seat, card=card),)
    )


def _judge_drawn_card(state: State, card: str, told: Rulings) -> Transition:
    """Say at once what a card means: it lies here already, it has an effect, it belongs to others here."""
    turn = state.turn
    told = (*told, *_meaning(state, card))
    is_last = ends_turn(state, card)
    state = replace(state, turn=replace(turn, drawn=turn.drawn + 1, is_last=is_last))
    if PICTURE[card] == "saboteur" and (complete_in(own_territory(state)) or not state.house.saboteur_stays):
        return _sabotage_canoe(state, card, told)
    if has_place(state.house, own_territory(state), card):
        return Transition(replace(state, stage=Placing(card, "drawn")), told)
    return _discard_card(
        state, card, (*told, make_ruling("no-place", rule="discard", seat=turn.seat, card=card))
    )


def _meaning(state: State, card: str) -> Rulings:
    seat, picture = state.turn.seat, PICTURE[card]
    effect: Rulings = ()
    if picture in EFFECTS:
        is_alone = picture == "saboteur" and not complete_in(own_territory(state))
        means = "saboteur-alone" if is_alone else MEANS.get(picture, picture)
        effect = (make_ruling(EFFECTS[picture], rule=f"special-ends {means}", seat=seat, card=card),)
    double = (make_ruling("double", rule="doubles", seat=seat, card=card),) if _is_double(state, card) else ()
    others = SET_OF.get(card, frozenset()) - {card}
    kin = tuple([other for other in cards_in(own_territory(state)) if other in others]) if others else ()
    return (
        *effect,
        *double,
        *((make_ruling("set", rule="push", seat=seat, card=card, cards=kin),) if kin else ()),
    )


def ends_turn(state: State, card: str) -> bool:
    """Tell whether a card that is drawn now is the last one of the turn, wherever it is laid."""
    return PICTURE[card] in EFFECTS or _is_double(state, card)


def _is_double(state: State, card: str) -> bool:
    """Tell whether the player has such a card already: the colour of its number doesn't matter."""
    territory = own_territory(state)
    if state.house.doubles == "incomplete":
        cards = tuple(other for canoe in incomplete_in(territory) for other in cards_aboard(canoe))
    else:
        cards = cards_in(territory)
    return PICTURE[card] in pictures_of(cards)


def _discard_card(state: State, card: str, told: Rulings, rule: str = "discard") -> Transition:
    """A card that finds no place, or isn't wanted, ends the turn."""
    passes = state.passes + 1 if state.turn.is_pass else 0
    told = (*told, make_ruling("discarded", rule=rule, seat=state.turn.seat, card=card))
    state = with_discarded(replace(state, stage=Drawing()), card)
    if not pile_size(state) and state.house.discard == "fourth_pile":
        # an unwanted card of the open pile would come back for ever
        return begin_count(state, "no-cards", (*told, make_ruling("no-cards", rule="no-cards")))
    return _turn_over(state, told, passes)


def _turn_over(state: State, told: Rulings, passes: int = 0) -> Transition:
    """Give the turn to the next one on the left."""
    seat = clockwise(state, state.turn.seat)[0]
    state = replace(state, turn=Turn(seat), passes=passes)
    return _next_draw(state, (*told, make_ruling("next", rule="next", seat=seat)))


# Placing: a card lies beside others; bow and stern at their ends; sets may be pushed together.


def _ask_place(state: State, stage: Placing) -> tuple[Ask, ...]:
    options = placings(state.house, own_territory(state), stage.card)
    return (Choice("place", (state.turn.seat,), (*options, *_instead(state, stage))),)


def _instead(state: State, stage: Placing) -> tuple[Option, ...]:
    """List what may be done with a card instead of laying it: what was captured has to be laid."""
    if stage.why == "aside":
        return (KEEP_ASIDE,)
    is_bound = PICTURE[stage.card] in {"lasso", "archer"} and not state.house.special_discard
    return (DISCARD_IT,) if stage.why == "drawn" and not is_bound else ()


def _hear_place(state: State, stage: Placing, answer: Answer) -> Transition:
    option, seat = option_said(answer), state.turn.seat
    if option == DISCARD_IT:
        is_special = PICTURE[stage.card] in {"lasso", "archer"}
        return _discard_card(state, stage.card, (), "special-discard" if is_special else "discard")
    if option == KEEP_ASIDE:
        state = with_aside(state, seat, (*state.aside[seat], stage.card))
        return _next_draw(state, (make_ruling("put-back", rule="booty-unplaced", seat=seat, card=stage.card),))
    state, told = _lay_card(state, option, stage)
    if stage.why == "drawn":
        return _effect(state, stage.card, told)
    return _go_on(state, told)


def _lay_card(state: State, option: Option, stage: Placing) -> tuple[State, Rulings]:
    """Lay the card, and see whether that completes a canoe; cards pushed into a complete one don't."""
    seat, cell, before = state.turn.seat, cell_aimed_at(option), own_territory(state)
    territory = with_card_placed(before, option, stage.card)
    due = tuple(pushed_cell(before, bow, option) for bow in state.turn.due)
    state = replace(with_territory(state, seat, territory), turn=replace(state.turn, due=due))
    state = replace(state, stage=Drawing(), has_laid=True)
    counted = counted_cell(before, cell)
    completed = completed_by(before, option, territory)
    rule = LAYING_RULES.get(option.word, "push push-side")
    if option.word in PUSHES and (laid := canoe_at(territory, cell)) not in completed and is_complete(laid):
        rule = f"{rule} push-complete"
    told: Rulings = (
        make_ruling(option.word, rule=rule, seat=seat, card=stage.card, cell=cell, counted=counted),
    )
    rule = f"complete canoe-ends strength{' slide-completes' if option.word in SLIDES else ''}"
    rule = f"{rule} lasso-attack" if stage.why == "roped" else rule
    for canoe in completed:
        state = with_completed(state, canoe.cell, may_attack=stage.why != "roped" or state.house.lasso_attack)
        said = make_ruling(
            "completes",
            rule=rule,
            seat=seat,
            cards=canoe.cards,
            strength=strength(canoe),
            canoes=state.turn.held,
        )
        told = (*told, said)
    return state, told


def _go_on(state: State, told: Rulings) -> Transition:
    """Go on: booty first, then attacks, then the end of the match or of the turn, then the next card."""
    turn = state.turn
    if turn.booty:
        return _next_booty(state, told)
    if turn.due:
        return _next_attack(state, told)
    if turn.held:
        return _may_end(state, told)
    return _turn_over(state, told) if turn.is_last else _next_draw(state, told)


# House rule: booty that found no place is kept aside, and may be laid later.


def _ask_aside(state: State) -> tuple[Ask, ...]:
    seat, territory = state.turn.seat, own_territory(state)
    if not state.aside[seat]:
        return ()
    cards = [card for card in dict.fromkeys(state.aside[seat]) if has_place(state.house, territory, card)]
    return (Choice("aside", (seat,), tuple(Option("fetch", face=card) for card in cards)),) if cards else ()


def _hear_aside(state: State, _stage: Drawing, answer: Answer) -> Transition:
    seat, card = state.turn.seat, face_aimed_at(option_said(answer))
    cards = list(state.aside[seat])
    cards.remove(card)
    state = replace(with_aside(state, seat, tuple(cards)), stage=Placing(card, "aside"))
    return Transition(state, (make_ruling("fetches", rule="booty-unplaced", seat=seat, card=card),))


# The special cards: the Lasso takes, the Archer shoots, the Saboteur sinks.


def _effect(state: State, card: str, told: Rulings) -> Transition:
    """Let a card that was laid do what it does, if it can."""
    match PICTURE[card]:
        case "lasso":
            stage: Roping | Shooting = Roping(card)
            aims = rope_options(state)
        case "archer":
            stage, aims = Shooting(card), shoot_options(state)
        case _:
            return _go_on(state, told)
    if next(aims, None) is None:
        return _go_on(
            state, (*told, make_ruling("lapses", rule="effect-lapses", seat=state.turn.seat, card=card))
        )
    return Transition(replace(state, stage=stage), told)


def _ask_rope(state: State, _stage: Roping) -> tuple[Ask, ...]:
    return (Choice("lasso", (state.turn.seat,), tuple(rope_options(state))),)


def _hear_rope(state: State, _stage: Roping, answer: Answer) -> Transition:
    option, seat = option_said(answer), state.turn.seat
    target, card = seat_aimed_at(option), face_aimed_at(option)
    state = with_cells_cleared(state, target, frozenset({cell_aimed_at(option)}))
    told = (
        make_ruling(
            "ropes", rule=_aimed_rule(state, "lasso lasso-unplaced"), seat=seat, target=target, card=card
        ),
    )
    if has_place(state.house, own_territory(state), card):
        return Transition(replace(state, stage=Placing(card, "roped")), told)
    state = with_discarded(replace(state, stage=Drawing()), card)
    return _go_on(state, (*told, make_ruling("unplaced", rule="lasso-unplaced", seat=seat, cards=(card,))))


def _ask_shot(state: State, _stage: Shooting) -> tuple[Ask, ...]:
    return (Choice("archer", (state.turn.seat,), tuple(shoot_options(state))),)


def _hear_shot(state: State, _stage: Shooting, answer: Answer) -> Transition:
    option = option_said(answer)
    target, card = seat_aimed_at(option), face_aimed_at(option)
    state = with_discarded(with_cells_cleared(state, target, frozenset({cell_aimed_at(option)})), card)
    said = make_ruling(
        "shoots", rule=_aimed_rule(state, "archer"), seat=state.turn.seat, target=target, card=card
    )
    return _go_on(replace(state, stage=Drawing()), (said,))


def _aimed_rule(state: State, rule: str) -> str:
    """Add that an effect comes before an attack, where a canoe waits for its own."""
    return f"{rule} effect-first" if state.turn.due else rule


def _sabotage_canoe(state: State, card: str, told: Rulings) -> Transition:
    """Sink the only complete canoe, or ask which; without any, only the card is discarded."""
    canoes = complete_in(own_territory(state))
    if canoes:
        state = replace(state, turn=replace(state.turn, is_pass=False))
    if len(canoes) > 1:
        return Transition(replace(state, stage=Sinking(card)), told)
    for canoe in canoes:
        state, more = sink_canoe(state, canoe)
        told = (*told, *more)
    return _discard_card(state, card, told, "saboteur" if canoes else "saboteur-alone")


def _ask_sink(state: State, _stage: Sinking) -> tuple[Ask, ...]:
    return (Choice("saboteur", (state.turn.seat,), tuple(sink_options(state))),)


def _hear_sink(state: State, stage: Sinking, answer: Answer) -> Transition:
    canoe = canoe_at(own_territory(state), cell_aimed_at(option_said(answer)))
    state, told = sink_canoe(state, canoe)
    return _discard_card(state, stage.saboteur, told, "saboteur")


# The attacks: a canoe that was completed may attack a weaker one, once.


def _next_attack(state: State, told: Rulings) -> Transition:
    """Let the next canoe attack; where there is nothing to attack, nothing is asked."""
    if next(attack_options(state), None) is not None:
        return Transition(replace(state, stage=Attacking()), told)
    return _go_on(with_attack_over(state), told)


def _ask_attack(state: State, _stage: Attacking) -> tuple[Ask, ...]:
    return (Choice("attack", (state.turn.seat,), (*attack_options(state), SPARE)),)


def _hear_attack(state: State, _stage: Attacking, answer: Answer) -> Transition:
    option = option_said(answer)
    if option == SPARE:
        return _go_on(with_attack_over(state), (make_ruling("spares", rule="attack", seat=state.turn.seat),))
    return _go_on(*attack_canoe(state, option))


def _next_booty(state: State, told: Rulings) -> Transition:
    """Let the captured cards be laid, one by one, while any finds a place."""
    cards = placeable_booty(state)
    if not cards:
        state, more = put_booty_away(state)
        return _go_on(state, (*told, *more))
    if len(cards) == 1:
        return _place_booty(state, cards[0], told)
    return Transition(replace(state, stage=Sharing()), told)


def _ask_share(state: State, _stage: Sharing) -> tuple[Ask, ...]:
    options = tuple(Option("lay", face=card) for card in placeable_booty(state))
    return (Choice("booty", (state.turn.seat,), options),)


def _hear_share(state: State, _stage: Sharing, answer: Answer) -> Transition:
    return _place_booty(state, face_aimed_at(option_said(answer)), ())


def _place_booty(state: State, card: str, told: Rulings) -> Transition:
    booty = list(state.turn.booty)
    booty.remove(card)
    state = replace(state, turn=replace(state.turn, booty=tuple(booty)), stage=Placing(card, "booty"))
    return Transition(
        state,
        (*told, make_ruling("next-booty", rule="booty-laid taken-is-laid", seat=state.turn.seat, card=card)),
    )


# The end: with the third canoe one may end the match, with the fifth one has to; or no card is left to draw.


def _may_end(state: State, told: Rulings) -> Transition:
    seat, held = state.turn.seat, state.turn.held
    if held >= MOST:
        return begin_count(
            state, "fifth", (*told, make_ruling("fifth", rule="fifth which-canoes", seat=seat, canoes=held))
        )
    if held >= ENOUGH:
        return Transition(
            replace(state, stage=Ending()),
            (
                *told,
                make_ruling("may-end", rule="third which-canoes attack-before-end", seat=seat, canoes=held),
            ),
        )
    return _turn_over(state, told)


def _ask_end(state: State, _stage: Ending) -> tuple[Ask, ...]:
    return (Choice("end", (state.turn.seat,), (GO_ON, END)),)


def _hear_end(state: State, _stage: Ending, answer: Answer) -> Transition:
    seat = state.turn.seat
    if option_said(answer) == END:
        return begin_count(state, "ended", (make_ruling("ends", rule="third", seat=seat),))
    return _turn_over(state, (make_ruling("goes-on", rule="third", seat=seat),))


# What is asked and heard at each stage.


_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: _ask_opener,
    Drawing: _ask_draw,
    Sourcing: _ask_source,
    Placing: _ask_place,
    Roping: _ask_rope,
    Shooting: _ask_shot,
    Sinking: _ask_sink,
    Attacking: _ask_attack,
    Sharing: _ask_share,
    Ending: _ask_end,
    Counting: ask_count,
}

_HEARS: dict[str, Callable[..., Transition]] = {
    "opener": _hear_opener,
    "turn": _hear_turn,
    "draw": _hear_draw,
    "from": _hear_source,
    "place": _hear_place,
    "aside": _hear_aside,
    "lasso": _hear_rope,
    "archer": _hear_shot,
    "saboteur": _hear_sink,
    "attack": _hear_attack,
    "booty": _hear_share,
    "end": _hear_end,
    "record": hear_record,
    "count": hear_count,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what is asked now: everything legal, and nothing else."""
    ask = _ASKS.get(type(state.stage))
    return ask(state, state.stage) if ask else ()


def hear(state: State, answer: Answer) -> Transition | Refusal:
    """Rule on a legal answer."""
    return _HEARS[answer.ask](state, state.stage, answer)
