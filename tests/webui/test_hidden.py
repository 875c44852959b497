"""No page shows what the rules hide: pages see of a state only what its game lets this viewer see."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games import GAMES
from referee.match import Match, enter
from tests.referee.tables import NAMES, every_table, new_match
from tests.webui.room import Room, room_with
from tests.webui.test_events import listen

CANARY = "a-card-that-nobody-may-see"


class Sealed:
    """A state that nobody may look into; whoever prints it, prints the secret."""

    def __init__(self, state: Any) -> None:
        """Seal a state."""
        self._state = state

    def __str__(self) -> str:
        """Betray the secret."""
        return CANARY

    __repr__ = __str__

    def __getattribute__(self, name: str) -> Any:
        """Let nobody look into it."""
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        raise AssertionError(f"{name} of a state was looked at")


def unsealed(state: Any) -> Any:
    return object.__getattribute__(state, "_state") if isinstance(state, Sealed) else state


def sealed_game(game: Game, viewers: set[int | None]) -> Game:
    """Let a game be asked only what pages may ask of it, and note for whom its view was drawn."""

    def view(state: Any, viewer: int | None) -> Any:
        viewers.add(viewer)
        return game.view(unsealed(state), viewer)

    return replace(
        game,
        view=view,
        standings=lambda state: game.standings(unsealed(state)),
        outcome=lambda state: game.outcome(unsealed(state)),
        insight=lambda state: game.insight(unsealed(state)),
    )


def sealed(match: Match, viewers: set[int | None]) -> Match:
    """Seal every state of a match, back to the first."""
    before = None if match.before is None else sealed(match.before, viewers)
    position = replace(match.position, state=Sealed(match.position.state))
    setup = replace(match.setup, game=sealed_game(match.setup.game, viewers))
    return replace(match, setup=setup, position=position, before=before)


def pages_of(room: Room, seat: int | None) -> list[str]:
    """Fetch all that a viewer can see, events as well."""
    if seat is None:
        return [room.browser().get("/").text, next(listen(room))["data"]]
    phone = room.browser().sit(seat)
    return [phone.get("/seat").text, phone.get("/").text, next(listen(room, "seat", seat=seat))["data"]]


@every_table
def test_pages_see_what_their_viewer_may(game: Game, rules: str, seats: int, tmp_path: Path) -> None:
    rng = Random(f"{game.name} {rules} {seats}")
    match = new_match(game, rules, seats)
    room = room_with(match, tmp_path)
    looked = set(rng.sample(range(80), 4))
    for moment in range(80):
        if moment in looked or not match.asks:
            viewers: set[int | None] = set()
            room.door.match = sealed(match, viewers)
            seat = rng.randrange(seats)
            for page in pages_of(room, None):
                assert CANARY not in page
            assert viewers == {None}
            for page in pages_of(room, seat):
                assert CANARY not in page
            assert viewers == {None, seat}
        if not match.asks:
            break
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after


def test_the_seal_holds() -> None:
    match = sealed(new_match(GAMES["coyote"], "kidult", len(NAMES[:3])), set())
    with pytest.raises(AssertionError):
        _ = match.state.marks
    assert f"{match.state}" == CANARY
