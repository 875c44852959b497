"""All tunes and patterns of lamps, by the names that tests call them by."""

from collections.abc import Mapping

from firmware.board.voices import patterns, tunes

TUNES: Mapping[str, tunes.Tune] = {
    "called": tunes.HOWL,
    "heard": tunes.CLICK,
    "nothing": tunes.LOW,
    "true": tunes.TRUE,
    "false": tunes.FALSE,
    "lost": tunes.LOSS,
    "out": tunes.FAREWELL,
    "won": tunes.WIN,
    "trick": tunes.TRICK,
    "season": tunes.SEASON,
    "asked": tunes.ASKED,
}
NAMED = "turn may called lost out won heard nothing pointed going trouble"
PATTERNS: Mapping[str, patterns.Pattern] = {name: getattr(patterns, name.upper()) for name in NAMED.split()}
