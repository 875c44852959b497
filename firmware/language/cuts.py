"""Sentences about how the cards of a taught deck were cut out, for `coyote cards show`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware.language.speaking import Sentence, say

if TYPE_CHECKING:
    # messages don't need the vision code
    from vision.teaching.odd_cuts import CutsSum, Why

WHY: Mapping["Why", Sentence] = {
    "no edge": say("No edge is visible here"),
    "picture ends": say("The picture ends too early"),
    "side without edge": say("A side of the line has no edge"),
    "other ground": say("The background differs from the others"),
    "other shape": say("The line has another shape than the others"),
    "askew": say("A corner of the line is off"),
}
HOW: Mapping[str, str] = {
    "dark": "{cards} were cut out of a dark background, {mm} mm at each side",
    "light": "{cards} were cut out of a light background, {mm} mm at each side",
    "ground": "{cards} were cut out of their background, {mm} mm at each side",
    "nothing": "{cards} were used completely: they had no background",
    "table": "{cards} were cut out by their outlines on the table",
}
"""How most cards of a deck were cut out, by their background."""


def cuts_sentence(told: "CutsSum") -> Sentence:
    right, kind = told.count - told.odd, told.kind
    cards = say("All {count}", count=told.count)
    if told.odd:
        cards = say("{right} of {count}", right=right, count=told.count)
    ground = told.ground if kind == "ground" and told.ground else kind
    how = Sentence(HOW[ground], {"cards": cards, "mm": told.millimetres})
    match told.odd:
        case 0:
            return say("{how}.", how=how)
        case 1:
            return say("{how}; look at this one.", how=how)
        case _:
            return say("{how}; look at these {odd}.", how=how, odd=told.odd)
