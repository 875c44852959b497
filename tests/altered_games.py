"""Games with something changed, for tests of what else depends on it."""

from typing import Any

from msgspec.structs import fields, replace

from referee.contract import Game


def altered(game: Game, **changes: Any) -> Game:
    """Change fields of a game or of its parts, each found by its name."""
    for name, value in changes.items():
        part = next((part for part in PARTS if hasattr(getattr(game, part), name)), None)
        whole = {name: value} if part is None else {part: replace(getattr(game, part), **{name: value})}
        game = replace(game, **whole)
    return game


PARTS = [each.name for each in fields(Game) if each.name in {"rules", "table", "shown", "feel", "book", "play"}]
