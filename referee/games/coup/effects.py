"""What Coup's options and claims would bring: coins, cards turned up, who must show what."""

from referee.contract import Choice, CountChange, Effect, Mood, Option, make_effect
from referee.games.coup.actions import ACTIONS, FORCED, STOLEN, Action
from referee.games.coup.state import DeclaredAction, State, Turn, Window, claimant

OPTION_MOODS = {"challenge": Mood.CALL, "block": Mood.COUNTER}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what an option would bring the seat that chooses it."""
    match state.stage:
        case Turn(seat=acting) if option.word in ACTIONS:
            return _action_effect(state.coins, acting, ACTIONS[option.word], option.seat)
        case Window() as window:
            return _window_effect(state.coins, window, option)
        case _ if option.word in {"concede", "swap", "keep"}:
            return make_effect(option.word)
        case _:
            return None


def _action_effect(coins: tuple[int, ...], seat: int, action: Action, target: int | None) -> Effect:
    if action.word == "steal" and target is not None:
        changes = deed_changes(coins, DeclaredAction(seat, action.word, target))
        return make_effect("steal-from", changes=changes, coins=min(STOLEN, coins[target]))
    gain = STOLEN if action.word == "steal" else action.gain - action.cost
    changes = (_change(coins, seat, gain),) if gain else ()
    return make_effect(action.word, action.claim or "", changes)


def deed_changes(coins: tuple[int, ...], deed: DeclaredAction) -> tuple[CountChange, ...]:
    """List what coins would become if an action that was paid for succeeds."""
    if deed.word == "steal" and deed.target is not None:
        taken = min(STOLEN, coins[deed.target])
        both = (_change(coins, deed.target, -taken), _change(coins, deed.seat, taken))
        return both if taken else ()
    gain = ACTIONS[deed.word].gain
    return (_change(coins, deed.seat, gain),) if gain else ()


def _change(coins: tuple[int, ...], seat: int, gain: int) -> CountChange:
    return CountChange(seat, "coins", coins[seat], coins[seat] + gain)


def _window_effect(coins: tuple[int, ...], window: Window, option: Option) -> Effect | None:
    deed, block = window.deed, window.block
    claimed = block.face if block is not None else ACTIONS[deed.word].claim
    match option.word:
        case "challenge":
            return Effect("challenge", {"claimant": claimant(deed, block), "face": claimed})
        case "block":
            return Effect("block", {"seat": deed.seat}, option.face or "")
        case "pass":
            return (
                make_effect("pass-blocked", seat=deed.seat) if block is not None else _pass_effect(coins, deed)
            )
        case _:
            return make_effect(option.word)


def _pass_effect(coins: tuple[int, ...], deed: DeclaredAction) -> Effect:
    """Say what happens if all let an action pass."""
    changes = deed_changes(coins, deed)
    if deed.word in {"assassinate", "exchange"}:
        return make_effect(f"pass-{deed.word}", seat=deed.seat, target=deed.target)
    gained = sum(change.after - change.before for change in changes if change.seat == deed.seat)
    return make_effect("pass-takes", "", changes, seat=deed.seat, coins=gained)


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    """List the actions that one can't pay for, or that have no target."""
    if not isinstance(state.stage, Turn) or state.coins[state.stage.seat] >= FORCED:
        return ()
    offered = {option.word for option in ask.options}
    return tuple(Option(word) for word, action in ACTIONS.items() if word not in offered and action.cost)
