"""The moods of Coup d'État's rulings, and how one passes with a button."""

from collections.abc import Mapping

from referee.contract import Cue, Gesture, Mood

FOUL = Cue(Mood.LIE)
PAYS = Cue(Mood.LOSS, "payer")

CUES: Mapping[str, Cue] = {
    "tour": Cue(Mood.SEASON, "president"),
    "deal": Cue(Mood.SEASON, "president"),
    "attempts": Cue(Mood.CLAIM),
    "trick": Cue(Mood.TRICK),
    "revoke": FOUL,
    "revoke-said": FOUL,
    "false-pass": FOUL,
    "void": Cue(Mood.REVERSAL, "seats"),
    "coup-won": Cue(Mood.GAIN),
    "coup-failed": Cue(Mood.LOSS),
    "secret-coup": Cue(Mood.GAIN),
    "pays": PAYS,
    "pays-bank": PAYS,
    "takes-bank": Cue(Mood.GAIN, "payee"),
    "overdrawn": Cue(Mood.LOSS),
    "out-of-cards": Cue(Mood.GAIN),
    "president": Cue(Mood.GAIN),
    "won": Cue(Mood.WIN, "seats"),
    "shared": Cue(Mood.WIN, "seats"),
}

GESTURES: Mapping[str, Gesture] = {"pass": "double"}
