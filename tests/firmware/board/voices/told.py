"""All tunes and patterns of lamps, by the names that tests call them by."""

from collections.abc import Mapping

from firmware.board.voices.patterns import (
    CALLED,
    GOING,
    HEARD,
    LOST,
    MAY,
    NOTHING,
    OUT,
    POINTED,
    TROUBLE,
    TURN,
    WON,
    Pattern,
)
from firmware.board.voices.tunes import (
    ASKED,
    CLICK,
    FALSE,
    FAREWELL,
    HOWL,
    LOSS,
    LOW,
    SEASON,
    TRICK,
    TRUE,
    WIN,
    Tune,
)

TUNES: Mapping[str, Tune] = {
    "called": HOWL,
    "heard": CLICK,
    "nothing": LOW,
    "true": TRUE,
    "false": FALSE,
    "lost": LOSS,
    "out": FAREWELL,
    "won": WIN,
    "trick": TRICK,
    "season": SEASON,
    "asked": ASKED,
}
PATTERNS: Mapping[str, Pattern] = {
    "turn": TURN,
    "may": MAY,
    "called": CALLED,
    "lost": LOST,
    "out": OUT,
    "won": WON,
    "heard": HEARD,
    "nothing": NOTHING,
    "pointed": POINTED,
    "going": GOING,
    "trouble": TROUBLE,
}
