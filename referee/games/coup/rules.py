"""The rules of Coup in rule-book order: setup, turns, actions, blocks and challenges, influence, the end."""

from collections.abc import Callable
from functools import cache, lru_cache

from msgspec.structs import replace

from referee.contract import PROOF, Deadline, Zone, before_seat, make_refusal, make_ruling
from referee.contract.asks import TABLE, Answer, Ask, Choice, Done, Option, Reason, Refusal, Ruling, Show
from referee.contract.game import Outcome, Standing, Transition
from referee.games.coup.state import (
    ACTIONS,
    CACHE_SIZE,
    DECK,
    FORCED,
    INFLUENCE,
    PURSE,
    STOLEN,
    BluffTally,
    Deed,
    Exchanging,
    House,
    Losing,
    Opening,
    Over,
    Proving,
    State,
    Swapping,
    Tallies,
    Turn,
    Window,
    raised,
)
from referee.kit import claims
from referee.kit.answers import cards_said, option_said, seat_aimed_at, who_said
from referee.kit.claims import CHALLENGE, KEEP, PASS, SWAP
from referee.kit.options import aimed_options, unmet

Rulings = tuple[Ruling, ...]
Seats = tuple[int, ...]
MAX_WINDOW_SECONDS = 120  # maximum length in seconds of a reaction window

# Setup: two cards and two coins each. The previous winner begins; otherwise the table decides.


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition | Refusal:
    if not all(1 <= seconds <= MAX_WINDOW_SECONDS for seconds in (house.window_seconds, house.proof_seconds)):
        return make_refusal(Reason.HOUSE, why="seconds", most=MAX_WINDOW_SECONDS)
    count = len(seats)
    state = State(house, (PURSE,) * count, ((),) * count, Opening(), (BluffTally(),) * count)
    rulings = (make_ruling("dealt", "purse", coins=PURSE),)
    first = next((seat for seat in (after.winners if after else ()) if seat in seats), None)
    return Transition(state, rulings) if first is None else _begin_first_turn(state, first, "opener", rulings)


def _hear_opener(state: State, _stage: Opening, answer: Answer) -> Transition:
    return _begin_first_turn(state, seat_aimed_at(option_said(answer)), "first-opener", ())


def _begin_first_turn(state: State, seat: int, rule: str, rulings: Rulings) -> Transition:
    """Start the first turn; with two players, a house rule gives the first player one coin less."""
    rulings = (*rulings, make_ruling("begins", rule, seat=seat))
    purse = state.house.two_player_first_coin
    if len(state.coins) == 2 and purse < PURSE:
        state = state.with_coins(seat, purse - PURSE)
        rulings = (*rulings, make_ruling("first-coin", "first-coin", seat=seat, coins=purse))
    return Transition(replace(state, stage=Turn(seat)), rulings)


# A turn: one affordable action. With ten coins or more it must be a coup.


def _ask_action(state: State, turn: Turn) -> tuple[Ask, ...]:
    return _action_asks(turn.seat, state.coins[turn.seat], state.clockwise(turn.seat), _poor(state))


@lru_cache(CACHE_SIZE)
def _action_asks(seat: int, coins: int, others: Seats, poor: Seats) -> tuple[Ask, ...]:
    options = [
        option
        for word, action in ACTIONS.items()
        for option in (aimed_options(word, others) if action.aimed else (Option(word),))
        if _action_refusal(seat, coins, others, poor, option) is None
    ]
    return (Choice("must-coup" if coins >= FORCED else "action", (seat,), tuple(options)),)


def _poor(state: State) -> Seats:
    """Return the seats without coins, if a house rule protects them from the Captain."""
    if state.house.steal_zero == "allow":
        return ()
    return tuple([seat for seat, coins in enumerate(state.coins) if not coins])


def _action_refusal(seat: int, coins: int, others: Seats, poor: Seats, option: Option) -> Refusal | None:
    action, target = ACTIONS[option.word], option.seat
    if coins >= FORCED and option.word != "coup":
        return unmet("has-to-coup", coins=coins)
    if action.cost > coins:
        return unmet("too-dear", cost=action.cost, coins=coins)
    if target is None:
        return None
    if not action.aimed:
        return unmet("not-aimed", word=option.word)
    if target not in others:
        return unmet("not-yourself") if target == seat else unmet("target-out", seat=target)
    return unmet("no-coins", seat=target) if option.word == "steal" and target in poor else None


def _hear_action(state: State, turn: Turn, answer: Answer) -> Transition:
    """Declare an action with its target; its cost is paid immediately."""
    option, seat = option_said(answer), turn.seat
    action, deed = ACTIONS[option.word], Deed(seat, option.word, option.seat)
    rulings: Rulings = ()
    if action.said:
        coins = action.cost or action.gain
        rulings = (make_ruling(action.said, action.word, seat=seat, target=deed.target, coins=coins),)
    if action.cost:
        state = state.with_coins(seat, -action.cost)
    if action.claim is None and not action.blocked_by:
        return _apply_action(state, deed, rulings)
    tallies = state.tallies if action.claim is None else raised(state.tallies, seat, "claims")
    return Transition(_open_window(state, tallies, deed, state.clockwise(seat)), rulings)


# Effects of the actions.


def _apply_action(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """Apply an action after all objections are settled."""
    return _EFFECTS[deed.word](state, Deed(deed.seat, deed.word, deed.target), rulings)


def _take_coins(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """Take coins from the Treasury for income, foreign aid or tax, as far as they are available."""
    wanted, left = ACTIONS[deed.word].gain, state.treasury
    coins = wanted if state.house.bank_unlimited else min(wanted, left)
    rule = deed.word if wanted <= left else "treasury"
    rulings = (*rulings, make_ruling("takes", rule, seat=deed.seat, coins=coins, wanted=wanted))
    if coins < wanted:
        rulings = (*rulings, make_ruling("treasury-empty", rule))
    return _turn_over(state.with_coins(deed.seat, coins), deed, rulings)


def _steal_coins(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """Steal up to two coins from another player, even from one who was just eliminated."""
    target = _target(deed)
    coins = min(STOLEN, state.coins[target])
    rule = "steal-zero" if not coins else "steal" if state.influence(target) else "coins-after-action"
    state = state.with_coins(target, -coins).with_coins(deed.seat, coins)
    rulings = (*rulings, make_ruling("steals", rule, seat=deed.seat, target=target, coins=coins))
    return _turn_over(state, deed, rulings)


def _attack_target(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """Coup or assassination: the target loses an influence, if it has any left."""
    target = _target(deed)
    if not state.influence(target):
        return _turn_over(state, deed, rulings)
    return Transition(replace(state, stage=Losing(deed, target)), rulings)


def _target(deed: Deed) -> int:
    if deed.target is None:
        raise ValueError(f"{deed.word} needs a target")
    return deed.target


def _begin_exchange(state: State, deed: Deed, rulings: Rulings) -> Transition:
    draws = make_ruling("draws", "exchange", seat=deed.seat)
    return Transition(replace(state, stage=Exchanging(deed)), (*rulings, draws))


def _hear_exchange(state: State, stage: Exchanging, _answer: Answer) -> Transition:
    return _turn_over(state, stage.deed, (make_ruling("returns", "exchange", seat=stage.deed.seat),))


_EFFECTS: dict[str, Callable[[State, Deed, Rulings], Transition]] = {
    "income": _take_coins,
    "foreign-aid": _take_coins,
    "coup": _attack_target,
    "tax": _take_coins,
    "assassinate": _attack_target,
    "steal": _steal_coins,
    "exchange": _begin_exchange,
}

# Challenges and blocks: the action may be challenged, then blocked; then the block may be challenged.

DOUBTS = (CHALLENGE, PASS)
BLOCKS = {
    word: (*(Option("block", face=face) for face in action.blocked_by), PASS)
    for word, action in ACTIONS.items()
}
DOUBTS_AND_BLOCKS = {word: (CHALLENGE, *blocks) for word, blocks in BLOCKS.items()}


def _open_window(
    state: State, tallies: Tallies, deed: Deed, others: tuple[int, ...], *, is_proven: bool = False
) -> State:
    number, house = state.windows + 1, state.house
    clock = _clock(house.window_seconds) if house.window == "timer" else None
    if is_proven or not deed.claimed:
        asks: tuple[Choice, ...] = (Choice("block", others, BLOCKS[deed.word], number, clock),)
    elif deed.blocker is not None or not ACTIONS[deed.word].blocked_by:
        asks = (Choice("challenge", others, DOUBTS, number, clock),)
    else:
        either = Choice("challenge-or-block", (_target(deed),), DOUBTS_AND_BLOCKS[deed.word], number, clock)
        doubters = tuple([seat for seat in others if seat != deed.target])
        asks = (Choice("challenge", doubters, DOUBTS, number, clock), either) if doubters else (either,)
    window = Window(asks, claims.asking_for_objections(asks[0], deed.claimant), deed=deed, is_proven=is_proven)
    return replace(state, windows=number, tallies=tallies, stage=window)


@cache
def _clock(seconds: int) -> Deadline:
    return Deadline(float(seconds), PASS)


def _hear_window(state: State, window: Window, answer: Answer) -> Transition:
    seat, option = who_said(answer), option_said(answer)
    rulings: Rulings = ()
    if answer.tied and (others := claims.gave_way(window, answer)):
        rulings = (make_ruling("tie", "priority", seat=seat, others=others),)
    window = claims.heard(window, seat, option)
    if not window.said:
        if window.asks:
            return Transition(replace(state, stage=window), rulings)
        is_block = window.deed.blocker is not None
        return (_block_holds if is_block else _apply_action)(state, window.deed, rulings)
    return _weigh_objections(state, window, seat, option, rulings)


def _weigh_objections(state: State, window: Window, seat: int, option: Option, rulings: Rulings) -> Transition:
    found = claims.objection(window, _order(state, window) if state.house.priority == "clockwise" else ())
    if found is not None and found.option == CHALLENGE:
        return _challenge_claim(state, window.deed, found.seat, rulings)
    if found is not None:
        return _block_action(state, window.deed, found.seat, found.option.face or "", rulings)
    if option != PASS:
        key = "means-to-challenge" if option == CHALLENGE else "means-to-block"
        rule = "challenges-first" if option != CHALLENGE and is_doubtful(window) else "priority"
        rulings = (*rulings, make_ruling(key, rule, seat=seat, face=option.face))
    return Transition(replace(state, stage=window), rulings)


def _order(state: State, window: Window) -> tuple[int, ...]:
    return (window.deed.seat, *state.clockwise(window.deed.seat))


def is_doubtful(window: Window) -> bool:
    return not window.is_proven and bool(window.deed.claimed)


def in_order(state: State, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Order simultaneous objections: challenges, then blocks; the target's first, then clockwise."""
    window = state.stage
    if not isinstance(window, Window) or state.house.priority == "clockwise":
        return answers
    return claims.in_order(answers, _order(state, window), window.deed.target)


def _hear_objections(state: State, window: Window, answer: Answer) -> Transition:
    seconds = state.house.window_seconds
    ruling = make_ruling("objections", "window", seat=who_said(answer), seconds=seconds)
    return Transition(replace(state, stage=claims.with_clock(window, _clock(seconds))), (ruling,))


def _block_holds(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """The action fails; its cost stays spent."""
    cost = ACTIONS[deed.word].cost
    key, spent = ("block-holds-spent", {"coins": cost}) if cost else ("block-holds", {})
    return _turn_over(state, deed, (*rulings, make_ruling(key, "block-holds", seat=deed.seat, **spent)))


def _block_action(state: State, deed: Deed, seat: int, face: str, rulings: Rulings) -> Transition:
    """Block an action by claiming a character; the block may be challenged."""
    doubters = tuple([other for other in (deed.seat, *state.clockwise(deed.seat)) if other != seat])
    deed = Deed(deed.seat, deed.word, deed.target, seat, face)
    state = _open_window(state, raised(state.tallies, seat, "claims"), deed, doubters)
    return Transition(state, (*rulings, make_ruling("blocks", "block", seat=seat, face=face)))


def _block_refusal(deed: Deed, seat: int | None, face: str | None) -> Refusal | None:
    action, target = ACTIONS[deed.word], deed.target
    if deed.blocker is not None:
        return unmet("block-stands", seat=deed.blocker)
    if not action.blocked_by:
        return unmet("no-block", word=action.word)
    if target is not None and seat != target:
        return unmet("not-target", seat=target)
    return None if face in {*action.blocked_by, None} else unmet("wrong-block", cards=action.blocked_by)


def _challenge_claim(state: State, deed: Deed, seat: int, rulings: Rulings) -> Transition:
    ruling = make_ruling("challenged", "challenge", seat=seat, claimant=deed.claimant, face=deed.claimed)
    stage, tallies = Proving(replace(deed, challenger=seat)), raised(state.tallies, seat, "challenges")
    return Transition(replace(state, stage=stage, tallies=tallies), (*rulings, ruling))


def _ask_proof(state: State, proving: Proving) -> tuple[Ask, ...]:
    seconds = float(state.house.proof_seconds) if state.house.may_concede else None
    return claims.proof_asks(_show(state, "prove", proving.deed.claimant, PROOF), seconds)


def _hear_concede(state: State, proving: Proving, _answer: Answer) -> Transition:
    """Concede a challenge without showing a card, then lose an influence of one's own choice."""
    deed = proving.deed
    ruling = make_ruling("concedes", "refuse", seat=deed.claimant, face=deed.claimed)
    state, rulings = _fail_claim(state, deed, ruling)
    return Transition(replace(state, stage=Losing(deed, deed.claimant)), rulings)


def _hear_proof(state: State, proving: Proving, answer: Answer) -> Transition:
    """The claimed character wins the challenge; any other card shown is lost."""
    (card,) = cards_said(answer)
    deed, seat, face = proving.deed, proving.deed.claimant, proving.deed.claimed
    if card != face:
        ruling = make_ruling("disproved", "proof", seat=seat, card=card, face=face)
        state, rulings = _fail_claim(state, deed, ruling)
        return _lose_card(state, Losing(deed, seat), card, "wrong-card", rulings)
    state = replace(state, tallies=raised(state.tallies, seat, "proven"))
    rulings = (make_ruling("proved", "proof", seat=seat, card=card),)
    if state.house.swap_after_proof == "optional":
        return Transition(replace(state, stage=Swapping(deed)), rulings)
    return _swap_card(state, deed, SWAP, rulings)


def _swap_card(state: State, deed: Deed, option: Option, rulings: Rulings) -> Transition:
    """The shown card is swapped first to complete the Court; then the challenger loses an influence."""
    key = "swaps" if option == SWAP else "keeps"
    rulings = (*rulings, make_ruling(key, "swap", seat=deed.claimant, card=deed.claimed))
    return Transition(replace(state, stage=Losing(deed, _challenger(deed), is_proven=True)), rulings)


def _challenger(deed: Deed) -> int:
    if deed.challenger is None:
        raise ValueError(f"{deed.word} isn't challenged")
    return deed.challenger


def _fail_claim(state: State, deed: Deed, ruling: Ruling) -> tuple[State, Rulings]:
    """A claim has failed. If an action fails this way, its cost is returned."""
    tallies = raised(raised(state.tallies, deed.claimant, "caught"), _challenger(deed), "right")
    state, cost = replace(state, tallies=tallies), ACTIONS[deed.word].cost
    if deed.blocker is not None:
        return state, (ruling, make_ruling("block-fails", "block-fails", seat=deed.blocker))
    if not cost:
        return state, (ruling, make_ruling("void", "action-fails", seat=deed.seat))
    refund = make_ruling("void-refunded", "action-fails", seat=deed.seat, coins=cost)
    return state.with_coins(deed.seat, cost), (ruling, refund)


# Influence: the player who loses one chooses the card to turn up.


def _hear_lost(state: State, losing: Losing, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    return _lose_card(state, losing, card, "influence", ())


def _show(state: State, key: str, seat: int, zone: Zone) -> Show:
    return Show(key, (seat,), 1, zone, DECK, state.hidden_cards)


def _lose_card(state: State, losing: Losing, card: str, rule: str, rulings: Rulings) -> Transition:
    """Turn a card up permanently. The last player with influence wins at once."""
    seat, cards = losing.seat, state.lost
    lost = (*cards[:seat], (*cards[seat], card), *cards[seat + 1 :])
    state = replace(state, lost=lost)
    rulings = (*rulings, make_ruling("loses", rule, seat=seat, card=card))
    if len(lost[seat]) == INFLUENCE:
        state = replace(state, fallen=(*state.fallen, seat))
        rulings = (*rulings, make_ruling("out", "out", seat=seat))
        if len(state.alive) == 1:
            return _end_match(state, losing, rulings)
    return _after_loss(state, losing, rulings)


def _after_loss(state: State, losing: Losing, rulings: Rulings) -> Transition:
    """Continue the interrupted action or block; an action that survived a challenge may still be blocked."""
    deed = losing.deed
    if not _is_pending(losing):
        is_blocked = deed.blocker is not None and losing.is_proven
        return _block_holds(state, deed, rulings) if is_blocked else _turn_over(state, deed, rulings)
    may_block = deed.blocker is None and ACTIONS[deed.word].blocked_by and deed.target in state.alive
    if not may_block or (deed.target == deed.challenger and not state.house.challenger_may_block):
        return _apply_action(state, deed, rulings)
    return Transition(_open_window(state, state.tallies, deed, (_target(deed),), is_proven=True), rulings)


def _is_pending(losing: Losing) -> bool:
    """Return whether the action may still take effect, because its challenge or block has failed."""
    return losing.deed.challenger is not None and losing.is_proven == (losing.deed.blocker is None)


# The end of a turn, and of the match.


def _turn_over(state: State, deed: Deed, rulings: Rulings) -> Transition:
    """Return the coins of eliminated players and pass the turn."""
    state, back = _give_back_coins(state)
    return Transition(replace(state, stage=Turn(state.clockwise(deed.seat)[0])), (*rulings, *back))


def _give_back_coins(state: State) -> tuple[State, Rulings]:
    rulings: Rulings = ()
    living = state.alive
    if len(living) == len(state.coins):
        return state, rulings
    for seat, coins in enumerate(state.coins):
        if coins and seat not in living:
            state = state.with_coins(seat, -coins)
            rulings = (*rulings, make_ruling("gives-back", "coins-back", seat=seat, coins=coins))
    return state, rulings


def _end_match(state: State, losing: Losing, rulings: Rulings) -> Transition:
    """Declare the winner; a pending action is cancelled."""
    (winner,) = state.alive
    state, back = _give_back_coins(state)
    won = make_ruling("won", "at-once" if _is_pending(losing) else "last-one", seat=winner)
    return Transition(replace(state, stage=Over(winner)), (*rulings, *back, won))


def outcome(state: State) -> Outcome | None:
    """The last player with influence wins."""
    return Outcome("last-standing", (state.stage.winner,)) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """All active players share first place, and all others the next; the last to leave comes first."""
    alive = state.alive
    counts = [{"influence": state.influence(seat), "coins": coins} for seat, coins in enumerate(state.coins)]
    gone = (Standing(seat, len(alive) + 1, counts[seat], out=True) for seat in reversed(state.fallen))
    return (*(Standing(seat, 1, counts[seat]) for seat in alive), *gone)


_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Opening: lambda state, _stage: (Choice("opener", TABLE, aimed_options("opens", state.alive)),),
    Turn: _ask_action,
    Window: lambda _state, window: window.asks + window.beside,
    Proving: _ask_proof,
    Swapping: lambda _state, stage: (Choice("swap", (stage.deed.claimant,), (SWAP, KEEP)),),
    Losing: lambda state, losing: (_show(state, "lose", losing.seat, before_seat(losing.seat)),),
    Exchanging: lambda _state, stage: (Done("exchange", (stage.deed.seat,)),),
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
    "swap": lambda state, stage, answer: _swap_card(state, stage.deed, option_said(answer), ()),
    "lose": _hear_lost,
    "exchange": _hear_exchange,
}


def asks(state: State) -> tuple[Ask, ...]:
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    return _HEAR[answer.ask](state, state.stage, answer)


def why_not(state: State, seat: int | None, option: Option) -> Refusal | None:
    match state.stage:
        case Turn() as turn if option.word in ACTIONS:
            coins, others = state.coins[turn.seat], state.clockwise(turn.seat)
            return _action_refusal(turn.seat, coins, others, _poor(state), option)
        case Window(deed=deed) as window if option.word == "challenge":
            return None if is_doubtful(window) else unmet("no-claim")
        case Window(deed=deed) if option.word == "block":
            return _block_refusal(deed, seat, option.face)
        case _:
            return None


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    """Return the actions that the player can't afford, or that have no target."""
    if not isinstance(state.stage, Turn) or state.coins[state.stage.seat] >= FORCED:
        return ()
    offered = {option.word for option in ask.options}
    return tuple(Option(word) for word, action in ACTIONS.items() if word not in offered and action.cost)
