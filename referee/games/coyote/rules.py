"""Coyote, in the order of the rule book: opening, numbers, "Coyote!", reveal, count, marks, next round."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.contract import (
    CENTRE,
    DISCARD,
    PROOF,
    TABLE,
    Answer,
    Ask,
    Choice,
    Number,
    Option,
    Outcome,
    Refusal,
    Ruling,
    Show,
    Standing,
    Transition,
    before_seat,
    make_ruling,
)
from referee.contract.cards import without
from referee.games.coyote.house import (
    CAVE,
    NIGHT,
    USUAL_LIMIT,
    VALUE,
    House,
    deck_of,
    doubling_of,
    edition_of,
    house_refusal,
    marks_needed,
    with_powers_spelt_out,
)
from referee.games.coyote.powers import (
    after_options,
    aim,
    only_one_left,
    renew_pile,
    turn_options,
    use_power,
    with_obligation,
    with_turn_given,
    with_turn_passed,
)
from referee.games.coyote.score import CountStep, tally
from referee.games.coyote.state import (
    Bid,
    Bidding,
    Closed,
    CountedDuel,
    CountedRound,
    Duel,
    Guessing,
    Leaving,
    Opening,
    Over,
    Revealing,
    State,
    Turning,
    alive,
    bidders,
    next_seat,
    pile,
    with_bid,
)
from referee.kit.answers import cards_said, number_said, option_said

MOST = 9999
"""What a display of four digits can show; no total comes near it, so no bid stays there for long."""

COYOTE = Option("coyote")
LEAVE = Option("leave")
STAY = Option("stay")

# Opening: the youngest, or the best coyote laugh. The table says who.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    """Begin a match: no player wears a mark, and the table says who opens."""
    house = with_powers_spelt_out(house)
    refusal = house_refusal(house, len(seats))
    if refusal is not None:
        return refusal
    needed, have = marks_needed(house, len(seats))
    warning = (
        (make_ruling("marks-short", rule="marks-in-box", needed=needed, have=have),) if needed > have else ()
    )
    return Transition(State(house, (0,) * len(seats), Opening()), warning)


def _ask_opener(state: State, _stage: Opening) -> tuple[Ask, ...]:
    options = tuple(Option("opens", seat=seat) for seat in alive(state))
    return (Choice("opener", TABLE, options),)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    return _new_round(state, aim(option_said(answer)), (), "cards-worn first-opener")


def _new_round(state: State, opener: int, told: tuple[Ruling, ...], rule: str) -> Transition:
    """Every player draws a card unseen; all are shuffled first when there are too few."""
    living = alive(state)
    if deck_of(state.house).size - len(state.discard) < len(living):
        told = (*told, make_ruling("shuffle", rule="pile-too-short"))
        state = replace(state, discard=())
    way = state.way if state.house.direction_persists else 1
    number = state.round + 1
    said = make_ruling("round", rule=rule, number=number, opener=opener, cards=len(living))
    return Transition(replace(state, round=number, way=way, stage=Bidding(opener)), (*told, said))


# Numbers: the one in turn says a higher one, or "Coyote!".


def _ask_bid(state: State, bidding: Bidding) -> tuple[Ask, ...]:
    turn, bids = bidding.turn, bidding.bids
    floor = bids[-1].number if bids else 0
    barred = () if bidding.refused is None else (bidding.refused,)
    asks: list[Ask] = [Number("announce", (turn,), floor + 1, max(MOST, floor + 2), barred)]
    options = turn_options(state, bidding)
    if _may_contest(bidding):
        options = (COYOTE, *options)
    if options:
        asks.append(Choice("turn", (turn,), options))
    added = after_options(state, bidding)
    if added:
        asks.append(Choice("after", (bids[-1].seat,), added))
    if state.house.anyone_may_contest and bids and not bidding.obliged:
        asks.extend(_ask_others(state, bidding))
    return tuple(asks)


def _may_contest(bidding: Bidding) -> bool:
    """Tell whether the seat in turn may contest: another player's number, once there is one."""
    return bool(bidding.bids) and not bidding.obliged and bidding.bids[-1].seat != bidding.turn


def _ask_others(state: State, bidding: Bidding) -> list[Ask]:
    """House rule: players out of turn may contest too."""
    busy = {bidding.turn, bidding.bids[-1].seat}
    others = tuple(seat for seat in bidders(state, bidding) if seat not in busy)
    return [Choice("contest", others, (COYOTE,))] if others else []


def _hear_number(state: State, bidding: Bidding, answer: Answer) -> Transition:
    seat, number = bidding.turn, number_said(answer)
    bidding = replace(
        _answerer_in_turn(state, bidding),
        bids=with_bid(bidding.bids, Bid(seat, number)),
        fresh=True,
        obliged=False,
        caller=None,
        refused=None,
        bound=bidding.caller is not None,
    )
    return _carry_on(state, bidding, (make_ruling("announced", rule="higher", seat=seat, number=number),))


def _answerer_in_turn(state: State, bidding: Bidding) -> Bidding:
    """Give the turn to the next player, or back to the one who demanded another number."""
    if bidding.caller is not None:
        return replace(bidding, turn=bidding.caller)
    return with_turn_given(bidding, next_seat(state, bidding.turn, bidding.retired))


def _carry_on(state: State, bidding: Bidding, told: tuple[Ruling, ...]) -> Transition:
    """Go on with the round, unless only one player is left in it: then it is void, and that one opens."""
    last = only_one_left(state, bidding) if bidding.retired else None
    if last is None:
        return Transition(replace(state, stage=bidding), told)
    return _close_round(
        state,
        bidding,
        Closed(last, "nobody-to-contest"),
        (*told, make_ruling("void", rule="nobody-to-contest", seat=last)),
    )


def _hear_turn(state: State, bidding: Bidding, answer: Answer) -> Transition:
    option = option_said(answer)
    if option == COYOTE:
        return _begin_duel(state, bidding, bidding.turn)
    return use_power(state, bidding, bidding.turn, option)


def _hear_after(state: State, bidding: Bidding, answer: Answer) -> Transition:
    return use_power(state, bidding, bidding.bids[-1].seat, option_said(answer))


def _hear_contest(state: State, bidding: Bidding, answer: Answer) -> Transition:
    if answer.seat is None:
        raise ValueError("a contest needs a seat")
    return _begin_duel(state, bidding, answer.seat)


# Oliphante's tokens that turn a card up: an extra one, and one's own after a guess.


def _ask_turned(state: State, stage: Turning) -> tuple[Ask, ...]:
    return (_show_one(state, stage.bidding, "extra", stage.seat),)


def _hear_turned(state: State, stage: Turning, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    bidding = replace(stage.bidding, opened=(*stage.bidding.opened, card))
    return Transition(
        replace(state, stage=bidding), (make_ruling("opened", rule="token-extra", seat=stage.seat, card=card),)
    )


def _ask_guessed(state: State, stage: Guessing) -> tuple[Ask, ...]:
    return (_show_one(state, stage.bidding, "own", stage.seat),)


def _hear_guessed(state: State, stage: Guessing, answer: Answer) -> Transition:
    """Right: the card stays open, and one leaves the round. Wrong: a mark at once, and the round is over."""
    (card,) = cards_said(answer)
    bidding, seat = replace(stage.bidding, opened=(*stage.bidding.opened, card)), stage.seat
    if card == stage.face and state.house.o_guess_stays:
        said = make_ruling("guess-right-open", rule="token-guess", seat=seat, card=card)
        return Transition(replace(state, stage=Leaving(seat, bidding)), (said,))
    if card == stage.face:
        return _leave_round(
            state, bidding, make_ruling("guess-right", rule="token-guess", seat=seat, card=card)
        )
    said = make_ruling("guess-wrong", rule="token-guess", seat=seat, card=card, said=stage.face)
    marked, told = _give_marks(state, seat, 1, "token-guess")
    opener = seat if seat in alive(marked) else next_seat(marked, seat)
    closed = _close_round(state, bidding, Closed(opener, "wrong-guess-opens"), (said, *told))
    return Transition(replace(marked, stage=closed.state.stage), closed.rulings)


def _leave_round(state: State, bidding: Bidding, said: Ruling) -> Transition:
    """Go on without the one in turn, until the round is over."""
    left = replace(with_turn_passed(state, bidding), retired=(*bidding.retired, bidding.turn))
    return _carry_on(state, left, (said,))


def _ask_leave(_state: State, stage: Leaving) -> tuple[Ask, ...]:
    return (Choice("leave", (stage.seat,), (LEAVE, STAY)),)


def _hear_leave(state: State, stage: Leaving, answer: Answer) -> Transition:
    """House rule: one who guessed right may go on, and then says a number, as after other tokens."""
    bidding, seat = stage.bidding, stage.seat
    if option_said(answer) == LEAVE:
        return _leave_round(state, bidding, make_ruling("leaves", rule="token-guess", seat=seat))
    stayed = replace(with_obligation(state, bidding), stayed=(*bidding.stayed, seat))
    return Transition(
        replace(state, stage=stayed),
        (make_ruling("stays", rule="token-guess open-card after-token", seat=seat),),
    )


def _close_round(state: State, bidding: Bidding, end: Closed, told: tuple[Ruling, ...]) -> Transition:
    """End a round without a duel: its cards are seen as they are put away."""
    stage = Revealing(_cards_that_count(state, bidding), bidding, end, state.discard)
    return Transition(replace(state, stage=stage), told)


def _show_one(state: State, bidding: Bidding, key: str, seat: int) -> Show:
    deck = deck_of(state.house)
    among = without(deck.counts, state.discard + bidding.opened)
    return Show(key, (seat,), 1, before_seat(seat), deck, among)


# "Coyote!": all cards go to the middle, face up.


def _begin_duel(state: State, bidding: Bidding, contester: int) -> Transition:
    last = bidding.bids[-1]
    stake = 2 if last.double and contester == bidding.turn else 1
    duel = Duel(contester, last.seat, last.number, stake)
    stage = Revealing(_cards_that_count(state, bidding), bidding, duel, state.discard)
    key, rule = ("called-double", "call double") if stake == 2 else ("called", "call")
    said = make_ruling(key, rule=rule, seat=contester, bidder=last.seat, number=last.number, stake=stake)
    return Transition(replace(state, stage=stage), (said,))


def _cards_that_count(state: State, bidding: Bidding) -> int:
    return len(alive(state)) + len(bidding.extras) + bidding.turned


def _ask_cards(state: State, stage: Revealing) -> tuple[Ask, ...]:
    """Ask for all cards, then for those that were covered, then for what the cave draws."""
    deck, bidding = deck_of(state.house), stage.bidding
    if not stage.shown:
        among = without(deck.counts, state.discard)
        return (Show("reveal", TABLE, stage.count, CENTRE, deck, among, bidding.opened),)
    among = without(deck.counts, state.discard + stage.shown + stage.aside)
    if len(stage.aside) < bidding.replaced:
        return (Show("aside", TABLE, bidding.replaced, DISCARD, deck, among),)
    return (Show("draw", TABLE, stage.shown.count(CAVE), PROOF, deck, among),)


def _hear_reveal(state: State, stage: Revealing, answer: Answer) -> Transition:
    cards = cards_said(answer)
    # whose card was whose helps only if it is told of one card for every player
    owners = answer.owners if sorted(answer.owners) == list(alive(state)) else ()
    stage = replace(stage, shown=cards, owners=owners)
    told = (make_ruling("shown", rule="all-shown", cards=cards),)
    return (
        Transition(replace(state, stage=stage), told)
        if stage.bidding.replaced
        else _after_reveal(state, stage, told)
    )


def _hear_aside(state: State, stage: Revealing, answer: Answer) -> Transition:
    cards = cards_said(answer)
    return _after_reveal(
        state, replace(stage, aside=cards), (make_ruling("set-aside", rule="covered-cards", cards=cards),)
    )


def _after_reveal(state: State, stage: Revealing, told: tuple[Ruling, ...]) -> Transition:
    """Count at once, unless a cave has to draw first; with no card left anywhere it draws nothing."""
    if isinstance(stage.end, Closed) or CAVE not in stage.shown:
        return _round_over(state, stage, (), told)
    state, shuffled = renew_pile(state, stage.bidding)
    if pile(state, stage.bidding) == 0:
        return _round_over(state, stage, (), (*told, make_ruling("no-draw", rule="pile-renewed")))
    return Transition(replace(state, stage=stage), (*told, *shuffled))


def _hear_draw(state: State, stage: Revealing, answer: Answer) -> Transition:
    return _round_over(state, stage, cards_said(answer), ())


# The count, the marks and the next round.


def _round_over(state: State, stage: Revealing, drawn: tuple[str, ...], told: tuple[Ruling, ...]) -> Transition:
    """Judge the duel, put the cards away, and begin the next round, unless only one player is left."""
    seen = stage.shown + stage.aside + drawn
    if isinstance(stage.end, Closed):
        state, opener = replace(state, told=_counted_round(stage, (), None)), stage.end.opener
        rule = stage.end.rule
    else:
        state, opener, verdict = _judge_duel(state, stage, stage.end, drawn)
        told, rule = (*told, *verdict), "next-opener"
    if len(alive(state)) == 1:
        over = replace(state, stage=Over(opener), discard=state.discard + seen)
        return Transition(over, (*told, make_ruling("won", rule="last-one", seat=opener)))
    # a night shuffles wherever it was seen, also if it was covered and didn't count
    shuffled = NIGHT in seen
    state = replace(state, discard=() if shuffled else state.discard + seen)
    told = (*told, make_ruling("shuffle", rule="night")) if shuffled else told
    return _new_round(state, opener, told, f"{rule} cards-worn")


def _judge_duel(
    state: State, stage: Revealing, duel: Duel, drawn: tuple[str, ...]
) -> tuple[State, int, tuple[Ruling, ...]]:
    """The number stands when the total reaches it; the loser of the duel takes the marks."""
    count = tally(stage.shown, drawn, doubling_of(state.house))
    steps = tuple(map(step_ruling, count.steps))
    enough = count.total >= duel.number
    winner, loser = (duel.bidder, duel.contester) if enough else (duel.contester, duel.bidder)
    verdict = make_ruling(
        "enough" if enough else "short",
        rule="reached",
        total=count.total,
        number=duel.number,
        bidder=duel.bidder,
        contester=duel.contester,
    )
    counted = CountedDuel(count.total, duel.number, duel.bidder, count.steps)
    state = replace(state, told=_counted_round(stage, stage.bidding.bids, counted))
    state, marked = _give_marks(state, loser, duel.stake, "mark" if duel.stake == 1 else "doubled-marks mark")
    stays = loser in alive(state) and edition_of(state.house).opener == "loser"
    return state, loser if stays else winner, (*steps, verdict, *marked)


STEP_RULES = {
    "draw": "cave",
    "cancel": "fox",
    "cancel-none": "fox",
    "turn": "max-minus",
    "turn-none": "max-minus",
    "decoy": "decoy",
    "add": "added",
    "add-none": "added",
    "double-greens": "leader",
    "subtract": "subtracted",
    "double-total": "leader",
    "night": "night",
}


def step_ruling(step: CountStep) -> Ruling:
    """Tell a step of the count."""
    rule = STEP_RULES[step.key]
    if step.key == "draw" and not VALUE.keys() >= set(step.cards):
        rule = "cave cave-draws-special"
    return make_ruling(f"count-{step.key}", rule=rule, cards=step.cards, start=step.start, sum=step.sum)


def _give_marks(state: State, seat: int, stake: int, rule: str) -> tuple[State, tuple[Ruling, ...]]:
    """Hang marks on a player; with the last one that is allowed, the player is out."""
    limit = state.house.limit
    now = min(limit, state.marks[seat] + stake)
    marks = (*state.marks[:seat], now, *state.marks[seat + 1 :])
    rule = rule if limit == USUAL_LIMIT else f"{rule} more-marks"
    told = (make_ruling("mark", rule=rule, seat=seat, taken=now - state.marks[seat], marks=now, limit=limit),)
    state = replace(state, marks=marks)
    if now < limit:
        return state, told
    return replace(state, fallen=(*state.fallen, seat)), (*told, make_ruling("out", rule="out", seat=seat))


def _counted_round(stage: Revealing, bids: tuple[Bid, ...], duel: CountedDuel | None) -> CountedRound:
    """Keep what was said and seen, for what can be told about it."""
    bidding = stage.bidding
    plain = not (bidding.extras or bidding.turned or bidding.replaced or bidding.retired or bidding.stayed)
    return CountedRound(bids, stage.shown, stage.owners, stage.discard, plain, duel)


# The whole of it.

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: _ask_opener,
    Bidding: _ask_bid,
    Turning: _ask_turned,
    Guessing: _ask_guessed,
    Leaving: _ask_leave,
    Revealing: _ask_cards,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Transition]] = {
    "opener": _hear_opener,
    "announce": _hear_number,
    "turn": _hear_turn,
    "after": _hear_after,
    "contest": _hear_contest,
    "extra": _hear_turned,
    "own": _hear_guessed,
    "leave": _hear_leave,
    "reveal": _hear_reveal,
    "aside": _hear_aside,
    "draw": _hear_draw,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what the referee waits for."""
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    """Rule on an answer that is legal for what was asked."""
    return _HEAR[answer.ask](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """The last one in the match wins."""
    return Outcome("last-standing", (state.stage.winner,)) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """The fewer marks the better; those who are out stand in the order in which they fell."""
    order = sorted(alive(state), key=lambda seat: state.marks[seat])
    best = [state.marks[seat] for seat in order]
    places = [(seat, best.index(state.marks[seat]) + 1) for seat in order]
    fallen = [(seat, len(order) + place) for place, seat in enumerate(reversed(state.fallen), 1)]
    return tuple(
        Standing(seat, place, {"marks": state.marks[seat]}, out=seat in state.fallen)
        for seat, place in places + fallen
    )
