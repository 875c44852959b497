"""The moods of Ogallala's rulings. None of its options needs a gesture of its own."""

from collections.abc import Mapping

from referee.contract import Cue, Mood

CUES: Mapping[str, Cue] = {
    "completes": Cue(Mood.TRICK),
    "ropes": Cue(Mood.LOSS, "target"),
    "shoots": Cue(Mood.LOSS, "target"),
    "sinks": Cue(Mood.LOSS),
    "attacks": Cue(Mood.CLAIM),
    "crew-lost": Cue(Mood.LOSS),
    "captures": Cue(Mood.GAIN),
    "may-end": Cue(Mood.CLAIM),
    "ends": Cue(Mood.SEASON),
    "fifth": Cue(Mood.SEASON),
    "no-cards": Cue(Mood.SEASON, ""),
    "won": Cue(Mood.WIN, "seats"),
    "shared": Cue(Mood.WIN, "seats"),
}
