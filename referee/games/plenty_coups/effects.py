"""What Plenty Coups' options would bring, and which clans are gone."""

from referee.contract import Choice, Effect, Mood, Option, make_effect
from referee.games.plenty_coups.deck import CLANS
from referee.games.plenty_coups.raids import strength
from referee.games.plenty_coups.state import ROUNDS, State, Turn, has_turn_left, raid_on, turn_of

OPTION_MOODS = {"raid": Mood.CLAIM, "double-raid": Mood.CLAIM, "taunt": Mood.CLAIM, "defend": Mood.COUNTER}
TOLD = frozenset(
    {
        *CLANS, "score", "home", "feat", "raid", "double-raid", "gift", "ally-gift", "propose", "accept",
        "ally", "taunt", "donate", "hunt", "accept-loss", "turn-over",
    }
)  # fmt: skip


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what an action brings or takes; of a clan, which sign it has."""
    if option.word == "breed":
        return make_effect("breed", count=state.plain)
    turn = turn_of(state)
    if turn is not None and state.round == ROUNDS and (late := _late_key(state, turn, option)):
        return make_effect(late)
    raid = None if turn is None else raid_on(state, turn.seat)
    if option.word in {"defend", "double-defend"} and raid is not None:
        return make_effect(option.word, least=strength(state, raid))
    return make_effect(option.word) if option.word in TOLD else None


def _late_key(state: State, turn: Turn, option: Option) -> str:
    """Name what comes of something that begins too late in the last round."""
    if option.word in {"raid", "double-raid"}:
        has_raid = option.seat is not None and raid_on(state, option.seat)
        return "raid-late-chases" if has_raid else "raid-late"
    is_too_late = option.seat is not None and not has_turn_left(state, turn.seat, option.seat)
    return "propose-late" if option.word == "propose" and is_too_late else ""


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    """List the clans that are chosen already."""
    if ask.key not in {"clan", "neutral-clan"}:
        return ()
    return tuple(Option(clan.colour) for clan in state.clans if clan.colour)
