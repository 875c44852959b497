"""The bots of the simulated table: six animals in the flat shapes of the cards; pure."""

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
"""What pages say of the tempers; a test measures that it is so."""
_SENTENCES: Mapping[tuple[Trait, Extreme], Phrase] = {
    ("bluffs", "most"): phrase("bluffs most"),
    ("bluffs", "never"): phrase("never bluffs"),
    ("doubts", "most"): phrase("challenges most"),
    ("doubts", "least"): phrase("challenges least"),
    ("dares", "most"): phrase("risks most"),
    ("dares", "least"): phrase("risks least"),
}


def tempers_said(traits: Sequence[Trait]) -> tuple[tuple[str, tuple[Phrase, ...]], ...]:
    """Say what sets the animals apart in a game where these traits show; nothing of those like the others."""
    said = (
        (name, tuple(_SENTENCES[trait, often] for trait, often in shown.items() if trait in traits))
        for name, shown in SAID_OF.items()
    )
    return tuple((name, sentences) for name, sentences in said if sentences)


def animals_of(names: Sequence[str]) -> tuple[str, ...]:
    """Name the animal for each seat, should a bot play there: a seat of its name has its own, none sits twice.

    A seat keeps its animal when others come and go; from the seventh on there is none left.
    """
    others = iter(name for name in BOT_NAMES if name not in names)
    return tuple(name if name in BOT_NAMES else next(others, "") for name in names)
