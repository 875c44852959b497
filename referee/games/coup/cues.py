"""The moods of Coup's rulings, and how one objects with a button."""

from collections.abc import Mapping

from referee.contract import Cue, Gesture, Mood

CLAIM = Cue(Mood.CLAIM)

CUES: Mapping[str, Cue] = {
    "asks-aid": CLAIM,
    "launches-coup": CLAIM,
    "claims-tax": CLAIM,
    "claims-assassin": CLAIM,
    "claims-captain": CLAIM,
    "claims-ambassador": CLAIM,
    "blocks": Cue(Mood.COUNTER),
    "challenged": Cue(Mood.CALL),
    "proved": Cue(Mood.TRUTH),
    "concedes": Cue(Mood.LIE),
    "disproved": Cue(Mood.LIE),
    "takes": Cue(Mood.GAIN),
    "steals": Cue(Mood.GAIN),
    "loses": Cue(Mood.LOSS),
    "out": Cue(Mood.OUT),
    "won": Cue(Mood.WIN),
}

GESTURES: Mapping[str, Gesture] = {
    "challenge": "short",
    "block": "long",
    "pass": "double",
    "concede": "long",
}
