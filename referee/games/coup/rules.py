"""Coup, in the order of the rule book: setting up, influence, turns, actions, blocks, challenges."""

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from referee.contract import (
    PROOF,
    TABLE,
    Answer,
    Ask,
    Choice,
    Deadline,
    Done,
    Option,
    Outcome,
    Refusal,
    Ruling,
    Show,
    Standing,
    Transition,
    Zone,
    before_seat,
    make_ruling,
)
from referee.contract.cards import without
from referee.games.coup.actions import ACTIONS, FORCED, STOLEN
from referee.games.coup.deck import COUP
from referee.games.coup.house import House, house_refusal
from referee.games.coup.state import (
    INFLUENCE,
    Attack,
    Block,
    BluffTally,
    DeclaredAction,
    Exchanging,
    Losing,
    Lost,
    Opening,
    Over,
    Proving,
    State,
    Swapping,
    Turn,
    Window,
    alive,
    claimant,
    clockwise,
    influence,
    open_cards,
    treasury,
    with_coins,
    with_tally_raised,
)
from referee.games.coup.windows import (
    CHALLENGE,
    ask_window,
    blockers,
    is_doubtful,
    objection,
    open_window,
    with_seat_heard,
)
from referee.kit.answers import cards_said, option_said, who_said
from referee.kit.options import aimed_options

Rulings = tuple[Ruling, ...]

CONCEDE = Option("concede")
SWAP = Option("swap")
KEEP = Option("keep")
PURSE = 2
"""Coins that each player begins with."""

# Setting up: two cards and two coins each. The winner of the match before begins; else the table says who.


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition | Refusal:
    """Deal two cards to each player; the other cards are the Court, the other coins the Treasury."""
    refusal = house_refusal(house)
    if refusal is not None:
        return refusal
    count = len(seats)
    state = State(house, (PURSE,) * count, ((),) * count, Opening(), (BluffTally(),) * count)
    told = (make_ruling("dealt", "purse", coins=PURSE),)
    winners = after.winners if after is not None else ()
    first = next((seat for seat in winners if seat in seats), None)
    return Transition(state, told) if first is None else _begin_first_turn(state, first, "opener", told)


def _ask_opener(state: State, _stage: Opening) -> tuple[Ask, ...]:
    return (Choice("opener", TABLE, tuple(Option("opens", seat=seat) for seat in alive(state))),)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    return _begin_first_turn(state, _aim(option_said(answer)), "first-opener", ())


def _begin_first_turn(state: State, seat: int, rule: str, told: Rulings) -> Transition:
    """Let a seat begin; with two players, a house rule gives it one coin less."""
    told = (*told, make_ruling("begins", rule, seat=seat))
    purse = state.house.two_player_first_coin
    if len(state.coins) == 2 and purse < PURSE:
        state = with_coins(state, seat, purse - PURSE)
        told = (*told, make_ruling("first-coin", "first-coin", seat=seat, coins=purse))
    return Transition(replace(state, stage=Turn(seat)), told)


# A turn: one action, any that one can pay for; with ten coins or more it has to be a coup.


def _ask_action(state: State, turn: Turn) -> tuple[Ask, ...]:
    seat = turn.seat
    coins, others = state.coins[seat], clockwise(state, seat)
    if coins >= FORCED:
        return (Choice("must-coup", (seat,), aimed_options("coup", others)),)
    robbed = others
    if state.house.steal_zero == "forbid":
        robbed = tuple([other for other in others if state.coins[other]])
    return (Choice("action", (seat,), _options(coins, others, robbed)),)


@cache
def _options(coins: int, others: tuple[int, ...], robbed: tuple[int, ...]) -> tuple[Option, ...]:
    """List what one can pay for."""
    options: list[Option] = []
    for word, action in ACTIONS.items():
        if action.cost <= coins and action.aimed:
            options += aimed_options(word, robbed if word == "steal" else others)
        elif action.cost <= coins:
            options.append(Option(word))
    return tuple(options)


def _hear_action(state: State, turn: Turn, answer: Answer) -> Transition:
    """Declare an action: it is paid for at once, and its target is named."""
    option = option_said(answer)
    action = ACTIONS[option.word]
    deed = DeclaredAction(turn.seat, option.word, option.seat)
    told: Rulings = ()
    if action.said:
        coins = action.cost or action.gain
        told = (make_ruling(action.said, action.word, seat=deed.seat, target=deed.target, coins=coins),)
    if action.cost:
        state = with_coins(state, deed.seat, -action.cost)
    if action.claim is not None:
        state = with_tally_raised(state, deed.seat, claims=1)
    if action.claim is None and not action.blocked_by:
        return _apply_action(state, deed, told)
    return Transition(open_window(state, deed), told)


# What the actions do.


def _apply_action(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """Let an action succeed."""
    return _EFFECTS[deed.word](state, deed, told)


def _take_coins(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """Take coins from the Treasury: income, foreign aid, tax. There may be fewer than wanted."""
    wanted, left = ACTIONS[deed.word].gain, treasury(state)
    coins = wanted if state.house.bank_unlimited else min(wanted, left)
    rule = deed.word if wanted <= left else "treasury"
    told = (*told, make_ruling("takes", rule, seat=deed.seat, coins=coins, wanted=wanted))
    if coins < wanted:
        told = (*told, make_ruling("treasury-empty", rule))
    return _turn_over(with_coins(state, deed.seat, coins), deed, told)


def _steal_coins(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """Take two coins from another player, or the only one; also from one who is out since a moment ago."""
    target = _target(deed)
    coins = min(STOLEN, state.coins[target])
    state = with_coins(with_coins(state, target, -coins), deed.seat, coins)
    rule = "steal-zero" if not coins else "steal" if influence(state, target) else "coins-after-action"
    told = (*told, make_ruling("steals", rule, seat=deed.seat, target=target, coins=coins))
    return _turn_over(state, deed, told)


def _attack_target(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """A coup or an assassin: the target loses an influence, if it has one left."""
    target = _target(deed)
    if not influence(state, target):
        return _turn_over(state, deed, told)
    return Transition(replace(state, stage=Losing(target, deed, Attack())), told)


def _begin_exchange(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    told = (*told, make_ruling("draws", "exchange", seat=deed.seat))
    return Transition(replace(state, stage=Exchanging(deed)), told)


def _ask_exchange(_state: State, stage: Exchanging) -> tuple[Ask, ...]:
    return (Done("exchange", (stage.deed.seat,)),)


def _hear_exchange(state: State, stage: Exchanging, _answer: Answer) -> Transition:
    return _turn_over(state, stage.deed, (make_ruling("returns", "exchange", seat=stage.deed.seat),))


_EFFECTS: dict[str, Callable[[State, DeclaredAction, Rulings], Transition]] = {
    "income": _take_coins,
    "foreign-aid": _take_coins,
    "coup": _attack_target,
    "tax": _take_coins,
    "assassinate": _attack_target,
    "steal": _steal_coins,
    "exchange": _begin_exchange,
}

# Challenges and blocks: first the action may be challenged, then blocked, then the block may be challenged.


def _hear_window(state: State, window: Window, answer: Answer) -> Transition:
    """Hear a seat, then see whether an objection counts, or all have let it pass."""
    seat, option = who_said(answer), option_said(answer)
    window = with_seat_heard(window, seat, option)
    told = _tell_tie(window, answer) if answer.tied else ()
    found = objection(state, window)
    if found is not None:
        if found.option == CHALLENGE:
            return _challenge_claim(state, window, found.seat, told)
        return _block_action(state, window, Block(found.seat, found.option.face or ""), told)
    if not window.waiting:
        return _close_window(state, window, told)
    if window.said and window.said[-1].seat == seat:
        key = "means-to-challenge" if option == CHALLENGE else "means-to-block"
        rule = "challenges-first" if option != CHALLENGE and is_doubtful(window) else "priority"
        told = (*told, make_ruling(key, rule, seat=seat, face=option.face))
    return Transition(replace(state, stage=window), told)


def _tell_tie(window: Window, answer: Answer) -> Rulings:
    """Name the seats that said the same at the same instant, and gave way."""
    gave_way = tuple([other for other in answer.tied if other in window.waiting])
    return (make_ruling("tie", "priority", seat=answer.seat, others=gave_way),) if gave_way else ()


def _hear_objections(state: State, window: Window, answer: Answer) -> Transition:
    """Let the claimant ask for objections: from now on the clock runs."""
    said = make_ruling("objections", "window", seat=who_said(answer), seconds=state.house.window_seconds)
    return Transition(replace(state, stage=replace(window, is_counting=True)), (said,))


def _close_window(state: State, window: Window, told: Rulings) -> Transition:
    if window.block is None:
        return _apply_action(state, window.deed, told)
    return _block_holds(state, window.deed, told)


def _block_holds(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """The action fails, and what was paid for it stays spent."""
    cost = ACTIONS[deed.word].cost
    said = (
        make_ruling("block-holds-spent", "block-holds", seat=deed.seat, coins=cost)
        if cost
        else make_ruling("block-holds", "block-holds", seat=deed.seat)
    )
    return _turn_over(state, deed, (*told, said))


def _block_action(state: State, window: Window, block: Block, told: Rulings) -> Transition:
    """Block an action by claiming a character; that may be challenged in its turn."""
    state = open_window(with_tally_raised(state, block.seat, claims=1), window.deed, block)
    return Transition(state, (*told, make_ruling("blocks", "block", seat=block.seat, face=block.face)))


def _challenge_claim(state: State, window: Window, seat: int, told: Rulings) -> Transition:
    """Have the challenged player show the character."""
    proving = Proving(window.deed, window.block, seat)
    said = make_ruling(
        "challenged", "challenge", seat=seat, claimant=_prover(proving), face=_claimed_face(proving)
    )
    return Transition(replace(with_tally_raised(state, seat, challenges=1), stage=proving), (*told, said))


def _ask_proof(state: State, proving: Proving) -> tuple[Ask, ...]:
    """Ask for the card, or that it won't be shown: that is what the clock says, too."""
    seat, house = _prover(proving), state.house
    show = _show(state, "prove", seat, PROOF)
    if not house.may_concede:
        return (show,)
    deadline = Deadline(float(house.proof_seconds), CONCEDE)
    return (Choice("concede", (seat,), (CONCEDE,), deadline=deadline), show)


def _hear_concede(state: State, proving: Proving, _answer: Answer) -> Transition:
    """Lose a challenge without showing anything, and then a card of one's own choice."""
    seat = _prover(proving)
    state, told = _fail_claim(
        state, proving, make_ruling("concedes", "refuse", seat=seat, face=_claimed_face(proving))
    )
    losing = Losing(seat, proving.deed, Lost(proving, is_proven=False))
    return Transition(replace(state, stage=losing), told)


def _hear_proof(state: State, proving: Proving, answer: Answer) -> Transition:
    """The character that was claimed wins the challenge; any other card is the one that is lost."""
    (card,) = cards_said(answer)
    seat, face = _prover(proving), _claimed_face(proving)
    if card != face:
        state, told = _fail_claim(
            state, proving, make_ruling("disproved", "proof", seat=seat, card=card, face=face)
        )
        losing = Losing(seat, proving.deed, Lost(proving, is_proven=False))
        return _lose_card(state, losing, card, "wrong-card", told)
    state = with_tally_raised(state, seat, proven=1)
    told = (make_ruling("proved", "proof", seat=seat, card=card),)
    if state.house.swap_after_proof == "optional":
        return Transition(replace(state, stage=Swapping(proving)), told)
    return _swap_card(state, proving, SWAP, told)


def _ask_swap(_state: State, stage: Swapping) -> tuple[Ask, ...]:
    return (Choice("swap", (_prover(stage.proving),), (SWAP, KEEP)),)


def _hear_swap(state: State, stage: Swapping, answer: Answer) -> Transition:
    return _swap_card(state, stage.proving, option_said(answer), ())


def _swap_card(state: State, proving: Proving, option: Option, told: Rulings) -> Transition:
    """The shown card is swapped first, so that the Court is whole; then the challenger loses an influence."""
    key = "swaps" if option == SWAP else "keeps"
    told = (*told, make_ruling(key, "swap", seat=_prover(proving), card=_claimed_face(proving)))
    losing = Losing(proving.challenger, proving.deed, Lost(proving, is_proven=True))
    return Transition(replace(state, stage=losing), told)


def _fail_claim(state: State, proving: Proving, said: Ruling) -> tuple[State, Rulings]:
    """A claim has failed; of an action that fails so, the cost is given back."""
    state = with_tally_raised(with_tally_raised(state, _prover(proving), caught=1), proving.challenger, right=1)
    if proving.block is not None:
        return state, (said, make_ruling("block-fails", "block-fails", seat=proving.block.seat))
    seat, cost = proving.deed.seat, ACTIONS[proving.deed.word].cost
    if not cost:
        return state, (said, make_ruling("void", "action-fails", seat=seat))
    return with_coins(state, seat, cost), (
        said,
        make_ruling("void-refunded", "action-fails", seat=seat, coins=cost),
    )


# Influence: the player who loses one turns up a card of their choice.


def _ask_lost(state: State, losing: Losing) -> tuple[Ask, ...]:
    return (_show(state, "lose", losing.seat, before_seat(losing.seat)),)


def _hear_lost(state: State, losing: Losing, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    return _lose_card(state, losing, card, "influence", ())


def _show(state: State, key: str, seat: int, zone: Zone) -> Show:
    return Show(key, (seat,), 1, zone, COUP, without(COUP.counts, open_cards(state)))


def _lose_card(state: State, losing: Losing, card: str, rule: str, told: Rulings) -> Transition:
    """Turn a card up; it stays so. The last one left with influence wins at once."""
    seat, cards = losing.seat, state.lost
    lost = (*cards[:seat], (*cards[seat], card), *cards[seat + 1 :])
    state = replace(state, lost=lost)
    told = (*told, make_ruling("loses", rule, seat=seat, card=card))
    if len(lost[seat]) == INFLUENCE:
        told = (*told, make_ruling("out", "out", seat=seat))
        if len(alive(state)) == 1:
            return _end_match(state, losing.why, told)
    return _after_loss(state, losing.deed, losing.why, told)


def _after_loss(state: State, deed: DeclaredAction, why: Attack | Lost, told: Rulings) -> Transition:
    """Go on where the action or the block stood."""
    if isinstance(why, Attack):
        return _turn_over(state, deed, told)
    if why.proving.block is None:
        return _after_proof(state, why.proving, told) if why.is_proven else _turn_over(state, deed, told)
    return _block_holds(state, deed, told) if why.is_proven else _apply_action(state, deed, told)


def _after_proof(state: State, proving: Proving, told: Rulings) -> Transition:
    """An action that was challenged in vain may still be blocked."""
    deed, may_block = proving.deed, blockers(state, proving.deed)
    if not state.house.challenger_may_block:
        may_block = tuple(seat for seat in may_block if seat != proving.challenger)
    if not may_block:
        return _apply_action(state, deed, told)
    return Transition(open_window(state, deed, is_proven=True), told)


# The end of a turn, and of the match.


def _turn_over(state: State, deed: DeclaredAction, told: Rulings) -> Transition:
    """Take the coins back from players who are out, and give the turn to the next one."""
    state, back = _give_back_coins(state)
    return Transition(replace(state, stage=Turn(clockwise(state, deed.seat)[0])), (*told, *back))


def _give_back_coins(state: State) -> tuple[State, Rulings]:
    told: Rulings = ()
    living = alive(state)
    for seat, coins in enumerate(state.coins):
        if coins and seat not in living:
            state = with_coins(state, seat, -coins)
            told = (*told, make_ruling("gives-back", "coins-back", seat=seat, coins=coins))
    return state, told


def _end_match(state: State, why: Attack | Lost, told: Rulings) -> Transition:
    """Name the winner; an action that a challenge has let pass, or freed of its block, comes to nothing."""
    (winner,) = alive(state)
    state, back = _give_back_coins(state)
    is_cut = isinstance(why, Lost) and why.is_proven == (why.proving.block is None)
    rule = "at-once" if is_cut else "last-one"
    return Transition(replace(state, stage=Over(winner)), (*told, *back, make_ruling("won", rule, seat=winner)))


# The whole of it.

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: _ask_opener,
    Turn: _ask_action,
    Window: ask_window,
    Proving: _ask_proof,
    Swapping: _ask_swap,
    Losing: _ask_lost,
    Exchanging: _ask_exchange,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Transition]] = {
    "opener": _hear_opener,
    "action": _hear_action,
    "must-coup": _hear_action,
    "challenge": _hear_window,
    "challenge-or-block": _hear_window,
    "block": _hear_window,
    "objections": _hear_objections,
    "concede": _hear_concede,
    "prove": _hear_proof,
    "swap": _hear_swap,
    "lose": _hear_lost,
    "exchange": _hear_exchange,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what the referee waits for."""
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    """Rule on an answer that is legal for what was asked."""
    return _HEAR[answer.ask](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """The last one with influence wins."""
    return Outcome("last-standing", (state.stage.winner,)) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """All who are still in stand alike, and so do all who are out: there is no second place."""
    living = alive(state)
    rows = [_standing(state, seat, 1) for seat in living]
    fallen = [seat for seat in range(len(state.coins)) if seat not in living]
    return tuple(rows + [_standing(state, seat, len(living) + 1) for seat in fallen])


def _standing(state: State, seat: int, place: int) -> Standing:
    counts = {"influence": influence(state, seat), "coins": state.coins[seat]}
    return Standing(seat, place, counts, out=not counts["influence"])


def _prover(proving: Proving) -> int:
    return claimant(proving.deed, proving.block)


def _claimed_face(proving: Proving) -> str:
    """Name the character that has to be shown."""
    if proving.block is not None:
        return proving.block.face
    return ACTIONS[proving.deed.word].claim or ""


def _target(deed: DeclaredAction) -> int:
    if deed.target is None:
        raise ValueError(f"{deed.word} needs a target")
    return deed.target


def _aim(option: Option) -> int:
    if option.seat is None:
        raise ValueError(f"{option.word} needs a target")
    return option.seat
