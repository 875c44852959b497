"""Bots of the simulated table: six animals drawn in flat shapes like the cards; pure functions."""

from collections.abc import Mapping, Sequence
from typing import Literal

from referee.contract import Trait
from referee.contract.words import Phrase, phrase

BOT_NAMES = ("Pip", "Vix", "Nox", "Zip", "Ursa", "Corvo")
"""A coyote pup, a fox, an owl, a hare, a bear and a crow."""

Extreme = Literal["most", "least", "never"]
SAID_OF: Mapping[str, Mapping[Trait, Extreme]] = {
    "Pip": {},
    "Vix": {"bluffs": "most"},
    "Nox": {"doubts": "most"},
    "Zip": {"doubts": "least", "dares": "least"},
    "Ursa": {"dares": "most"},
    "Corvo": {"bluffs": "never"},
}
"""Texts about the bots' tempers; a test measures that they are true."""
_SENTENCES: Mapping[tuple[Trait, Extreme], Phrase] = {
    ("bluffs", "most"): phrase("bluffs most"),
    ("bluffs", "never"): phrase("never bluffs"),
    ("doubts", "most"): phrase("challenges most"),
    ("doubts", "least"): phrase("challenges least"),
    ("dares", "most"): phrase("risks most"),
    ("dares", "least"): phrase("risks least"),
}


def tempers_said(traits: Sequence[Trait]) -> tuple[tuple[str, tuple[Phrase, ...]], ...]:
    """Return each animal's distinctive traits among those that show in a game; others are left out."""
    said = (
        (name, tuple(_SENTENCES[trait, often] for trait, often in shown.items() if trait in traits))
        for name, shown in SAID_OF.items()
    )
    return tuple((name, sentences) for name, sentences in said if sentences)


def animals_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the animal of each seat, in case a bot plays there; empty from the seventh seat on.

    A seat named after an animal gets that animal. No animal appears twice, and a seat keeps its animal
    when other seats change.
    """
    others = iter(name for name in BOT_NAMES if name not in names)
    return tuple(name if name in BOT_NAMES else next(others, "") for name in names)
