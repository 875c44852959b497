"""Describe a match and a deck as JSON, for comparison with a release's fixtures."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from referee.match import Match, moments
from vision.teaching.taught_decks import TaughtDeck


def describe_deck(taught: TaughtDeck) -> dict[str, Any]:
    """Return the count of each face of a deck, and a digest of each picture's pixels."""
    pictures = {
        face: tuple(sha256(each.tobytes()).hexdigest()[:16] for each in some)
        for face, some in taught.faces.items()
    }
    return as_json({"name": taught.name, "card": taught.card, "counts": taught.counts, "pictures": pictures})


def describe_match(match: Match) -> dict[str, Any]:
    setup, asks = match.setup, [(ask.key, ask.seats) for ask in match.asks]
    agreed = {
        "game": setup.game.name,
        **{name: getattr(setup, name) for name in ("names", "begun", "after", "house")},
    }
    standings = setup.game.rules.standings(match.state)
    now = {"entries": match.number, "asks": asks, "standings": standings, "outcome": match.outcome}
    return as_json({**agreed, **now})


def list_rulings(match: Match) -> list[Any]:
    every = list(moments(match))[::-1]
    return [[each.number, ruling.key, as_json(ruling.values)] for each in every for ruling in each.rulings]


def as_json(value: object) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return said


def is_part(expected: Any, found: Any) -> bool:
    """Return whether all expected values are present; later versions may add settings, rules and values."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return all(name in found and is_part(value, found[name]) for name, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        return len(expected) == len(found) and all(map(is_part, expected, found))
    return bool(expected == found)
