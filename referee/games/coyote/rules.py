"""The rules of Coyote in rule-book order: opening, bids, "Coyote!", reveal, count, marks, next round."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from referee.contract.asks import TABLE, Answer, Ask, Choice, Number, Option, Refusal, Ruling, Show, make_ruling
from referee.contract.cards import CENTRE, DISCARD, PROOF, before_seat, without
from referee.contract.game import Outcome, Standing, Transition
from referee.games.coyote.powers import after_options, renew_pile, turn_options, use_power
from referee.games.coyote.state import (
    CAVE,
    NIGHT,
    USUAL_LIMIT,
    VALUE,
    Bid,
    Bidding,
    Closed,
    CountedDuel,
    CountedRound,
    CountStep,
    Duel,
    Guessing,
    House,
    Leaving,
    Opening,
    Over,
    Revealing,
    State,
    Turning,
    tally,
    with_bid,
)
from referee.kit.answers import cards_said, number_said, option_said, seat_aimed_at, who_said
from referee.kit.options import aimed_options
from referee.kit.ranking import rank_by

MAX_BID = 9999
"""Maximum on a four-digit display. No total comes near it, so such a bid is always challenged."""

COYOTE = Option("coyote")
LEAVE = Option("leave")
STAY = Option("stay")

# Opening: the youngest player, or the best coyote laugh. The table decides.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    edition = house.box
    if "all" in house.powers:
        house = replace(house, powers=edition.powers)
    if (refusal := house.refused(len(seats))) is not None:
        return refusal
    # a player never wears the last mark, because it ends their match
    needed, have = len(seats) * (house.limit - 1), edition.marks_in_box * house.boxes
    warning = (make_ruling("marks-short", "marks-in-box", needed=needed, have=have),) if needed > have else ()
    return Transition(State(house, (0,) * len(seats), Opening()), warning)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    return _new_round(state, seat_aimed_at(option_said(answer)), (), "cards-worn first-opener")


def _new_round(state: State, opener: int, rulings: tuple[Ruling, ...], rule: str) -> Transition:
    """Each player draws a hidden card; the deck is shuffled first if there are too few."""
    cards = len(state.alive)
    if state.house.deck.size - len(state.discard) < cards:
        rulings = (*rulings, make_ruling("shuffle", "pile-too-short"))
        state = replace(state, discard=())
    state = replace(state, round=state.round + 1, way=state.way if state.house.direction_persists else 1)
    ruling = make_ruling("round", rule, number=state.round, opener=opener, cards=cards)
    return state.going_on(Bidding(opener), *rulings, ruling)


# Bids: the player in turn bids higher or calls "Coyote!".


def _ask_bid(state: State, bidding: Bidding) -> tuple[Ask, ...]:
    turn, bids = bidding.turn, bidding.bids
    floor = bids[-1].number if bids else 0
    barred = () if bidding.refused is None else (bidding.refused,)
    asks: list[Ask] = [Number("announce", (turn,), floor + 1, max(MAX_BID, floor + 2), barred)]
    options = turn_options(state, bidding)
    may_contest = bids and not bidding.obliged
    if may_contest and bids[-1].seat != turn:
        options = (COYOTE, *options)
    if options:
        asks.append(Choice("turn", (turn,), options))
    if added := after_options(state, bidding):
        asks.append(Choice("after", (bids[-1].seat,), added))
    if may_contest and state.house.anyone_may_contest:
        busy = {turn, bids[-1].seat}
        if others := tuple([seat for seat in state.bidders(bidding) if seat not in busy]):
            asks.append(Choice("contest", others, (COYOTE,)))
    return tuple(asks)


def _hear_number(state: State, bidding: Bidding, answer: Answer) -> Transition:
    """Pass the turn to the next player, or back to the player who demanded the new bid."""
    seat, number, caller = bidding.turn, number_said(answer), bidding.caller
    turn = state.next_seat(seat, bidding.retired) if caller is None else caller
    acted = bidding.acted_but(turn) if caller is None else bidding.acted
    bids, bound = with_bid(bidding.bids, Bid(seat, number)), caller is not None
    bidding = replace(bidding, turn=turn, acted=acted, bids=bids, bound=bound)
    bidding = replace(bidding, fresh=True, obliged=False, caller=None, refused=None)
    return _carry_on(state, bidding, make_ruling("announced", "higher", seat=seat, number=number))


def _carry_on(state: State, bidding: Bidding, ruling: Ruling) -> Transition:
    """Continue the round. If only one player is left, the round is void and that player opens the next one."""
    last = _only_one_left(state, bidding) if bidding.retired else None
    if last is None:
        return Transition(replace(state, stage=bidding), (ruling,))
    void = make_ruling("void", "nobody-to-contest", seat=last)
    return state.going_on(_revealing(state, bidding, Closed(last, "nobody-to-contest")), ruling, void)


def _only_one_left(state: State, bidding: Bidding) -> int | None:
    """Return the last player in a round without a bid to challenge, or None."""
    left = state.bidders(bidding)
    if not left:
        return bidding.turn
    nothing_to_contest = not bidding.bids or bidding.bids[-1].seat == left[0]
    return left[0] if len(left) == 1 and nothing_to_contest else None


def _hear_turn(state: State, bidding: Bidding, answer: Answer) -> Transition:
    option = option_said(answer)
    if option == COYOTE:
        return _begin_duel(state, bidding, bidding.turn)
    return use_power(state, bidding, bidding.turn, option)


# Oliphante's tokens that turn up a card: an extra card, or one's own after a guess.


def _ask_card(state: State, stage: Turning | Guessing) -> tuple[Ask, ...]:
    key, deck = "extra" if isinstance(stage, Turning) else "own", state.house.deck
    among = without(deck.counts, state.discard + stage.bidding.opened)
    return (Show(key, (stage.seat,), 1, before_seat(stage.seat), deck, among),)


def _hear_extra(state: State, stage: Turning, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    bidding = replace(stage.bidding, opened=(*stage.bidding.opened, card))
    return state.going_on(bidding, make_ruling("opened", "token-extra", seat=stage.seat, card=card))


def _hear_guessed(state: State, stage: Guessing, answer: Answer) -> Transition:
    """Correct: the card stays face up and the player leaves the round. Wrong: a mark, and the round ends."""
    (card,) = cards_said(answer)
    bidding, seat = replace(stage.bidding, opened=(*stage.bidding.opened, card)), stage.seat
    if card != stage.face:
        ruling = make_ruling("guess-wrong", "wrong-guess", seat=seat, card=card, said=stage.face)
        marked, rulings = _give_marks(state, seat, 1, "wrong-guess")
        by, opener = "wrong-guess-opens", seat
        if seat not in marked.alive:
            by, opener = "opener-out", marked.next_seat(seat)
        # the card of an eliminated player remains on the table
        return marked.going_on(_revealing(state, bidding, Closed(opener, by)), ruling, *rulings)
    if state.house.o_guess_stays:
        ruling = make_ruling("guess-right-open", "token-guess", seat=seat, card=card)
        return state.going_on(Leaving(seat, bidding), ruling)
    return _leave_round(state, bidding, make_ruling("guess-right", "token-guess", seat=seat, card=card))


def _leave_round(state: State, bidding: Bidding, ruling: Ruling) -> Transition:
    left = replace(state.with_turn_passed(bidding), retired=(*bidding.retired, bidding.turn))
    return _carry_on(state, left, ruling)


def _hear_leave(state: State, stage: Leaving, answer: Answer) -> Transition:
    """House rule: after a correct guess, a player may stay and then has to bid, as after other tokens."""
    bidding, seat = stage.bidding, stage.seat
    if option_said(answer) == LEAVE:
        return _leave_round(state, bidding, make_ruling("leaves", "token-guess", seat=seat))
    stayed = replace(state.with_obligation(bidding), stayed=(*bidding.stayed, seat))
    return state.going_on(stayed, make_ruling("stays", "token-guess open-card after-token", seat=seat))


# "Coyote!": all cards go face up to the middle, also if a round ends without a duel.


def _begin_duel(state: State, bidding: Bidding, contester: int) -> Transition:
    last = bidding.bids[-1]
    is_double = last.double and contester == bidding.turn
    duel = Duel(contester, last.seat, last.number, stake=2 if is_double else 1)
    key, rule = ("called-double", "call double") if is_double else ("called", "call")
    values = {"seat": contester, "bidder": last.seat, "number": last.number, "stake": duel.stake}
    return state.going_on(_revealing(state, bidding, duel), Ruling(key, values, rule))


def _revealing(state: State, bidding: Bidding, end: Duel | Closed) -> Revealing:
    return Revealing(state.cards_that_count(bidding), bidding, end, state.discard)


def _ask_cards(state: State, stage: Revealing) -> tuple[Ask, ...]:
    deck, bidding = state.house.deck, stage.bidding
    among = without(deck.counts, state.discard + stage.shown + stage.aside)
    if not stage.shown:
        return (Show("reveal", TABLE, stage.count, CENTRE, deck, among, bidding.opened),)
    if len(stage.aside) < bidding.replaced:
        return (Show("aside", TABLE, bidding.replaced, DISCARD, deck, among),)
    return (Show("draw", TABLE, stage.shown.count(CAVE), PROOF, deck, among),)


def _hear_reveal(state: State, stage: Revealing, answer: Answer) -> Transition:
    cards = cards_said(answer)
    stage, ruling = replace(stage, shown=cards), make_ruling("shown", "all-shown", cards=cards)
    stage = replace(stage, owners=_accepted_owners(state, stage.bidding, answer.owners))
    return state.going_on(stage, ruling) if stage.bidding.replaced else _after_reveal(state, stage, ruling)


def _accepted_owners(
    state: State, bidding: Bidding, reported: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """Accept the reported owners up to their number of cards; a single unknown card goes to the last player."""
    worn = {seat: 1 + bidding.extras.count(seat) + bidding.turned for seat in state.alive}
    owners = tuple(seat if seat in worn and reported.count(seat) <= worn[seat] else None for seat in reported)
    left = [seat for seat in worn if seat not in owners]
    if owners.count(None) == len(left) == 1:
        return tuple(left[0] if seat is None else seat for seat in owners)
    return owners if set(owners) != {None} else ()


def _hear_aside(state: State, stage: Revealing, answer: Answer) -> Transition:
    cards = cards_said(answer)
    ruling = make_ruling("set-aside", "covered-cards", cards=cards)
    return _after_reveal(state, replace(stage, aside=cards), ruling)


def _after_reveal(state: State, stage: Revealing, ruling: Ruling) -> Transition:
    """Count immediately, unless a cave must first draw a card; without any cards left it draws nothing."""
    if isinstance(stage.end, Closed) or CAVE not in stage.shown:
        return _round_over(state, stage, (), ruling)
    state, shuffled = renew_pile(state, stage.bidding)
    if state.pile(stage.bidding) == 0:
        return _round_over(state, stage, (), ruling, make_ruling("no-draw", "pile-renewed"))
    return state.going_on(stage, ruling, *shuffled)


# The count, the marks and the next round.


def _round_over(state: State, stage: Revealing, drawn: tuple[str, ...], *rulings: Ruling) -> Transition:
    if isinstance(stage.end, Closed):
        state, opener, rule = _remember(state, stage, None), stage.end.opener, stage.end.rule
    else:
        state, opener, verdict = _judge_duel(state, stage, stage.end, drawn)
        rulings, rule = (*rulings, *verdict), "next-opener"
    seen = stage.shown + stage.aside + drawn
    if len(state.alive) == 1:
        state = replace(state, discard=state.discard + seen)
        return state.going_on(Over(opener), *rulings, make_ruling("won", "last-one", seat=opener))
    # a night card shuffles the deck even if it was covered and didn't count
    if NIGHT in seen:
        state, rulings = replace(state, discard=()), (*rulings, make_ruling("shuffle", "night"))
    else:
        state = replace(state, discard=state.discard + seen)
    return _new_round(state, opener, rulings, f"{rule} cards-worn")


def _judge_duel(
    state: State, stage: Revealing, duel: Duel, drawn: tuple[str, ...]
) -> tuple[State, int, tuple[Ruling, ...]]:
    """The bid stands if the total reaches it; the loser of the duel takes the marks."""
    count = tally(stage.shown, drawn, state.house.doubling)
    key, winner, loser = "short", duel.contester, duel.bidder
    if count.total >= duel.number:
        key, winner, loser = "enough", duel.bidder, duel.contester
    sides = {"bidder": duel.bidder, "contester": duel.contester}
    verdict = make_ruling(key, "reached", total=count.total, number=duel.number, **sides)
    state = _remember(state, stage, CountedDuel(count.total, duel.number, duel.bidder, count.steps))
    state, marked = _give_marks(state, loser, duel.stake, "mark" if duel.stake == 1 else "doubled-marks mark")
    stays = loser in state.alive and state.house.box.opener == "loser"
    return state, loser if stays else winner, (*map(step_ruling, count.steps), verdict, *marked)


STEP_RULES: Mapping[str, str] = {
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
    rule = STEP_RULES[step.key]
    if step.key == "draw" and not VALUE.keys() >= set(step.cards):
        rule = "cave cave-draws-special"
    return make_ruling(f"count-{step.key}", rule, cards=step.cards, start=step.start, sum=step.sum)


def _give_marks(state: State, seat: int, stake: int, rule: str) -> tuple[State, tuple[Ruling, ...]]:
    """Give marks to a player; at the limit the player is out."""
    limit, worn = state.house.limit, state.marks[seat]
    now = min(limit, worn + stake)
    rule = rule if now - worn == stake else f"no-more-marks {rule}"
    rule = rule if limit == USUAL_LIMIT else f"{rule} more-marks most-marks"
    rulings = make_ruling("mark", rule, seat=seat, taken=now - worn, marks=now, limit=limit)
    state = replace(state, marks=(*state.marks[:seat], now, *state.marks[seat + 1 :]))
    if now < limit:
        return state, (rulings,)
    return replace(state, fallen=(*state.fallen, seat)), (rulings, make_ruling("out", "out", seat=seat))


def _remember(state: State, stage: Revealing, duel: CountedDuel | None) -> State:
    bidding = stage.bidding
    plain = not (bidding.extras or bidding.turned or bidding.replaced or bidding.retired or bidding.stayed)
    bids = bidding.bids if duel else ()
    return replace(state, revealed=CountedRound(bids, stage.shown, stage.owners, stage.discard, plain, duel))


_ASKS: Mapping[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: lambda state, _stage: (Choice("opener", TABLE, aimed_options("opens", state.alive)),),
    Bidding: _ask_bid,
    Turning: _ask_card,
    Guessing: _ask_card,
    Leaving: lambda _state, stage: (Choice("leave", (stage.seat,), (LEAVE, STAY)),),
    Revealing: _ask_cards,
    Over: lambda _state, _stage: (),
}
_HEAR: Mapping[str, Callable[..., Transition]] = {
    "opener": _hear_opener,
    "announce": _hear_number,
    "turn": _hear_turn,
    "after": lambda state, bidding, answer: use_power(
        state, bidding, bidding.bids[-1].seat, option_said(answer)
    ),
    "contest": lambda state, bidding, answer: _begin_duel(state, bidding, who_said(answer)),
    "extra": _hear_extra,
    "own": _hear_guessed,
    "leave": _hear_leave,
    "reveal": _hear_reveal,
    "aside": _hear_aside,
    "draw": lambda state, stage, answer: _round_over(state, stage, cards_said(answer)),
}


def asks(state: State) -> tuple[Ask, ...]:
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    return _HEAR[answer.ask](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """The last player left wins."""
    return Outcome("last-standing", (state.stage.winner,)) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by fewest marks; players who are out rank by the order in which they fell."""
    return rank_by("marks", state.marks, is_most_best=False, out=state.fallen)
