"""States that pages may not look into: any look fails a test, and printing one shows a mark."""

from typing import Any

from msgspec.structs import replace

from referee.contract import Game
from referee.match import Match

CANARY = "a-card-that-no-page-may-show"


class SealedState:
    """A state that fails any look into it; printing it prints the mark."""

    def __init__(self, state: Any) -> None:
        """Seal a state."""
        self._state = state

    def __str__(self) -> str:
        """Betray the secret."""
        return CANARY

    __repr__ = __str__

    def __getattribute__(self, name: str) -> Any:
        """Fail any look into it."""
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        raise AssertionError(f"{name} of a state was looked at")


def unseal(state: Any) -> Any:
    return object.__getattribute__(state, "_state") if isinstance(state, SealedState) else state


def seal_game(game: Game, viewers: set[int | None]) -> Game:
    """Let a game be asked only what pages may ask of it, and note for whom its view was drawn."""

    def view(state: Any, viewer: int | None) -> Any:
        viewers.add(viewer)
        return game.view(unseal(state), viewer)

    return replace(
        game,
        view=view,
        standings=lambda state: game.standings(unseal(state)),
        outcome=lambda state: game.outcome(unseal(state)),
        insight=lambda state: game.insight(unseal(state)),
        # what is told of options is public, too
        effect=lambda state, seat, option: game.effect(unseal(state), seat, option),
        withheld=lambda state, ask: game.withheld(unseal(state), ask),
        why_not=lambda state, seat, option: game.why_not(unseal(state), seat, option),
    )


def seal_match(match: Match, viewers: set[int | None]) -> Match:
    """Seal every state of a match, back to the first."""
    before = None if match.before is None else seal_match(match.before, viewers)
    position = replace(match.position, state=SealedState(match.position.state))
    setup = replace(match.setup, game=seal_game(match.setup.game, viewers))
    return replace(match, setup=setup, position=position, before=before)
