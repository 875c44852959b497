"""Why an action or a block isn't possible now: coins, influence, and who may block as what."""

from referee.contract import Option, Refusal
from referee.games.coup.actions import ACTIONS, FORCED, Action
from referee.games.coup.state import State, Turn, Window, alive
from referee.games.coup.windows import is_doubtful
from referee.kit.refusing import unmet


def why_not(state: State, seat: int | None, option: Option) -> Refusal | None:
    """Say which condition an option fails."""
    match state.stage:
        case Turn() as turn:
            action = ACTIONS.get(option.word)
            return None if action is None else _action_refusal(state, turn.seat, action, option.seat)
        case Window() as window:
            return _window_refusal(window, seat, option)
        case _:
            return None


def _action_refusal(state: State, seat: int, action: Action, target: int | None) -> Refusal | None:
    coins = state.coins[seat]
    if coins >= FORCED and action.word != "coup":
        return unmet("has-to-coup", coins=coins)
    if action.cost > coins:
        return unmet("too-dear", cost=action.cost, coins=coins)
    return None if target is None else _target_refusal(state, seat, action, target)


def _target_refusal(state: State, seat: int, action: Action, target: int) -> Refusal | None:
    if not action.aimed:
        return unmet("not-aimed", word=action.word)
    if target == seat:
        return unmet("not-yourself")
    if target not in alive(state):
        return unmet("target-out", seat=target)
    return unmet("no-coins", seat=target) if action.word == "steal" and not state.coins[target] else None


def _window_refusal(window: Window, seat: int | None, option: Option) -> Refusal | None:
    """Say why this can't be challenged, or not blocked by this seat."""
    if option.word == "challenge":
        return None if is_doubtful(window) else unmet("no-claim")
    if option.word != "block":
        return None
    if window.block is not None:
        return unmet("block-stands", seat=window.block.seat)
    return _block_refusal(window, seat, option.face)


def _block_refusal(window: Window, seat: int | None, face: str | None) -> Refusal | None:
    action, target = ACTIONS[window.deed.word], window.deed.target
    if not action.blocked_by:
        return unmet("no-block", word=action.word)
    if target is not None and seat != target:
        return unmet("not-target", seat=target)
    return None if face in {*action.blocked_by, None} else unmet("wrong-block", cards=action.blocked_by)
