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
    Heard,
    Number,
    Option,
    Outcome,
    Refusal,
    Ruling,
    Show,
    Standing,
    before_seat,
    ruled,
)
from referee.decks import without
from referee.games.coyote.deck import CAVE, NIGHT
from referee.games.coyote.house import (
    House,
    deck_of,
    doubling_of,
    edition_of,
    house_refusal,
    marks_needed,
    settled,
)
from referee.games.coyote.powers import (
    after_options,
    aim,
    given_to,
    only_one_left,
    passed_on,
    renewed,
    turn_options,
    use,
)
from referee.games.coyote.score import Step, tally
from referee.games.coyote.state import (
    Bid,
    Bidding,
    Closed,
    Duel,
    Guessing,
    Opening,
    Over,
    Revealing,
    State,
    Told,
    Turning,
    alive,
    bidders,
    following,
    pile,
)
from referee.kit.answers import cards_said, number_said, option_said

MOST = 9999
"""What a display of four digits can show; no total comes near it, so nobody is held to it for long."""

COYOTE = Option("coyote")

# Opening: the youngest, or the best coyote laugh. The table says who.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Heard | Refusal:
    """Begin a match: nobody wears a mark, and the table says who opens."""
    house = settled(house)
    refusal = house_refusal(house, len(seats))
    if refusal is not None:
        return refusal
    needed, have = marks_needed(house, len(seats))
    warning = (ruled("marks-short", needed=needed, have=have),) if needed > have else ()
    return Heard(State(house, (0,) * len(seats), Opening()), warning)


def _ask_opener(state: State, _stage: Opening) -> tuple[Ask, ...]:
    options = tuple(Option("opens", seat=seat) for seat in alive(state))
    return (Choice("opener", TABLE, options),)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Heard:
    return _new_round(state, aim(option_said(answer)), ())


def _new_round(state: State, opener: int, told: tuple[Ruling, ...]) -> Heard:
    """Every player draws a card unseen; all are shuffled first when there are too few."""
    living = alive(state)
    if deck_of(state.house).size - len(state.discard) < len(living):
        told = (*told, ruled("shuffle"))
        state = replace(state, discard=())
    way = state.way if state.house.direction_persists else 1
    number = state.round + 1
    said = ruled("round", number=number, opener=opener, cards=len(living))
    return Heard(replace(state, round=number, way=way, stage=Bidding(opener)), (*told, said))


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
    """Nobody contests their own number, nor before there is one."""
    return bool(bidding.bids) and not bidding.obliged and bidding.bids[-1].seat != bidding.turn


def _ask_others(state: State, bidding: Bidding) -> list[Ask]:
    """House rule: whoever isn't in turn may contest too."""
    busy = {bidding.turn, bidding.bids[-1].seat}
    others = tuple(seat for seat in bidders(state, bidding) if seat not in busy)
    return [Choice("contest", others, (COYOTE,))] if others else []


def _hear_number(state: State, bidding: Bidding, answer: Answer) -> Heard:
    seat, number = bidding.turn, number_said(answer)
    bidding = replace(
        _answerer_in_turn(state, bidding),
        bids=(*bidding.bids, Bid(seat, number)),
        fresh=True,
        obliged=False,
        caller=None,
        refused=None,
        bound=bidding.caller is not None,
    )
    return _carry_on(state, bidding, (ruled("announced", seat=seat, number=number),))


def _answerer_in_turn(state: State, bidding: Bidding) -> Bidding:
    """Give the turn to the next player, or back to the one who demanded another number."""
    if bidding.caller is not None:
        return replace(bidding, turn=bidding.caller)
    return given_to(bidding, following(state, bidding.turn, bidding.retired))


def _carry_on(state: State, bidding: Bidding, told: tuple[Ruling, ...]) -> Heard:
    """Go on with the round, unless only one player is left in it: then it is void, and that one opens."""
    last = only_one_left(state, bidding) if bidding.retired else None
    if last is None:
        return Heard(replace(state, stage=bidding), told)
    return _closed(state, bidding, last, (*told, ruled("void", seat=last)))


def _hear_turn(state: State, bidding: Bidding, answer: Answer) -> Heard:
    option = option_said(answer)
    if option == COYOTE:
        return _contested(state, bidding, bidding.turn)
    return use(state, bidding, bidding.turn, option)


def _hear_after(state: State, bidding: Bidding, answer: Answer) -> Heard:
    return use(state, bidding, bidding.bids[-1].seat, option_said(answer))


def _hear_contest(state: State, bidding: Bidding, answer: Answer) -> Heard:
    if answer.seat is None:
        raise ValueError("somebody has to contest")
    return _contested(state, bidding, answer.seat)


# Oliphante's tokens that turn a card up: an extra one, and one's own after a guess.


def _ask_turned(state: State, stage: Turning) -> tuple[Ask, ...]:
    return (_show_one(state, stage.bidding, "extra", stage.seat),)


def _hear_turned(state: State, stage: Turning, answer: Answer) -> Heard:
    (card,) = cards_said(answer)
    bidding = replace(stage.bidding, opened=(*stage.bidding.opened, card))
    return Heard(replace(state, stage=bidding), (ruled("opened", seat=stage.seat, card=card),))


def _ask_guessed(state: State, stage: Guessing) -> tuple[Ask, ...]:
    return (_show_one(state, stage.bidding, "own", stage.seat),)


def _hear_guessed(state: State, stage: Guessing, answer: Answer) -> Heard:
    """Right: out of the round, the card stays open. Wrong: a mark at once, and the round is over."""
    (card,) = cards_said(answer)
    bidding, seat = replace(stage.bidding, opened=(*stage.bidding.opened, card)), stage.seat
    if card == stage.face:
        bidding = replace(passed_on(state, bidding), retired=(*bidding.retired, seat))
        return _carry_on(state, bidding, (ruled("guess-right", seat=seat, card=card),))
    marked, told = _mark(state, seat, 1)
    opener = seat if seat in alive(marked) else following(marked, seat)
    closed = _closed(
        state, bidding, opener, (ruled("guess-wrong", seat=seat, card=card, said=stage.face), *told)
    )
    return Heard(replace(marked, stage=closed.state.stage), closed.rulings)


def _closed(state: State, bidding: Bidding, opener: int, told: tuple[Ruling, ...]) -> Heard:
    """End a round without a duel: its cards are seen as they are put away."""
    count = _cards_that_count(state, bidding)
    stage = Revealing(count, bidding, Closed(opener), state.discard)
    return Heard(replace(state, stage=stage), told)


def _show_one(state: State, bidding: Bidding, key: str, seat: int) -> Show:
    deck = deck_of(state.house)
    among = without(deck.counts, state.discard + bidding.opened)
    return Show(key, (seat,), 1, before_seat(seat), deck, among)


# "Coyote!": all cards go to the middle, face up.


def _contested(state: State, bidding: Bidding, contester: int) -> Heard:
    last = bidding.bids[-1]
    stake = 2 if last.double and contester == bidding.turn else 1
    duel = Duel(contester, last.seat, last.number, stake)
    stage = Revealing(_cards_that_count(state, bidding), bidding, duel, state.discard)
    key = "called-double" if stake == 2 else "called"
    said = ruled(key, seat=contester, bidder=last.seat, number=last.number, stake=stake)
    return Heard(replace(state, stage=stage), (said,))


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


def _hear_reveal(state: State, stage: Revealing, answer: Answer) -> Heard:
    cards = cards_said(answer)
    # whose card was whose helps only if it is told of one card for every player
    owners = answer.owners if sorted(answer.owners) == list(alive(state)) else ()
    stage = replace(stage, shown=cards, owners=owners)
    told = (ruled("shown", cards=cards),)
    return Heard(replace(state, stage=stage), told) if stage.bidding.replaced else _seen(state, stage, told)


def _hear_aside(state: State, stage: Revealing, answer: Answer) -> Heard:
    cards = cards_said(answer)
    return _seen(state, replace(stage, aside=cards), (ruled("set-aside", cards=cards),))


def _seen(state: State, stage: Revealing, told: tuple[Ruling, ...]) -> Heard:
    """Count at once, unless a cave has to draw first; with no card left anywhere it draws nothing."""
    if isinstance(stage.end, Closed) or CAVE not in stage.shown:
        return _round_over(state, stage, (), told)
    state, shuffled = renewed(state, stage.bidding)
    if pile(state, stage.bidding) == 0:
        return _round_over(state, stage, (), (*told, ruled("no-draw")))
    return Heard(replace(state, stage=stage), (*told, *shuffled))


def _hear_draw(state: State, stage: Revealing, answer: Answer) -> Heard:
    return _round_over(state, stage, cards_said(answer), ())


# The count, the marks and the next round.


def _round_over(state: State, stage: Revealing, drawn: tuple[str, ...], told: tuple[Ruling, ...]) -> Heard:
    """Judge the duel, put the cards away, and begin the next round, unless only one player is left."""
    seen = stage.shown + stage.aside + drawn
    state = replace(state, told=_told(stage))
    if isinstance(stage.end, Closed):
        opener = stage.end.opener
    else:
        state, opener, verdict = _judged(state, stage, stage.end, drawn)
        told = (*told, *verdict)
    if len(alive(state)) == 1:
        over = replace(state, stage=Over(opener), discard=state.discard + seen)
        return Heard(over, (*told, ruled("won", seat=opener)))
    # a night shuffles wherever it was seen, also if it was covered and didn't count
    shuffled = NIGHT in seen
    state = replace(state, discard=() if shuffled else state.discard + seen)
    return _new_round(state, opener, (*told, ruled("shuffle")) if shuffled else told)


def _judged(
    state: State, stage: Revealing, duel: Duel, drawn: tuple[str, ...]
) -> tuple[State, int, tuple[Ruling, ...]]:
    """The number stands when the total reaches it; the loser of the duel takes the marks."""
    count = tally(stage.shown, drawn, doubling_of(state.house))
    steps = tuple(map(step_ruling, count.steps))
    enough = count.total >= duel.number
    winner, loser = (duel.bidder, duel.contester) if enough else (duel.contester, duel.bidder)
    verdict = ruled(
        "enough" if enough else "short",
        total=count.total,
        number=duel.number,
        bidder=duel.bidder,
        contester=duel.contester,
    )
    state, marked = _mark(state, loser, duel.stake)
    stays = loser in alive(state) and edition_of(state.house).opener == "loser"
    return state, loser if stays else winner, (*steps, verdict, *marked)


def step_ruling(step: Step) -> Ruling:
    """Tell a step of the count."""
    return ruled(f"count-{step.key}", cards=step.cards, start=step.start, sum=step.sum)


def _mark(state: State, seat: int, stake: int) -> tuple[State, tuple[Ruling, ...]]:
    """Hang marks on a player; with the last one that is allowed, the player is out."""
    limit = state.house.limit
    now = min(limit, state.marks[seat] + stake)
    marks = (*state.marks[:seat], now, *state.marks[seat + 1 :])
    told = (ruled("mark", seat=seat, taken=now - state.marks[seat], marks=now, limit=limit),)
    state = replace(state, marks=marks)
    if now < limit:
        return state, told
    return replace(state, fallen=(*state.fallen, seat)), (*told, ruled("out", seat=seat))


def _told(stage: Revealing) -> Told:
    """Keep what was said and seen, for what can be told about it."""
    bidding = stage.bidding
    plain = not (bidding.extras or bidding.turned or bidding.replaced or bidding.retired)
    bids = bidding.bids if isinstance(stage.end, Duel) else ()
    return Told(bids, stage.shown, stage.owners, stage.discard, plain)


# The whole of it.

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: _ask_opener,
    Bidding: _ask_bid,
    Turning: _ask_turned,
    Guessing: _ask_guessed,
    Revealing: _ask_cards,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Heard]] = {
    "opener": _hear_opener,
    "announce": _hear_number,
    "turn": _hear_turn,
    "after": _hear_after,
    "contest": _hear_contest,
    "extra": _hear_turned,
    "own": _hear_guessed,
    "reveal": _hear_reveal,
    "aside": _hear_aside,
    "draw": _hear_draw,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what the referee waits for."""
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Heard:
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
